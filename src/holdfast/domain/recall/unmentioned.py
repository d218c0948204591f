"""Names and numbers of a question that no text of the answer mentions.

A memory about Windows looks to every score like an answer to a question about Linux. Only the name
itself tells them apart, so an answer says which names of the question it does not mention.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.recall.question import camel_parts, pieces_of
from holdfast.domain.recall.relevance import is_everyday, is_misspelt, root
from holdfast.domain.text.languages import language_of
from holdfast.domain.text.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

# Chosen by hand.
MOST_NAMED = 3
_LONGEST_QUESTION = 300
_SHORTEST_START = 4
_START_SHARE = 0.6
_CAPITALS_SHARE = 0.5
_TOKEN = re.compile(r"[^\W_](?:[\w.:/#@+-]*[^\W_])?")
_SENTENCE_END = re.compile(r"[.?!:]\s*[\"'(]*$|^[\s\"'(]*$")
_DIGIT = re.compile(r"\d")
_PLAIN_NUMBER = re.compile(r"\d{1,2}(?:st|nd|rd|th|s)?")
_TWO_DIGITS = re.compile(r"\d\d")
_BEFORE_NUMBERS = frozenset({"version", "release", "port"})


def unmentioned(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names and numbers of a question that no text mentions, as they are written.

    A name is a word with a capital inside a sentence, or one with a digit or an inner capital.
    Numbers below 100 are often written as words, so they do not count, except one of two digits
    that belongs to a name: "Postgres 14", "port 80". A long text is the description of a task, and
    most of its names are not what it asks for.
    """
    names = _names_in(question) if len(question) <= _LONGEST_QUESTION else {}
    if not names:
        return ()
    folded = [text.casefold() for text in texts]
    pieces = {piece for text in folded for piece in pieces_of(text)}
    missing = [
        name
        for name, words in names.items()
        if not all(_is_mentioned(word, folded, pieces) for word in words)
    ]
    return tuple(missing[:MOST_NAMED])


def _names_in(question: str) -> dict[str, tuple[str, ...]]:
    """Return the names, each with the words of it that a text must mention."""
    found = list(_TOKEN.finditer(question))
    words = [match for match in found if match[0].isalpha()]
    capitals = sum(match[0][0].isupper() for match in words)
    # In a title every word has a capital, and in German every noun.
    may_tell = capitals <= max(_CAPITALS_SHARE * len(words), 1) and not language_of(question)
    names: dict[str, tuple[str, ...]] = {}
    before, end = "", -1
    for match in found:
        word, starts = match[0], _SENTENCE_END.search(question[: match.start()]) is not None
        if _is_name(word, starts=starts, capitals_tell=may_tell):
            names.setdefault(word, (word,))
        elif _TWO_DIGITS.fullmatch(word) and question[end : match.start()] == " ":
            if before.isalpha() and before in names:
                del names[before]
                names[f"{before} {word}"] = (before, word)
            elif before.casefold() in _BEFORE_NUMBERS:
                names[f"{before} {word}"] = (word,)
        before, end = word, match.end()
    return names


def _is_name(word: str, *, starts: bool, capitals_tell: bool) -> bool:
    if _DIGIT.search(word):
        return _PLAIN_NUMBER.fullmatch(word) is None
    folded = word.casefold()
    if folded in STOP_WORDS or is_everyday(folded):
        return False
    if any(letter.isupper() for letter in word[1:]):
        return capitals_tell or not word.isupper()
    return capitals_tell and word[0].isupper() and not starts


def _is_mentioned(name: str, texts: Sequence[str], pieces: Collection[str]) -> bool:
    """Tell whether a text has the name: whole, in its parts, in another form or misspelt."""
    if _TWO_DIGITS.fullmatch(name):
        return _has_number(name, texts)
    if all(_has(part.casefold(), texts, pieces) for part in name.split("-") if part):
        return True
    parts = camel_parts(name)
    return bool(parts) and all(_has(part.casefold(), texts, pieces) for part in parts)


def _has(part: str, texts: Sequence[str], pieces: Collection[str]) -> bool:
    if _PLAIN_NUMBER.fullmatch(part):
        return True
    if _DIGIT.search(part):
        return _has_number(part.removeprefix("v"), texts)
    return all(any(_is_same(word, piece) for piece in pieces) for word in pieces_of(part))


def _has_number(number: str, texts: Sequence[str]) -> bool:
    whole = re.compile(rf"(?<![\d.]){re.escape(number)}(?!\d)")
    return any(whole.search(text) for text in texts)


def _is_same(word: str, other: str) -> bool:
    """Tell whether two words are forms of one, or one is short for the other."""
    if root(word) == root(other) or is_misspelt(word, other):
        return True
    shorter, longer = sorted((word, other), key=len)
    is_start = longer.startswith(shorter) and len(shorter) >= _SHORTEST_START
    return is_start and len(shorter) >= _START_SHARE * len(longer)
