"""The search ports, all implemented by a scan of every memory.

The context of a hit, computed from the memories on every question.

Searches memories by meaning: every vector is compared, so none can be missed.

Searches memories by their words: every search reads all memories, so no index can be stale.

The ranking weights of spaces, in every version.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.said import InMemorySaidSearch
from holdfast.adapters.inmemory.state import InMemoryState, sequence_in, sliced
from holdfast.adapters.inmemory.words import InMemoryWords
from holdfast.domain.errors import BadVectorError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import MemoryRecord
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
    ThreadPosition,
    Vector,
    turn_of,
)
from holdfast.domain.recall.learning import Tuning


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
