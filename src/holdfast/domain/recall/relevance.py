"""The content words of a question: their weights, their roots, misspellings, everyday words."""

from __future__ import annotations

from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from holdfast.domain.recall.question import is_particle, piece_at, pieces_of, terms_of
from holdfast.domain.text.languages import function_words_in, language_of
from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.finding import TermCounts


_KNOWN_ROOTS = 16_384


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


_EVERYDAY_SHARE = 0.4
_TELLING_DIGITS = 3
_FEW_MEMORIES = 200
_SHORTEST_SLIP, _LONGEST_SLIP = 5, 40
_ONE_SLIP = 6
_TWO_SLIPS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """The content words of a question, and the weight of each in this store.

    ``unknown`` are words that no memory contains: each may be a misspelling of one that a memory
    does contain. ``memories`` are all of the store, ``reaching`` those that can reach the question.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    memories: int = 0
    reaching: int = 0
    language: str = ""
    """The language of the question, empty for English."""
    foreign: float | None = None
    """The cosine of two unrelated texts that are not English."""


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
        word: rarity(counts.holding.get(word, 0), counts.memories)
        * (_EVERYDAY_SHARE if is_everyday(word) else 1.0)
        for word in words
    }
    return QuestionWords(
        weights=weights,
        unknown=frozenset(word for word in weights if not counts.holding.get(word, 0)),
        memories=counts.memories,
        reaching=counts.reaching,
        language=language_of(text),
        foreign=foreign,
    )


def plain_subject(text: str) -> QuestionWords:
    """Return the content words of a text without rarity weights."""
    words = content_words(terms_of(text))
    return QuestionWords(
        weights={word: _EVERYDAY_SHARE if is_everyday(word) else 1.0 for word in words}
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


def has_root(folded: str, wanted: str) -> bool:
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
    if word[0] != other[:1] or not may_be_misspelt(word):
        return False
    most = 1 + (len(word) >= _TWO_SLIPS)
    # A slip changes at most two of the letters that occur.
    if abs(len(word) - len(other)) > most or len({*word} ^ {*other}) > 2 * most:
        return False
    if len(word) < _ONE_SLIP:
        return sorted(word) == sorted(other) and _slips(word, other) == 1
    return 0 < _slips(word, other) <= most


def may_be_misspelt(word: str) -> bool:
    """Tell whether a word is long enough for a misspelling of it to be recognised."""
    return _SHORTEST_SLIP <= len(word) <= _LONGEST_SLIP and word.isalpha()


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


def is_everyday(word: str) -> bool:
    """Tell whether a word is an everyday word or a short number: neither tells a subject."""
    return root(word) in _everyday() or (word.isdigit() and len(word) < _TELLING_DIGITS)


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    return frozenset(root(word) for word in EVERYDAY)


def rarity(holding: float, memories: int) -> float:
    """Return the weight of a word that ``holding`` of all memories contain.

    A few memories say little about how common a word is: a store of ten memories that are all
    about tokens does not make "token" a common word.
    """
    return log((max(memories, _FEW_MEMORIES, holding) + 1) / (holding + 0.5))
