"""How certainly memories answer a question, compared with each other.

A score says which hit is the best; it does not say that any hit answers the question. That takes
evidence on an absolute scale: shared content words, weighted by their rarity in the store, and a
similarity above the level that chance reaches among so many memories.

The rule is linear, with the few numbers of ``_Levels``; decisions 116 and 160 say how they were
fitted.
``python -m benchmarks.silence`` checks them.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from holdfast.domain.recall.question import inner_words, pieces_of
from holdfast.domain.recall.relevance import (
    has_root,
    is_everyday,
    is_misspelt,
    may_be_misspelt,
    rarity,
    root,
    text_of,
)
from holdfast.domain.text.languages import is_in
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.relevance import QuestionWords


_KNOWN_TEXTS = 4_096
SURE = 1.0
"""The strength from which a memory answers by itself; one such memory makes an answer."""
RATHER_SURE = 1.5
"""The strength from which an answer is not in doubt.

Without it, an answer has few items, and ``recall.deep=auto`` reads the best of them again.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Levels:
    """What counts towards an answer, and how much of it is needed.

    ``share`` weights the share of the question's words that a memory contains, ``rarest`` how rare
    the rarest of them is in the store, ``named`` that the question contains the memory's title.
    The need grows by ``growth`` with the logarithm of the number of memories that can reach the
    question, because the maximum of many chance hits is larger, and by ``unknown`` with the share
    of words that no memory contains; by ``crowded`` too, if the words in common are common ones and
    other memories are as near.
    """

    share: float
    rarest: float
    named: float
    least: float
    growth: float
    most: float
    unknown: float
    crowded: float


# Fitted with kelp on questions in other words than their memory, on questions about something else,
# and on the sets of ``benchmarks.silence``, by a grid (decision 160).
_WITH_MEANING = _Levels(
    share=0.3, rarest=0.09, named=0.12, least=0.18, growth=0.045, most=0.33,
    unknown=0.12, crowded=1.0,
)  # fmt: skip
# Fitted on questions asked of their own store, where they have an answer, and of other stores,
# where they have none: the first set of ``benchmarks.silence`` at three sizes, near misses over a
# changelog, and samples of the development halves of LoCoMo, BEAM, MuSiQue, CoSQA and SDE-bench
# (decision 116). A logistic regression gave the proportions, a grid around it the levels.
_BY_WORDS = _Levels(
    share=1.0, rarest=0.2, named=0.12, least=0.23, growth=0.03, most=0.45,
    unknown=0.0, crowded=0.0,
)  # fmt: skip
_NEARLY_AS_MUCH = 0.93
_CROWD = 2
_RARE = 0.8
_COMMON = 0.4
_SMALL_STORE = 15
_EVERYDAY_ALONE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTerms:
    """What a memory shares with a question, and how much of it is needed.

    ``doubt`` is needed in addition if other memories share as much through the same ``words``:
    then the question is about something else that all of them are near to.
    """

    amount: float
    needed: float
    doubt: float = 0.0
    words: frozenset[str] = frozenset()


def strengths(ties: Sequence[SharedTerms]) -> list[float]:
    """Return how certainly each memory answers; ``SURE`` or more is enough by itself."""
    return [tie.amount / (tie.needed + tie.doubt * _crowding(tie, ties)) for tie in ties]


def _crowding(tie: SharedTerms, ties: Sequence[SharedTerms]) -> float:
    """Return 0 for a memory that stands out, 1 for one of several that are equally near."""
    if not tie.doubt:
        return 0.0
    least = _NEARLY_AS_MUCH * tie.amount
    alike = sum(other.words >= tie.words and other.amount >= least for other in ties) - 1
    return min(alike / _CROWD, 1.0)


class ComparedWords:
    """The words of a question, prepared once for the comparison with many memories."""

    __slots__ = (
        "_by_words",
        "_everyday",
        "_initials",
        "_most_rare",
        "_roots",
        "_total",
        "_with_meaning",
        "_words",
    )

    def __init__(self, words: QuestionWords) -> None:
        self._words = words
        self._roots = [(word, root(word)) for word in words.weights]
        self._everyday = frozenset([word for word in words.weights if is_everyday(word)])
        self._initials = {word[0] for word in words.unknown if may_be_misspelt(word)}
        self._total = sum(words.weights.values())
        self._most_rare = rarity(0, words.memories)
        self._by_words = _BY_WORDS, _needed(_BY_WORDS, words.reaching)
        self._with_meaning = _WITH_MEANING, _needed(_WITH_MEANING, words.reaching)

    def held(self, text: str) -> list[str]:
        """Return the question's words that a text contains in any form, or misspelt."""
        folded, parts, roots = _read(text)
        likely = self._likely_misspelt(folded, parts)
        unknown = self._words.unknown
        return [
            word
            for word, short in self._roots
            if short in roots
            or has_root(folded, short)
            or (likely and word in unknown and any(is_misspelt(word, one) for one in likely))
        ]

    def tie(
        self,
        record: MemoryRecord,
        *,
        cosine: float | None,
        unrelated: float,
        is_named: bool = False,
        is_turn: bool = False,
    ) -> SharedTerms:
        """Return what a memory shares with the question, and how much it needs to answer it.

        Question words that no memory contains raise the need, because the question is probably
        about something else; not for a turn, because a conversation repeats few words. Without a
        cosine, everyday words alone are never enough.
        """
        text = text_of(record)
        weights = self._words.weights
        words = self.held(text)
        levels, needed = self._by_words if cosine is None else self._with_meaning
        telling = frozenset(words) - self._everyday
        rarest = max([weights[word] for word in telling], default=0.0) / self._most_rare
        amount = (
            levels.share * self.share(sum([weights[word] for word in words]))
            + levels.rarest * rarest
            + levels.named * is_named
        )
        if cosine is None:
            is_telling = telling or len(self._everyday) == len(weights)
            amount = amount if is_telling else min(amount, _EVERYDAY_ALONE * needed)
        else:
            amount += self._likeness(cosine, text, unrelated)
        unknown = 0.0 if is_turn else self._unknown_share(words)
        doubt = levels.crowded * unknown * _commonness(rarest) if telling else 0.0
        return SharedTerms(
            amount=amount, needed=needed + levels.unknown * unknown, doubt=doubt, words=telling
        )

    def _likely_misspelt(self, folded: str, parts: Iterable[str]) -> list[str]:
        """Return the words of a text that begin like an unknown word of the question."""
        if not self._initials:
            return []
        return [word for word in (*pieces_of(folded), *parts) if word[0] in self._initials]

    def _likeness(self, cosine: float, text: str, unrelated: float) -> float:
        """Return the part of the cosine above that of unrelated texts.

        A model with an English vocabulary takes any two texts of another language for similar.
        """
        words = self._words
        if words.foreign is not None and words.language and is_in(words.language, text):
            unrelated = words.foreign
        return (cosine - unrelated) / (1.0 - unrelated)

    def _unknown_share(self, held: Collection[str]) -> float:
        """Return the share of the question's weight in words that no memory contains."""
        missing = self._words.unknown.difference(held)
        weights = self._words.weights
        return self.share(sum([weights[word] for word in missing if word not in self._everyday]))

    def held_by(self, text: str) -> float:
        """Return the total weight of the question's words that occur in a text."""
        return sum([self._words.weights[word] for word in self.held(text)])

    def share(self, held: float) -> float:
        """Return the share of the question's total weight."""
        return held / self._total if self._total > 0 else 0.0


@lru_cache(maxsize=_KNOWN_TEXTS)
def _read(text: str) -> tuple[str, tuple[str, ...], frozenset[str]]:
    """Return a text in lower case, the words inside its words, and the roots of these."""
    parts = tuple([part.casefold() for part in inner_words(text)])
    return text.casefold(), parts, frozenset([root(part) for part in parts])


def _needed(levels: _Levels, reaching: int) -> float:
    """Return what chance does not reach; it grows with the number of memories to choose from."""
    grown = log(max(reaching, _SMALL_STORE) / _SMALL_STORE)
    return min(levels.most, levels.least + levels.growth * grown)


def _commonness(rarest: float) -> float:
    """Return 1 if even the rarest word is common in this store, 0 if it is rare."""
    return max(0.0, min(1.0, (_RARE - rarest) / (_RARE - _COMMON)))
