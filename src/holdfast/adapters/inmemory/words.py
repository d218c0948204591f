"""The keyword index of the in-memory store."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection, reaches
from holdfast.domain.recall.finding import (
    Hit,
    TermCounts,
)
from holdfast.domain.recall.question import inner_words
from holdfast.domain.text.words import stem

_PIECE = re.compile(r"[^\W_]+")
_KNOWN_TEXTS = 4_096
_RAREST = 8
_SATURATION = 1.2
_LENGTH_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class _Page:
    record: MemoryRecord
    stems: tuple[str, ...]

    def times(self, phrase: tuple[str, ...]) -> int:
        """Return how often the stems of a term occur here in sequence."""
        width = len(phrase)
        starts = range(len(self.stems) - width + 1)
        return sum(self.stems[start : start + width] == phrase for start in starts)


@dataclass(frozen=True, slots=True)
class InMemoryWords:
    """The keyword index, computed from the memories on every search."""

    state: InMemoryState

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches first; among equal ones, the memory that was added first."""
        pages = self._pages()
        phrases = {phrase for term in terms if (phrase := _phrase(term))}
        weights: dict[int, float] = {}
        for phrase in phrases:
            times = {number: page.times(phrase) for number, page in enumerate(pages)}
            for number, score in _bm25(times, pages).items():
                weights[number] = weights.get(number, 0.0) + score
        hits = [
            Hit(sequence=pages[number].record.sequence, score=score)
            for number, score in weights.items()
            if within.takes(pages[number].record)
        ]
        hits.sort(key=lambda hit: (-hit.score, hit.sequence))
        return tuple(hits[:limit])

    def search_each(
        self, questions: Sequence[Sequence[str]], within: Selection, *, limit: int
    ) -> Sequence[Sequence[Hit]]:
        """Return the best matches of each question."""
        return tuple(self.search(terms, within, limit=limit) for terms in questions)

    def counts(self, terms: Collection[str], *, place: Place | None = None) -> TermCounts:
        """Return how many memories contain each term, counted exactly."""
        pages = self._pages()
        phrases = {term: _phrase(term) for term in terms}
        holding = {
            term: float(sum(bool(page.times(phrase)) for page in pages) if phrase else 0)
            for term, phrase in phrases.items()
        }
        reaching = [one for one in pages if place is None or reaches(one.record, place)]
        return TermCounts(memories=len(pages), reaching=len(reaching), holding=holding)

    def mentioning(
        self, phrases: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories that contain each phrase; the common phrases are left out."""
        pages = self._pages()
        found: dict[str, tuple[int, ...]] = {}
        for text in phrases:
            phrase = _phrase(text)
            holding = [page.record for page in pages if phrase and page.times(phrase)]
            if len(holding) <= limit:
                taken = [record.sequence for record in holding if within.takes(record)]
                found[text] = tuple(sorted(taken))
        return {text: taken for text, taken in found.items() if taken}

    def alike(self, claim: str, within: Selection, *, limit: int) -> Sequence[MemoryRecord]:
        """Return the memories that share most of the claim's rarest words, closest first."""
        pages = self._pages()
        spread = Counter(stem for page in pages for stem in set(page.stems))
        known = sorted(set(stems_of(claim)) & set(spread), key=lambda stem: (spread[stem], stem))
        rarest = set(known[:_RAREST])
        shared = {
            page.record.sequence: len(rarest & set(page.stems))
            for page in pages
            if within.takes(page.record)
        }
        alike = [page.record for page in pages if shared.get(page.record.sequence)]
        alike.sort(key=lambda record: (-shared[record.sequence], record.sequence))
        return tuple(alike[:limit])

    def expect(self, memories: Sequence[Memory]) -> None:
        """Do nothing: everything is in memory."""

    def alike_each(
        self, claims: Sequence[str], within: Selection, *, limit: int
    ) -> Sequence[Sequence[MemoryRecord]]:
        """Return the memories that may be the same claim as each of these."""
        return tuple(self.alike(claim, within, limit=limit) for claim in claims)

    def _pages(self) -> list[_Page]:
        return [
            _Page(record=record, stems=stems_of(_text(record)))
            for record in self.state.memories.values()
        ]


@lru_cache(maxsize=_KNOWN_TEXTS)
def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of a text in order: its words, then the words inside them."""
    pieces = [*_PIECE.findall(text), *inner_words(text)]
    return tuple(stem(piece.casefold()) for piece in pieces)


def _phrase(term: str) -> tuple[str, ...]:
    return tuple(stem(piece.casefold()) for piece in _PIECE.findall(term))


def _text(record: MemoryRecord) -> str:
    memory = record.memory
    return "\n".join((memory.claim, memory.key or "", *memory.tags))


def _bm25(times: dict[int, int], pages: Sequence[_Page]) -> dict[int, float]:
    found = {number: count for number, count in times.items() if count}
    rarity = math.log(1 + (len(pages) - len(found) + 0.5) / (len(found) + 0.5))
    usual = sum(len(page.stems) for page in pages) / max(1, len(pages))
    scores: dict[int, float] = {}
    for number, count in found.items():
        length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(pages[number].stems) / usual
        scores[number] = rarity * count * (_SATURATION + 1) / (count + _SATURATION * length)
    return scores
