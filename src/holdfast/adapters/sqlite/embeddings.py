"""Vectors as they are kept: the truth that every vector index is made from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from holdfast.adapters.sqlite.rows import Row, as_json
from holdfast.domain.finding import EmbeddingModel, VectorChange

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.sqlite.work import Work

_TOKEN_BYTES = 8
_TOKEN_BITS = 63
_STORE_ID = "store_id"
_DAMAGED_VECTORS = (
    "Some vectors in the store are damaged; their memories are found by words only."
    " Run 'holdfast doctor --repair': it drops them, and they are computed again."
)


class KnownModel(NamedTuple):
    """A model that vectors are kept of: its number here, and how far it has come."""

    number: int
    model: EmbeddingModel
    memories: int
    complete_to: int


def known_models(work: Work) -> list[KnownModel]:
    """Return the models by name."""
    return [_known(row) for row in work.rows("models")]


def known_model(name: str, work: Work) -> KnownModel | None:
    """Return the model of that name."""
    row = work.row("model_named", name)
    return None if row is None else _known(row)


def add_model(model: EmbeddingModel, work: Work) -> KnownModel:
    """Note a model that vectors will be kept of."""
    number = work.rows("add_model", (model.name, model.dimension))[0][0]
    return KnownModel(number, model, 0, 0)


def put_vectors(model: int, sequence: int, kept: bytes, work: Work) -> None:
    """Keep the vectors of a memory in place of those it had."""
    if work.row("has_embedding", model, sequence) is None:
        work.run("count_one_more", model, 1)
    work.run("put_embedding", model, sequence, kept, crc32(kept))
    log_change(model, sequence, work)


def remove_vectors(sequence: int, work: Work) -> None:
    """Remove the vectors of a memory, of whatever model."""
    for (model,) in work.rows("models_of", (sequence,)):
        work.run("drop_embedding", model, sequence)
        work.run("count_one_more", model, -1)
        log_change(model, sequence, work)


def log_change(model: int, sequence: int, work: Work) -> None:
    """Say that the vectors of a memory changed, for indexes that follow."""
    token = int.from_bytes(os.urandom(_TOKEN_BYTES)) >> (8 * _TOKEN_BYTES - _TOKEN_BITS)
    work.run("log_embedding", model, sequence, token)


def move_completeness(model: int, work: Work) -> None:
    """Note how far every memory has vectors, so that nobody looks there again for one without."""
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
        self._work = work
        self.dimension = known.model.dimension

    @property
    def store_id(self) -> str:
        """Which store this is."""
        return self._work.meta(_STORE_ID) or ""

    @property
    def is_settled(self) -> bool:
        """Tell whether all of it is committed: a unit of work may still be undone."""
        return not self._work.may_write

    def last(self) -> VectorChange | None:
        """Return the newest change."""
        row = self._work.row("last_embedding_change", self._model)
        return None if row is None else _change(row)

    def changes(self, *, beyond: int, limit: int) -> Sequence[VectorChange]:
        """Return the changes after a number, in order."""
        return [
            _change(row)
            for row in self._work.rows("embedding_changes", (self._model, beyond, limit))
        ]

    def vectors(self, sequences: Collection[int]) -> Mapping[int, bytes]:
        """Return the vectors of memories; a damaged one is left out and noticed."""
        wanted = as_json(list(sequences))
        rows = self._work.rows("embeddings_of", (self._model, wanted))
        sound = {seq: kept for seq, kept, crc in rows if crc32(kept) == crc}
        if len(sound) != len(rows):
            self._work.noticed.add(_DAMAGED_VECTORS)
        return sound

    def holds(self, change: VectorChange) -> bool:
        """Tell whether the store has this change now; asked beside the transaction."""
        from holdfast.adapters.sqlite.beside import seen_beside

        row = seen_beside(self._work, "embedding_change_at", (self._model, change.number))
        return row is not None and _change(row) == change


def _change(row: Row) -> VectorChange:
    return VectorChange(number=row[0], sequence=row[1], token=row[2])
