"""The stored vectors, from which every vector index is built."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from holdfast.adapters.sqlite.database.rows import Row, as_json
from holdfast.domain.recall.finding import EmbeddingModel, VectorChange

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.sqlite.database.work import Work

_TOKEN_BYTES = 8
_TOKEN_BITS = 63
_STORE_ID = "store_id"
_DAMAGED_VECTORS = (
    "Some vectors in the store are damaged; their memories are found by words only."
    " Run 'holdfast doctor --repair': it drops them, and they are computed again."
)


class KnownModel(NamedTuple):
    """A model with stored vectors: its number, coverage and newest change."""

    number: int
    model: EmbeddingModel
    memories: int
    complete_to: int
    newest: VectorChange | None = None
    store_id: str | None = None


def known_models(work: Work) -> list[KnownModel]:
    """Return the models, ordered by name."""
    return [_known(row) for row in work.rows("models")]


def known_model(name: str, work: Work) -> KnownModel | None:
    """Return the model with that name, or None."""
    row = work.row("model_named", name)
    if row is None:
        return None
    work.note_last(row[6])
    newest = None if row[7] is None else _change(row[7:])
    return _known(row)._replace(newest=newest, store_id=row[5])


def add_model(model: EmbeddingModel, work: Work) -> KnownModel:
    """Register a model, before its vectors are stored."""
    number = work.rows("add_model", (model.name, model.dimension))[0][0]
    return KnownModel(number, model, 0, 0)


def put_vectors(model: int, kept: Mapping[int, bytes], work: Work) -> None:
    """Store the vectors of memories, by sequence; they replace earlier ones."""
    sequences = list(kept)
    had = work.rows("count_embedded", (model, as_json(sequences)))[0][0]
    rows = [(sequence, values, crc32(values)) for sequence, values in kept.items()]
    work.run("put_embeddings", model, as_json(rows))
    work.run("count_more", model, len(rows) - had)
    log_changes(model, sequences, work)


def remove_vectors(sequence: int, work: Work) -> None:
    """Remove the vectors of a memory, for all models."""
    for (model,) in work.rows("models_of", (sequence,)):
        work.run("drop_embedding", model, sequence)
        work.run("count_more", model, -1)
        log_changes(model, [sequence], work)


def log_changes(model: int, sequences: Sequence[int], work: Work) -> None:
    """Log that the vectors of memories changed; the vector indexes read this log."""
    work.run("log_embeddings", model, as_json([(one, _token()) for one in sequences]))


def _token() -> int:
    return int.from_bytes(os.urandom(_TOKEN_BYTES)) >> (8 * _TOKEN_BYTES - _TOKEN_BITS)


def move_completeness(model: int, work: Work) -> None:
    """Store up to which sequence every memory has vectors, so that ``lacking`` starts there."""
    row = next(row for row in work.rows("models") if row[0] == model)
    bare = work.row("lacking", model, row[4], 1)
    reached = work.next_sequence() - 1 if bare is None else int(bare[0]) - 1
    if reached > row[4]:
        work.run("move_completeness", model, reached)


def _known(row: Row) -> KnownModel:
    model = EmbeddingModel(name=row[1], dimension=row[2])
    return KnownModel(row[0], model, row[3], row[4])


class SqliteVectors:
    """The vectors of one model as one unit of work sees them."""

    def __init__(self, known: KnownModel, work: Work) -> None:
        self._model = known.number
        self._newest = known.newest
        self._store_id = known.store_id
        self._work = work
        self.dimension = known.model.dimension

    @property
    def store_id(self) -> str:
        """The id of the store."""
        return self._store_id or self._work.meta(_STORE_ID) or ""

    @property
    def is_settled(self) -> bool:
        """Whether everything is committed: a unit of work may still be undone."""
        return not self._work.may_write

    def last(self) -> VectorChange | None:
        """Return the newest change; a read transaction takes it from the row of the model."""
        if self._newest is not None and not self._work.may_write:
            return self._newest
        row = self._work.row("last_embedding_change", self._model)
        return None if row is None else _change(row)

    def changes(self, *, beyond: int, limit: int) -> Sequence[VectorChange]:
        """Return the changes after a number, in order."""
        last = None if self._work.may_write else self._newest
        if last is not None and beyond >= last.number:
            return ()
        return [
            _change(row)
            for row in self._work.rows("embedding_changes", (self._model, beyond, limit))
        ]

    def vectors(self, sequences: Collection[int]) -> Mapping[int, bytes]:
        """Return the vectors of memories; a damaged one is left out and reported."""
        wanted = as_json(list(sequences))
        rows = self._work.rows("embeddings_of", (self._model, wanted))
        sound = {seq: kept for seq, kept, crc in rows if crc32(kept) == crc}
        if len(sound) != len(rows):
            self._work.noticed.add(_DAMAGED_VECTORS)
        return sound

    def holds(self, change: VectorChange) -> bool:
        """Return whether the store has this change now, read on a second connection."""
        from holdfast.adapters.sqlite.database.beside import seen_beside

        row = seen_beside(self._work, "embedding_change_at", (self._model, change.number))
        return row is not None and _change(row) == change


def _change(row: Row) -> VectorChange:
    return VectorChange(number=row[0], sequence=row[1], token=row[2])
