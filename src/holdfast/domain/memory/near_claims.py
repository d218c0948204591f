"""Group claims that say nearly the same, among thousands, without comparing every pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from difflib import SequenceMatcher
from os.path import commonprefix
from typing import TYPE_CHECKING

from holdfast.domain.memory.identity import turning_words
from holdfast.domain.memory.selection import near_form
from holdfast.domain.memory.sketch import sketch
from holdfast.domain.memory.statement import statement_form, without_capital

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEAR_SHARE = 0.7
_FEWEST_WORDS = 5
_RAREST = 3
_FULLEST = 40
_STEM = 4


def alike_groups(claims: Sequence[str]) -> list[list[int]]:
    """Return groups of indexes whose claims say nearly the same.

    Two claims are compared if they share a value of their sketches or one of their rarest words;
    keys that too many claims share are ignored. In a group, each claim is similar to the first.
    """
    forms = [near_form(claim).split() for claim in claims]
    names = [_names(claim) for claim in claims]
    grouped: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for first, other in sorted(set(_meeting(claims, forms))):
        leader = grouped.get(first, first)
        if other in grouped or not _is_near(forms[leader], forms[other]):
            continue
        if names[leader] != names[other]:
            continue
        grouped[leader] = grouped[other] = leader
        groups.setdefault(leader, [leader]).append(other)
    return list(groups.values())


def _names(claim: str) -> list[str]:
    """Return the words of a claim that must be equal in both; "Tuesday" may be "tuesday"."""
    words = (word.rstrip(",;:.!?") for word in statement_form(claim).split())
    return sorted(turning_words([without_capital(word) for word in words if word]))


def _meeting(claims: Sequence[str], forms: Sequence[list[str]]) -> Iterator[tuple[int, int]]:
    common = Counter(word for words in forms for word in set(words))
    shelves: dict[object, list[int]] = defaultdict(list)
    for place, (claim, words) in enumerate(zip(claims, forms, strict=True)):
        for mark in _marks(claim, words, common):
            shelves[mark].append(place)
    for places in shelves.values():
        if len(places) <= _FULLEST:
            for number, first in enumerate(places):
                yield from ((first, other) for other in places[number + 1 :])


def _marks(claim: str, words: list[str], common: Counter[str]) -> Iterable[object]:
    rarest = sorted({word for word in words if common[word] > 1}, key=lambda word: common[word])
    return {" ".join(words), *enumerate(sketch(claim)), *rarest[:_RAREST]}


def _is_near(one: list[str], other: list[str]) -> bool:
    """Tell whether one claim is the other with some words added, removed or inflected.

    A replaced word makes another claim: "in Redis" is not "in Postgres".
    """
    if one == other:
        return True
    ours, theirs = set(one), set(other)
    if min(len(ours), len(theirs)) < _FEWEST_WORDS:
        return False
    is_near = len(ours & theirs) / len(ours | theirs) >= _NEAR_SHARE
    return is_near and not any(_is_another(old, new) for old, new in _replaced(one, other))


def _replaced(one: list[str], other: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return ((one[a:b], other[c:d]) for step, a, b, c, d in steps if step == "replace")


def _is_another(old: list[str], new: list[str]) -> bool:
    """Tell whether words were replaced by other words, and not only inflected."""
    return len(old) != len(new) or any(
        commonprefix([before, after])[:_STEM] != before[:_STEM]
        for before, after in zip(old, new, strict=True)
    )
