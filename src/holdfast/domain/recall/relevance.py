"""Decide whether a memory answers a question at all.

A score says which hit is the best; it does not say that any hit answers the question. That takes
evidence on an absolute scale: shared content words, weighted by their rarity in the store, and a
similarity above the level that chance reaches in a store of this size.

The rule is linear, with the few numbers of ``_Levels``; decision 116 says how they were fitted.
``python -m benchmarks.silence`` checks them.

Compute how certainly memories answer a question, compared with each other.

Everyday words.
"""

from __future__ import annotations

from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from holdfast.domain.recall.question import inner_words, is_particle, piece_at, pieces_of, terms_of
from holdfast.domain.text.languages import function_words_in, is_in, language_of
from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.finding import TermCounts


SURE = 1.0
"""The strength from which a memory answers by itself; one such memory makes an answer."""

_KNOWN_ROOTS = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class _Levels:
    """What counts towards an answer, and how much of it is needed.

    ``share`` weights the share of the question's words that a memory contains, ``rarest`` how rare
    the rarest of them is in the store, ``named`` that the question contains the memory's title.
    The need grows by ``growth`` with the logarithm of the store's size, because the maximum of
    many chance hits is larger, and by ``unknown`` with the share of words that no memory contains;
    by ``crowded`` too, if the words in common are common ones and other memories are as near.
    """

    share: float
    rarest: float
    named: float
    least: float
    growth: float
    most: float
    unknown: float
    crowded: float


# Fitted on questions asked of their own store, where they have an answer, and of other stores,
# where they have none: the first set of ``benchmarks.silence`` at three sizes, near misses over a
# changelog, and samples of the development halves of LoCoMo, BEAM, MuSiQue, CoSQA and SDE-bench
# (decision 116). A logistic regression gave the proportions, a grid around it the levels.
_WITH_MEANING = _Levels(
    share=0.35, rarest=0.12, named=0.12, least=0.255, growth=0.04, most=0.385,
    unknown=0.08, crowded=1.0,
)  # fmt: skip
_BY_WORDS = _Levels(
    share=1.0, rarest=0.2, named=0.12, least=0.23, growth=0.03, most=0.45,
    unknown=0.0, crowded=0.0,
)  # fmt: skip
_NEARLY_AS_MUCH = 0.93
_CROWD = 2
_RARE = 0.8
_COMMON = 0.4


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


EVERYDAY = frozenset({
    "actually", "add", "added", "adds", "allow", "allowed", "allows", "already", "always",
    "another", "anybody", "anyone", "anything", "around", "ask", "asked", "away", "back", "bad",
    "begin", "best", "better", "big", "bring", "build", "buy", "call", "called", "came", "case",
    "cases", "change", "changed", "changes", "check", "come", "comes", "common", "correct", "cost",
    "costs", "create", "current", "currently", "day", "days", "default", "different", "down",
    "easy", "end", "ends", "enough", "everybody", "everyone", "everything", "exactly", "example",
    "fact", "fall", "fast", "faster", "feel", "few", "file", "files", "find", "fine", "first",
    "follow", "form", "found", "full", "gave", "general", "give", "given", "gives", "go", "goes",
    "going", "gone", "good", "great", "group", "happen", "happened", "happens", "hard", "help",
    "high", "hold", "holds", "hour", "hours", "idea", "important", "include", "instead", "issue",
    "keep", "keeps", "kept", "kind", "knew", "know", "known", "knows", "large", "last", "later",
    "learn", "least", "left", "less", "level", "like", "likely", "line", "lines", "list", "little",
    "live", "long", "longer", "look", "looks", "lot", "low", "made", "main", "make", "makes",
    "making", "matter", "maybe", "mean", "means", "meet", "minute", "minutes", "moment", "morning",
    "move", "name", "names", "need", "needed", "needs", "never", "new", "newer", "next", "nice",
    "nobody", "none", "normal", "nothing", "now", "number", "numbers", "often", "old", "older",
    "once", "one", "ones", "open", "order", "orders", "own", "part", "parts", "pay", "people",
    "person", "place", "play", "point", "possible", "problem", "process", "public", "put", "quite",
    "rather", "read", "real", "really", "remove", "removed", "removes", "require", "reset", "right",
    "run", "runs", "safe", "said", "saw", "say", "says", "second", "see", "seem", "seems", "seen",
    "send", "set", "sets", "several", "short", "show", "shown", "shows", "simple", "single", "sit",
    "small", "somebody", "someone", "something", "soon", "sort", "speak", "stand", "start",
    "starts", "state", "stay", "stays", "step", "still", "stop", "support", "supported", "supports",
    "sure", "take", "taken", "takes", "talk", "tell", "thing", "things", "think", "third",
    "thought", "time", "times", "today", "together", "told", "tomorrow", "took", "top", "total",
    "tried", "true", "try", "turn", "two", "type", "understand", "usual", "usually", "value",
    "values", "wait", "walk", "want", "wanted", "wants", "watch", "way", "ways", "week", "weeks",
    "well", "went", "whole", "word", "words", "work", "working", "works", "world", "write", "wrong",
    "year", "years", "yesterday", "young",
})  # fmt: skip
"""Everyday words: one of them alone does not connect a memory with a question."""


_SMALL_STORE = 15
_EVERYDAY_SHARE = 0.4
_EVERYDAY_ALONE = 0.5
_TELLING_DIGITS = 3
_FEW_MEMORIES = 200
_SHORTEST_SLIP = 5
_ONE_SLIP = 6
_TWO_SLIPS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """The content words of a question, and the weight of each in this store.

    ``unknown`` are words that no memory contains: each may be a misspelling of one that a memory
    does contain.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    memories: int = 0
    language: str = ""
    """The language of the question, empty for English."""
    foreign: float | None = None
    """The cosine of two unrelated texts that are not English."""

    def held_by(self, text: str) -> float:
        """Return the total weight of the question's words that occur in a text."""
        return sum(self.weights[word] for word in self._held(text))

    def _held(self, text: str) -> list[str]:
        """Return the question's words that a text contains in any form, or misspelt."""
        folded = text.casefold()
        parts = [part.casefold() for part in inner_words(text)]
        roots = {root(part) for part in parts}
        likely = self._likely_misspelt(folded, parts)
        return [
            word
            for word in self.weights
            if (short := root(word)) in roots
            or _has_root(folded, short)
            or (likely and word in self.unknown and any(is_misspelt(word, one) for one in likely))
        ]

    def _likely_misspelt(self, folded: str, parts: Iterable[str]) -> list[str]:
        """Return the words of a text that begin like an unknown word of the question."""
        initials = {word[0] for word in self.unknown if _may_be_misspelt(word)}
        if not initials:
            return []
        return [word for word in (*pieces_of(folded), *parts) if word[0] in initials]

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
        words = self._held(text)
        levels = _WITH_MEANING if cosine is not None else _BY_WORDS
        telling = frozenset(word for word in words if not _is_everyday(word))
        rarest = self._rarest(telling)
        amount = (
            levels.share * self.share(sum(self.weights[word] for word in words))
            + levels.rarest * rarest
            + levels.named * is_named
        )
        needed = self._needed(levels)
        if cosine is None:
            is_telling = telling or all(map(_is_everyday, self.weights))
            amount = amount if is_telling else min(amount, _EVERYDAY_ALONE * needed)
        else:
            amount += self._likeness(cosine, text, unrelated)
        unknown = 0.0 if is_turn else self._unknown_share(words)
        doubt = levels.crowded * unknown * _commonness(rarest) if telling else 0.0
        return SharedTerms(
            amount=amount, needed=needed + levels.unknown * unknown, doubt=doubt, words=telling
        )

    def _likeness(self, cosine: float, text: str, unrelated: float) -> float:
        """Return the part of the cosine above that of unrelated texts.

        A model with an English vocabulary takes any two texts of another language for similar.
        """
        if self.foreign is not None and self.language and is_in(self.language, text):
            unrelated = self.foreign
        return (cosine - unrelated) / (1.0 - unrelated)

    def _needed(self, levels: _Levels) -> float:
        """Return what chance does not reach; it grows with the store's size."""
        grown = log(max(self.memories, _SMALL_STORE) / _SMALL_STORE)
        return min(levels.most, levels.least + levels.growth * grown)

    def _rarest(self, words: Collection[str]) -> float:
        """Return how rare the rarest of the words is in this store, from 0 to 1."""
        return max((self.weights[word] for word in words), default=0.0) / _rarity(0, self.memories)

    def _unknown_share(self, held: Collection[str]) -> float:
        """Return the share of the question's weight in words that no memory contains."""
        missing = self.unknown.difference(held)
        return self.share(sum(self.weights[word] for word in missing if not _is_everyday(word)))

    def share(self, held: float) -> float:
        """Return the share of the question's total weight."""
        asked = sum(self.weights.values())
        return held / asked if asked > 0 else 0.0


def _commonness(rarest: float) -> float:
    """Return 1 if even the rarest word is common in this store, 0 if it is rare."""
    return max(0.0, min(1.0, (_RARE - rarest) / (_RARE - _COMMON)))


def asked_words(terms: Iterable[str], text: str) -> tuple[str, ...]:
    """Return the content words of a question, without the function words of its language."""
    words, empty = content_words(terms), function_words_in(text)
    return tuple(word for word in words if word not in empty) or words


def subject_of(
    words: Iterable[str], counts: TermCounts, *, text: str = "", foreign: float | None = None
) -> QuestionWords:
    """Weight the content words of a question by how few memories contain them.

    ``text`` is the whole question, and ``foreign`` the cosine of unrelated texts of its language,
    if that is not English.
    """
    weights = {
        word: _rarity(counts.holding.get(word, 0), counts.memories)
        * (_EVERYDAY_SHARE if _is_everyday(word) else 1.0)
        for word in words
    }
    return QuestionWords(
        weights=weights,
        unknown=frozenset(word for word in weights if not counts.holding.get(word, 0)),
        memories=counts.memories,
        language=language_of(text),
        foreign=foreign,
    )


def plain_subject(text: str) -> QuestionWords:
    """Return the content words of a text without rarity weights."""
    words = content_words(terms_of(text))
    return QuestionWords(
        weights={word: _EVERYDAY_SHARE if _is_everyday(word) else 1.0 for word in words}
    )


def content_words(terms: Iterable[str]) -> tuple[str, ...]:
    """Return the content words of the terms, each once; identifiers are split into parts."""
    pieces = dict.fromkeys(piece for term in terms for piece in pieces_of(term))
    words = tuple(piece for piece in pieces if piece not in STOP_WORDS)
    return tuple(word for word in words if not is_particle(word)) or words


def telling_terms(text: str) -> tuple[str, ...]:
    """Return the search terms of a text without its stop words."""
    empty = function_words_in(text)
    terms = tuple(term for term in terms_of(text) if content_words([term]))
    return tuple(term for term in terms if term not in empty) or terms


def text_of(record: MemoryRecord) -> str:
    """Return the text of a memory whose words count: its claim, its key, its label and its tags."""
    memory = record.memory
    return " ".join((memory.claim, memory.key or "", record.standing.label or "", *memory.tags))


def _has_root(folded: str, wanted: str) -> bool:
    """Tell whether a word of a text in lower case has this root.

    A root is the start of its word. Searching for it is much faster than the root of every word.
    """
    start = folded.find(wanted)
    while start >= 0:
        if not folded[start - 1 : start].isalnum() and root(piece_at(folded, start)) == wanted:
            return True
        start = folded.find(wanted, start + 1)
    return False


@lru_cache(maxsize=_KNOWN_ROOTS)
def root(word: str) -> str:
    """Return the common root of a word's forms: deploys, deploy; running, run."""
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is", "ies"))
    short = stem(word[:-1] if is_plural and len(word) > len("yes") else word)
    if len(short) > len("xxx") and (short[-1] in "eiy" or short[-1] == short[-2]):
        return short[:-1]
    return short


def is_misspelt(word: str, other: str) -> bool:
    """Tell whether a word is a misspelling of another: a letter added, missing, wrong or swapped.

    Short words are too similar to each other: with five letters only a swap counts.
    """
    if word[0] != other[:1] or not _may_be_misspelt(word):
        return False
    most = 1 + (len(word) >= _TWO_SLIPS)
    # A slip changes at most two of the letters that occur.
    if abs(len(word) - len(other)) > most or len({*word} ^ {*other}) > 2 * most:
        return False
    if len(word) < _ONE_SLIP:
        return sorted(word) == sorted(other) and _slips(word, other) == 1
    return 0 < _slips(word, other) <= most


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= _SHORTEST_SLIP and word.isalpha()


def _slips(word: str, other: str) -> int:
    """Return the optimal string alignment distance: edits, with a swap of neighbours as one."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, start=1):
        now = [row]
        for column, second in enumerate(other, start=1):
            cost = min(last[column] + 1, now[column - 1] + 1, last[column - 1] + (letter != second))
            is_swap = (
                before and column > 1 and (letter, word[row - 2]) == (other[column - 2], second)
            )
            now.append(min(cost, before[column - 2] + 1) if is_swap else cost)
        before, last = last, now
    return last[-1]


def _is_everyday(word: str) -> bool:
    return root(word) in _everyday() or (word.isdigit() and len(word) < _TELLING_DIGITS)


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    return frozenset(root(word) for word in EVERYDAY)


def _rarity(holding: float, memories: int) -> float:
    """Return the weight of a word that ``holding`` of all memories contain.

    A few memories say little about how common a word is: a store of ten memories that are all
    about tokens does not make "token" a common word.
    """
    return log((max(memories, _FEW_MEMORIES, holding) + 1) / (holding + 0.5))
