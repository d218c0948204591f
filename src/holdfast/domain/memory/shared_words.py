"""Find texts that say nearly the same words as a claim, wherever they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_SHARE = 0.6
"""The share of a sentence's words that another one must contain; chosen by hand."""
_FEWEST = 2
_LONGEST = 2_000
"""A longer text contains most words of a short claim by chance, so only its sentences count."""
_CODE = re.compile(r"(?!(?:19|20)\d\d$)(?=.*\d).{4,}")
"""A word with a digit, which is no year."""
_MOST_TERMS, _MOST_SEARCHES = 32, 64


@dataclass(frozen=True, slots=True)
class SharedWords:
    """The words of claims, by the sentence.

    A text says nearly the same if one of its sentences contains most words of a sentence of a
    claim, or if it contains one of their codes: a word with a digit, such as a number, a host or
    an amount.
    """

    sentences: tuple[frozenset[str], ...]
    codes: frozenset[str]
    searches: tuple[tuple[str, ...], ...]
    """The words of each sentence as they were written, for a search."""

    @classmethod
    def of(cls, claims: Iterable[str]) -> SharedWords:
        """Return the words of claims."""
        parts = dict.fromkeys(part for claim in claims for part in _parts(claim))
        sentences = dict.fromkeys(map(_stems, parts))
        searches = dict.fromkeys(tuple(dict.fromkeys(telling_words(part))) for part in parts)
        return cls(
            tuple(one for one in sentences if len(one) >= _FEWEST),
            frozenset(word for part in parts for word in _words(part) if _CODE.fullmatch(word)),
            tuple(one[:_MOST_TERMS] for one in searches if one)[:_MOST_SEARCHES],
        )

    def are_in(self, text: str) -> bool:
        """Tell whether a text says nearly the same words."""
        if self.codes.intersection(_words(text)):
            return True
        return any(
            len(ours & theirs) >= max(_FEWEST, _SHARE * len(ours))
            for theirs in map(_stems, _parts(text))
            for ours in self.sentences
        )


def _parts(text: str) -> list[str]:
    """Return the sentences of a text, and the text itself if it is short."""
    sentences = _SENTENCE.split(text)
    return [text, *sentences] if len(text) <= _LONGEST else sentences


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, telling_words(text)))


def telling_words(text: str) -> list[str]:
    """Return the words of a text that name something, in small letters."""
    return [word for word in _words(text) if word not in STOP_WORDS]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
