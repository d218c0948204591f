"""Searches memories by meaning: every vector is compared, so none can be missed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.cursors import sequence_in, sliced
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import BadVectorError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Cursor, Selection, Slice
from holdfast.domain.recall.directions import (
    direction,
    kept_bytes,
    likeness,
    question_bytes,
    rounded,
)
from holdfast.domain.recall.finding import EmbeddingModel, Hit, ModelUse, NearHits, Vector


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

    def search(self, question: Vector, within: Selection, *, limit: int) -> NearHits:
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
