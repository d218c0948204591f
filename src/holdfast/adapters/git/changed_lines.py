"""Finds lines that are slightly changed lines of others."""

from __future__ import annotations

import re
from difflib import SequenceMatcher, get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_WORD = re.compile(r"\w{3,}")
_MOST_WORDS = 3
"""How many of its longest words a line is searched by: a small change keeps one of them."""
_NEAR = 0.7
_LONG = 300
"""A line of more letters is compared by its words: the time grows with the square of letters."""
_MOST_COMPARED = 3_000_000
"""How many letters of short lines are compared, or 40 times as many of long ones.

That takes five seconds; beyond it, a line with a common word counts as changed.
"""
_CHEAPER, _LONGEST_WORD = 40, 30


def search_words(lines: Collection[str]) -> dict[str, list[str]]:
    """Return the words of each line that a slightly changed line has too, or one of them."""
    return {line: sorted(set(_WORD.findall(line)), key=len)[-_MOST_WORDS:] for line in lines}


def slightly_changed(words: Mapping[str, Sequence[str]], others: Collection[str]) -> frozenset[str]:
    """Return the lines, of those with their words to search by, that are near one of others."""
    budget, found = _MOST_COMPARED, set[str]()
    for line in sorted(words):
        some = [one for one in others if any(word in one for word in words[line])]
        budget -= sum(map(len, some)) // (_CHEAPER if len(line) > _LONG else 1)
        if some and (budget < 0 or _is_near(line, some)):
            found.add(line)
    return frozenset(found)


def _is_near(line: str, others: Sequence[str]) -> bool:
    """Return whether a line is a slightly changed one of others; a long one shares most words."""
    if len(line) <= _LONG:
        return bool(get_close_matches(line, others, n=1, cutoff=_NEAR))
    compared = SequenceMatcher[str](b=_words(line))
    for other in others:
        compared.set_seq1(_words(other))
        if compared.real_quick_ratio() >= _NEAR and compared.quick_ratio() >= _NEAR:
            return True
    return False


def _words(line: str) -> list[str]:
    """Return the words of a line; of a script without spaces, pairs of letters."""
    found = list[str]()
    for word in line.split():
        found += [word] if len(word) <= _LONGEST_WORD else map("".join, pairwise(word))
    return found
