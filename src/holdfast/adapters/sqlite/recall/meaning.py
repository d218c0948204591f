"""Searches memories by meaning: an index scans, then the stored vectors give the score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json, sequence_in, sliced
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.embeddings import (
    KnownModel,
    SqliteVectors,
    add_model,
    known_model,
    known_models,
    move_completeness,
    put_vectors,
)
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.memory.memory_rows import restricts_nothing
from holdfast.adapters.sqlite.recall.indexes import Indexes
from holdfast.domain.errors import BadVectorError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Cursor, Selection, Slice
from holdfast.domain.recall.directions import direction, kept_bytes, question_bytes, rounded
from holdfast.domain.recall.finding import EmbeddingModel, Hit, ModelUse, Nearest, NearHits, Vector
from holdfast.ports.store.upkeep import OutsideIndex, ReplacedIndex

if TYPE_CHECKING:
    from holdfast.ports.store.finding import VectorStore

_UNKNOWN_MODEL = 0
_DEPTH, _DEEPER = 64, 8
_WEIGHED_AT_ONCE = 128


class SqliteMeaning:
    """The vectors of one transaction, and the index over them."""

    least_depth = _DEPTH
    """How many candidates a search asks its index for, if it wants few."""

    def __init__(self, work: Work, memories: SqliteMemories, indexes: Indexes) -> None:
        self.work = work
        self.memories = memories
        self._indexes = indexes
        self._models_known: dict[str, KnownModel] = {}
        self._asked: tuple[Vector, bytes] | None = None
        self._likened: tuple[Vector, Mapping[int, float | None]] | None = None

    def models(self) -> Sequence[ModelUse]:
        """Return the models by name, and how many memories each covers."""
        found = known_models(self.work)
        self._models_known = {known.model.name: known for known in found}
        return tuple([ModelUse(model=known.model, memories=known.memories) for known in found])

    def lacking(self, model: str, *, beyond: Cursor | None, limit: int) -> Slice[MemoryRecord]:
        """Return memories without a vector of that model, by sequence."""
        seen = 0 if beyond is None else sequence_in(beyond)
        known = self._named(model)
        if known is not None and known.complete_to >= self.work.last_sequence():
            return Slice()
        number = _UNKNOWN_MODEL if known is None else known.number
        after = seen if known is None else max(seen, known.complete_to)
        rows = self.work.rows("lacking", (number, after, max(0, limit)))
        sequences = [row[0] for row in rows]
        return sliced(self.memories.read(sequences), last=sequences[-1] if sequences else None)

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Store the vectors of existing memories; they replace earlier ones."""
        self.work.moment()
        known = known_model(model.name, self.work)
        if known is not None and known.model != model:
            raise BadVectorError(
                problem=f"{model.name} makes {known.model.dimension:,} numbers,"
                f" not {model.dimension:,}."
            )
        kept = {memory_id: kept_bytes(parts, model) for memory_id, parts in vectors.items()}
        known = known or add_model(model, self.work)
        rows = self.work.rows("sequences_of", (as_json(list(kept)),))
        put_vectors(known.number, {sequence: kept[name] for name, sequence in rows}, self.work)
        move_completeness(known.number, self.work)
        self.work.did.add("vectors.put")

    def drop(self, model: str) -> int:
        """Remove all vectors of a model; return how many memories had one."""
        self.work.moment()
        known = known_model(model, self.work)
        if known is None:
            return 0
        index = self._indexes.of(known.number)
        if isinstance(index, OutsideIndex):
            index.discard(self.source(known))
        for name in ("drop_model_vectors", "drop_model_changes", "drop_model"):
            self.work.run(name, known.number)
        self.work.did.add("vectors.dropped")
        return known.memories

    def search(
        self, question: Vector, within: Selection, *, limit: int, beside: Collection[int] = ()
    ) -> NearHits:
        """Return the nearest memories; among equal ones, the one added first.

        The vectors of those beside them are read with the vectors of the nearest.
        """
        known = self._known(question)
        if known is None or limit <= 0:
            return NearHits()
        among = self.memories.few(within, limit=limit)
        asked = self._bytes_of(question, known.model)
        source, index = self.source(known), self._indexes.of(known.number)
        weighing = _Weighing(asked, source, index, limit, beside)
        hits = self._nearest(weighing, within, among=among, limit=limit)
        self._likened = (question, weighing.cosines)
        note = index.failure if isinstance(index, ReplacedIndex) else ""
        if not weighing.is_exact:
            return NearHits(hits=hits, is_exact=False, looked_at=weighing.looked_at, note=note)
        many = known.memories if among is None else min(known.memories, len(among))
        return NearHits(hits=hits, looked_at=many, note=note)

    def source(self, known: KnownModel) -> SqliteVectors:
        """Return the vectors of a model as this transaction sees them."""
        return SqliteVectors(known, self.work)

    def _nearest(
        self, weighing: _Weighing, within: Selection, *, among: list[int] | None, limit: int
    ) -> tuple[Hit, ...]:
        depth = max(self.least_depth, 2 * limit)
        near = weighing.nearest(among=among, limit=depth)
        if len(near.found) <= weighing.first:
            # Most selections take nearly every memory, so it is enough to filter the best ones.
            weighing.add(self._likely(near, within, limit=limit))
            if weighing.is_settled_by(near):
                return weighing.best()
        while True:
            fresh = weighing.not_seen(near)
            weighing.weigh(self._taken(fresh, within, limit=len(fresh)), near)
            if weighing.is_settled_by(near):
                return weighing.best()
            depth *= _DEEPER
            near = weighing.nearest(among=among, limit=depth)

    def _likely(self, near: Nearest, within: Selection, *, limit: int) -> list[int]:
        """Return the candidates of the selection that can be among the best of this scan."""
        sequences = [sequence for sequence, _ in near.found]
        taken = self._taken(sequences, within, limit=2 * limit)
        if len(taken) < limit:
            return taken
        # A cosine of the scan is off by the slack at most, that of the last one wanted too.
        about = dict(near.found)
        least = about[taken[limit - 1]] - 2 * near.slack
        likely = [sequence for sequence in taken if about[sequence] >= least]
        last = sequences.index(taken[-1])
        rest = [sequence for sequence in sequences[last + 1 :] if about[sequence] >= least]
        is_due = len(taken) == 2 * limit and rest
        return likely + self._taken(rest, within, limit=len(rest)) if is_due else likely

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory with a vector of the question's model."""
        known = self._known(question)
        if known is None:
            return {}
        likened: Mapping[int, float | None] = {}
        if self._likened is not None and self._likened[0] is question and not self.work.may_write:
            likened = self._likened[1]
        found = {one: likened[one] for one in sequences if one in likened}
        if fresh := [one for one in sequences if one not in likened]:
            asked = self._bytes_of(question, known.model)
            kept = self.source(known).vectors(fresh)
            cosines = self._indexes.of(known.number).likeness(asked, kept)
            found |= {sequence: rounded(cosine) for sequence, cosine in cosines.items()}
        return {sequence: cosine for sequence, cosine in found.items() if cosine is not None}

    def _taken(self, sequences: list[int], within: Selection, *, limit: int) -> list[int]:
        if restricts_nothing(within):
            return sequences[:limit]
        return self.memories.among(sequences, within, limit=limit)

    def _known(self, question: Vector) -> KnownModel | None:
        known = self._named(question.model.name)
        if known is None:
            direction(question, question.model)
        return known

    def _named(self, name: str) -> KnownModel | None:
        """Return the model with that name; a read transaction looks it up once."""
        known = self._models_known.get(name)
        if known is None or self.work.may_write:
            known = known_model(name, self.work)
            if known is not None:
                self._models_known[name] = known
        return known

    def _bytes_of(self, question: Vector, model: EmbeddingModel) -> bytes:
        """Return a question's vector in the form of the indexes, cached for repeated calls.

        The model with a name can change only in a transaction that can write vectors.
        """
        if self._asked is None or self._asked[0] is not question or self.work.may_write:
            self._asked = (question, question_bytes(question, model))
        return self._asked[1]


class _Weighing:
    """Scores the candidates of one question by their stored vectors, as far as needed."""

    def __init__(
        self,
        asked: bytes,
        source: SqliteVectors,
        index: VectorStore,
        limit: int,
        beside: Collection[int],
    ) -> None:
        self._asked = asked
        self._source = source
        self._index = index
        self._limit = limit
        self._beside = set(beside)
        self.cosines: dict[int, float | None] = {}
        """The cosine of every memory whose vector was looked for; None if it has none."""
        self.first = max(_DEPTH, limit)
        self.is_exact, self.looked_at = True, 0
        self._seen: set[int] = set()
        self._weighed: dict[int, float] = {}
        self._cosines: dict[int, float] = {}

    def nearest(self, *, among: list[int] | None, limit: int) -> Nearest:
        """Return the candidates of the index; the last of several scans is the deepest."""
        near = self._index.nearest(self._asked, self._source, among=among, limit=limit)
        self.is_exact, self.looked_at = near.is_exact, near.looked_at
        return near

    def not_seen(self, near: Nearest) -> list[int]:
        """Return the candidates that are new in this scan, nearest first."""
        fresh = [sequence for sequence, _ in near.found if sequence not in self._seen]
        self._seen.update(fresh)
        return fresh

    def weigh(self, fresh: list[int], near: Nearest) -> None:
        """Score those that can still be among the best."""
        if len(fresh) <= _WEIGHED_AT_ONCE:
            self.add(fresh)
            return
        self.add(fresh[: self.first])
        about = dict(near.found)
        least = self._least() - near.slack
        self.add([sequence for sequence in fresh[self.first :] if about[sequence] >= least])

    def is_settled_by(self, near: Nearest) -> bool:
        """Return whether no memory outside this scan can be among the best."""
        if near.is_all:
            return True
        return self._least() > near.found[-1][1] + near.slack

    def best(self) -> tuple[Hit, ...]:
        """Return the best scored candidates."""
        hits = [Hit(sequence=number, score=cosine) for number, cosine in self._cosines.items()]
        hits.sort(key=lambda hit: (-hit.score, hit.sequence))
        return tuple(hits[: self._limit])

    def add(self, sequences: list[int]) -> None:
        """Score candidates that the selection takes."""
        self._weigh(sequences)
        scored = self._weighed
        self._cosines.update({one: scored[one] for one in sequences if one in scored})

    def _weigh(self, sequences: list[int]) -> None:
        if fresh := [sequence for sequence in sequences if sequence not in self._weighed]:
            wanted = list(dict.fromkeys([*fresh, *self._beside]))
            self._beside.clear()
            cosines = self._index.likeness(self._asked, self._source.vectors(wanted))
            found = {sequence: rounded(cosine) for sequence, cosine in cosines.items()}
            self.cosines |= dict.fromkeys(wanted) | found
            self._weighed |= {sequence: found[sequence] for sequence in fresh if sequence in found}

    def _least(self) -> float:
        """Return the cosine that another memory must reach to be among the best."""
        if len(self._cosines) < self._limit:
            return -2.0
        return sorted(self._cosines.values(), reverse=True)[self._limit - 1]
