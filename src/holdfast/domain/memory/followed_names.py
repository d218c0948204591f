"""The names in a text that lead to other memories that mention them: rare and unmistakable.

A title is looked up by any run of words. A mention in running text is trusted only if it has the
form of a name: several capitalised words, words in quotation marks, or an identifier.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

# Chosen by hand.
_READ = 2_048
MOST_FOLLOWED = 24
_MOST_WORDS = 6
_SHORTEST = 4
_WORD = re.compile(r"[^\W_]+(?:['’](?!s\b)[^\W_]+)*")
_QUOTED = re.compile(r"[\"“«„`]([^\"“”«»„`\n]{4,60})[\"”»“`]")
_IDENTIFIER = re.compile(
    r"(?<![\w.])(?:[A-Za-z]\w*(?:[._/:-]\w+){0,16}_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[\w-]{1,100}+(?:/[\w.-]*\w)+|\w+\.\w{2,4}(?=\W|$)|[A-Z]{2,}-\d+)"
)
_JOINS = frozenset({"of", "the", "de", "la", "le", "van", "von", "der", "den", "du", "del", "di"})
_DATES = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september")
    + ("october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday")
    + ("saturday", "sunday")
)
"""A date stands in many texts that have nothing else in common."""
_CLAUSE = re.compile(r"[^.,;:!?()\[\]{}\"“”«»„`\n\t]+")
_SENTENCE_ENDS = ".!?:\n"


@lru_cache(maxsize=4_096)
def followed_names(text: str) -> tuple[str, ...]:
    """Return the names that a text mentions, in order, as phrases in lower case; at most 24."""
    read = text[:_READ]
    found: dict[str, None] = {}
    for name in (*_identifiers(read), *_quoted(read), *_proper(read)):
        found.setdefault(name)
        if len(found) >= MOST_FOLLOWED:
            break
    return tuple(found)


def share_of_names(text: str) -> float:
    """Return which share of the words of a text are in names: much of a list, little of prose."""
    words = len(text[:_READ].split())
    named = sum(len(name.split()) for name in followed_names(text))
    return min(1.0, named / words) if words else 0.0


def _identifiers(text: str) -> Iterator[str]:
    for found in _IDENTIFIER.finditer(text):
        if len(found[0]) > _SHORTEST:
            yield found[0].casefold()


def _quoted(text: str) -> Iterator[str]:
    for found in _QUOTED.finditer(text):
        words = found[1].split()
        if 1 < len(words) <= _MOST_WORDS:
            yield " ".join(words).casefold()


def _proper(text: str) -> Iterator[str]:
    """Return the runs of capitalised words; a single word only inside a sentence."""
    for clause in _CLAUSE.finditer(text):
        before = text[: clause.start()].rstrip(" ")[-1:]
        opens = not before or before in _SENTENCE_ENDS
        for is_name, some in groupby(enumerate(_WORD.findall(clause[0])), key=_may_be_in_name):
            run = _trimmed(list(some)) if is_name else []
            if len(run) > 1 and len(run) <= _MOST_WORDS:
                yield " ".join(word for _, word in run).casefold()
            elif len(run) == 1 and not (opens and run[0][0] == 0) and len(run[0][1]) > _SHORTEST:
                yield run[0][1].casefold()


def _may_be_in_name(numbered: tuple[int, str]) -> bool:
    word = numbered[1]
    return word[0].isupper() or word[0].isdigit() or word in _JOINS


def _trimmed(run: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return a run without the words at its ends that no name starts or ends with."""
    while run and not _starts_name(run[0][1]):
        del run[0]
    while run and run[-1][1] in _JOINS:
        del run[-1]
    return run


def _starts_name(word: str) -> bool:
    folded = word.casefold()
    return word[0].isupper() and folded not in STOP_WORDS and folded not in _DATES
