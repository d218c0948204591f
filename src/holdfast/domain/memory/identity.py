"""Decide whether a claim is new, already known, or a replacement of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, Status
from holdfast.domain.memory.selection import near_form
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.memory import Memory, MemoryRecord

_SAME_SHARE = 0.9
_FEWEST_WORDS = 8
# fmt: off
_TURNING = frozenset({
    "not", "no", "never", "none", "nor", "neither", "nothing", "nobody", "cannot", "without",
    "avoid", "always", "must", "only", "except", "unless", "before", "after", "until",
    "disable", "disabled", "disallow", "forbid", "enable", "enabled", "allow", "true", "false",
    "on", "off", "more", "less", "fewer", "first", "last", "zero", "one", "two", "three", "four",
    "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "hundred", "thousand",
    "million", "once", "twice", "half", "double", "increase", "decrease", "add", "remove",
    "open", "close", "start", "stop", "deny", "above", "below", "over", "under", "up", "down",
    "left", "right", "in", "out", "with", "public", "private", "read", "write", "minimum",
    "maximum", "old", "new", "same", "different", "required", "optional", "may", "should",
})
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClaim:
    """No memory has this claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownClaim:
    """The claim is already remembered; only the evidence is new."""

    record: MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacingClaim:
    """The key already has another claim, which this one replaces."""

    record: MemoryRecord


Identity = NewClaim | KnownClaim | ReplacingClaim


def identify(memory: Memory, *, same_key: Iterable[MemoryRecord]) -> Identity:
    """Decide by key: the same words are the same memory, other words replace the accepted one.

    ``same_key`` are the memories of the same space, scope and place with that key.
    """
    standing = [record for record in same_key if record.standing.status in LIVE]
    for record in standing:
        if near_form(record.memory.claim) == near_form(memory.claim):
            return KnownClaim(record=record)
    accepted = [record for record in standing if record.standing.status is Status.ACCEPTED]
    if accepted:
        return ReplacingClaim(record=max(accepted, key=lambda record: record.sequence))
    return NewClaim()


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two claims say the same in slightly different words.

    Numbers, paths, symbols and negations must agree exactly, because a claim that differs in one
    of them contradicts the other. The order of the shared words must agree too. Short claims must
    agree in every word.
    """
    ours, theirs = near_form(one).split(), near_form(other).split()
    if ours == theirs:
        return True
    if turning_words(ours) != turning_words(theirs):
        return False
    mine, yours = set(ours), set(theirs)
    if min(len(mine), len(yours)) < _FEWEST_WORDS:
        return False
    shared = mine & yours
    in_order = [word for word in ours if word in shared] == [
        word for word in theirs if word in shared
    ]
    return in_order and len(shared) / len(mine | yours) >= _SAME_SHARE


def turning_words(words: list[str]) -> list[str]:
    """Return the words that change a claim's meaning: numbers, names, symbols, negations."""
    return [word for word in words if word in _TURNING or not word.isalpha()]
