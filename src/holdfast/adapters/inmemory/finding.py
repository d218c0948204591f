"""The search ports, all implemented by a scan of every memory.

The context of a hit, computed from the memories on every question.

Searches memories by meaning: every vector is compared, so none can be missed.

Searches memories by their words: every search reads all memories, so no index can be stale.

The ranking weights of spaces, in every version.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from holdfast.adapters.inmemory.said import InMemorySaidSearch
from holdfast.adapters.inmemory.state import InMemoryState, sequence_in, sliced
from holdfast.domain.errors import BadVectorError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.naming import names_of, plain_name
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.memory.selection import Cursor, Selection, Slice
from holdfast.domain.recall.directions import (
    direction,
    kept_bytes,
    likeness,
    question_bytes,
    rounded,
)
from holdfast.domain.recall.finding import (
    EmbeddingModel,
    Hit,
    ModelUse,
    NearHits,
    TermCounts,
    ThreadPosition,
    Vector,
    turn_of,
)
from holdfast.domain.recall.learning import Tuning
from holdfast.domain.recall.question import inner_words
from holdfast.domain.text.words import stem


@dataclass(frozen=True, slots=True)
class InMemoryAround:
    """Records, threads and names."""

    state: InMemoryState

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the requested order."""
        known = {record.sequence: record for record in self.state.memories.values()}
        return tuple(known[sequence] for sequence in sequences if sequence in known)

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return each memory's position in its thread."""
        wanted = set(sequences)
        return {number: turn for number, turn in self._turns().items() if number in wanted}

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return memories of the same threads, at most ``reach`` turns away."""
        places = self.turns(sequences).values()
        taken = {record.sequence for record in self._taken(within)} - set(sequences)
        return {
            number: turn
            for number, turn in self._turns().items()
            if number in taken and any(_is_near(turn, place, reach) for place in places)
        }

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of those threads that are short."""
        taken = {record.sequence for record in self._taken(within)}
        found: dict[int, ThreadPosition] = {}
        for thread in threads:
            said = {number: turn for number, turn in self._turns().items() if turn.thread == thread}
            if any(turn.number >= shorter for turn in said.values()):
                continue
            order = sorted(
                (turn.number, number) for number, turn in said.items() if number in taken
            )
            found |= {number: said[number] for _, number in order[-last:]}
        return dict(sorted(found.items()))

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories with each name, by sequence."""
        bearers: dict[str, list[int]] = {}
        for record in self._taken(within):
            for name in names_of(record.memory):
                bearers.setdefault(name, []).append(record.sequence)
        found = {name: tuple(bearers.get(plain_name(name), ())) for name in names}
        return {name: who for name, who in found.items() if 0 < len(who) <= limit}

    def keyed(
        self, keys: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[MemoryRecord]]:
        """Return the newest memories with each key."""
        found: dict[str, list[MemoryRecord]] = {}
        for record in sorted(self._taken(within), key=lambda one: -one.sequence):
            if record.memory.key is not None and record.memory.key in keys:
                found.setdefault(record.memory.key, []).append(within.view.seen(record))
        return {key: tuple(records[:limit]) for key, records in found.items()}

    def _taken(self, within: Selection) -> list[MemoryRecord]:
        return [record for record in self.state.memories.values() if within.takes(record)]

    def _turns(self) -> dict[int, ThreadPosition]:
        records = self.state.memories.values()
        turns = {record.sequence: turn_of(record.memory) for record in records}
        return {number: turn for number, turn in turns.items() if turn is not None}


def _is_near(turn: ThreadPosition, place: ThreadPosition, reach: int) -> bool:
    return turn.thread == place.thread and abs(turn.number - place.number) <= reach


@dataclass(frozen=True, slots=True)
class InMemoryMeaning:
    """The vectors by model and memory."""

    state: InMemoryState

    def models(self) -> Sequence[ModelUse]:
        """Return the models by name, and how many memories each covers."""
        return tuple(
            ModelUse(model=model, memories=len(self._covered(name)))
            for name, model in sorted(self.state.models.items())
        )

    def lacking(self, model: str, *, beyond: Cursor | None, limit: int) -> Slice[MemoryRecord]:
        """Return memories without a vector of that model, by sequence."""
        covered, after = self._covered(model), 0 if beyond is None else sequence_in(beyond)
        bare = [
            record
            for memory_id, record in self.state.memories.items()
            if memory_id not in covered and record.sequence > after
        ]
        return sliced(bare[: max(0, limit)])

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Store the vectors of existing memories; they replace earlier ones."""
        self.state.moment()
        known = self.state.models.get(model.name, model)
        if known != model:
            raise BadVectorError(
                problem=f"{model.name} makes {known.dimension:,} numbers, not {model.dimension:,}."
            )
        kept = {memory_id: kept_bytes(parts, model) for memory_id, parts in vectors.items()}
        self.state.models[model.name] = model
        for memory_id, values in kept.items():
            if memory_id in self.state.memories:
                self.state.vectors[model.name, memory_id] = values

    def drop(self, model: str) -> int:
        """Remove all vectors of a model; return how many memories had one."""
        self.state.moment()
        covered = self._covered(model)
        self.state.models.pop(model, None)
        for memory_id in covered:
            del self.state.vectors[model, memory_id]
        return len(covered)

    def search(
        self,
        question: Vector,
        within: Selection,
        *,
        limit: int,
        beside: Collection[int] = (),
    ) -> NearHits:
        """Return the nearest memories; among equal ones, the one added first."""
        taken = [record for record in self.state.memories.values() if within.takes(record)]
        cosines = self.likeness(question, [record.sequence for record in taken])
        hits = [Hit(sequence=sequence, score=cosine) for sequence, cosine in cosines.items()]
        hits.sort(key=lambda hit: (-hit.score, hit.sequence))
        return NearHits(hits=tuple(hits[: max(0, limit)]), looked_at=len(hits))

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory with a vector of the question's model."""
        model = self.state.models.get(question.model.name)
        if model is None:
            direction(question, question.model)
            return {}
        asked = question_bytes(question, model)
        wanted = set(sequences)
        return {
            record.sequence: rounded(likeness(asked, self.state.vectors[model.name, memory_id]))
            for memory_id, record in self.state.memories.items()
            if record.sequence in wanted and (model.name, memory_id) in self.state.vectors
        }

    def _covered(self, model: str) -> set[MemoryId]:
        return {memory_id for name, memory_id in self.state.vectors if name == model}


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

    def counts(self, terms: Collection[str]) -> TermCounts:
        """Return how many memories contain each term, counted exactly."""
        pages = self._pages()
        phrases = {term: _phrase(term) for term in terms}
        holding = {
            term: float(sum(bool(page.times(phrase)) for page in pages) if phrase else 0)
            for term, phrase in phrases.items()
        }
        return TermCounts(memories=len(pages), holding=holding)

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


@dataclass(frozen=True, slots=True)
class InMemoryTunings:
    """Tunings by space and version."""

    state: InMemoryState

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space."""
        return next(iter(reversed(self.history(space))), None)

    def put(self, tuning: Tuning) -> None:
        """Write a version."""
        self.state.moment()
        self.state.tunings[tuning.space, tuning.version] = tuning
        self.state.record("weights.put", f"{tuning.space} {tuning.version}", tuning)

    def history(self, space: SpaceId) -> Sequence[Tuning]:
        """Return every version of a space, oldest first."""
        own = [tuning for tuning in self.state.tunings.values() if tuning.space == space]
        return tuple(sorted(own, key=lambda tuning: tuning.version))


class InMemoryFinding:
    """Search by words and by meaning, the context of hits, and the ranking weights."""

    def __init__(self, state: InMemoryState) -> None:
        self.words = InMemoryWords(state)
        self.meaning = InMemoryMeaning(state)
        self.around = InMemoryAround(state)
        self.tunings = InMemoryTunings(state)
        self.said = InMemorySaidSearch(state)
