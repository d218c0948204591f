"""Decide whether a claim is new, already known, or a replacement of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, Status
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.memory import Memory, MemoryRecord

_FEWEST_WORDS = 8
# "a" is missing on purpose: it is also the name of a variable, a branch and a column.
_FILLERS = frozenset({"the", "an", "that", "also", "just", "then", "very", "really", "please"})
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
    """No memory has this claim; ``twin`` has its text, but another kind or key."""

    twin: MemoryRecord | None = None


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
    """Decide by key: the same statement is known, another one replaces the accepted memory.

    ``same_key`` are the memories of the same space, scope and place with that key.
    """
    standing = [record for record in same_key if record.standing.status in LIVE]
    for record in standing:
        if statement_form(record.memory.claim) == statement_form(memory.claim):
            return KnownClaim(record=record)
    accepted = [record for record in standing if record.standing.status is Status.ACCEPTED]
    if accepted:
        return ReplacingClaim(record=max(accepted, key=lambda record: record.sequence))
    return NewClaim()


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two claims are the same statement.

    They may differ in what ``statement_form`` ignores. Claims of at least eight words may also
    differ in filler words: every other added, removed or replaced word can be a correction.
    """
    ours, theirs = statement_form(one), statement_form(other)
    if ours == theirs:
        return True
    mine, yours = ours.split(), theirs.split()
    return min(len(mine), len(yours)) >= _FEWEST_WORDS and _without_fillers(
        mine
    ) == _without_fillers(yours)


def turning_words(words: list[str]) -> list[str]:
    """Return the words that change a claim's meaning: numbers, names, symbols, negations.

    A word with a capital letter is a name or a unit.
    """
    return [
        word
        for word in words
        if word.lower() in _TURNING or word != word.lower() or not word.isalpha()
    ]


def _without_fillers(words: list[str]) -> list[str]:
    return [word for word in words if word not in _FILLERS]


def rejected_before(record: MemoryRecord) -> str:
    """Return under which id a claim was rejected, and why if a reason was given."""
    why = f": {record.standing.reason}" if record.standing.reason else ""
    return f"was rejected before as {record.memory.id}{why}"
