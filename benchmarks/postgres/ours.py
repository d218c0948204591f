"""The product: a batch of claims as ``remember_all`` keeps it, and then its vectors."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from datetime import UTC, datetime

import holdfast
from benchmarks.postgres.copied import copy_ours
from benchmarks.postgres.designs import Vectors, id_of
from benchmarks.postgres.material import DIMENSION, TOP
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.values import replace
from holdfast.surfaces.python.api import MemoryStore

_MODEL = EmbeddingModel(name="measured", dimension=DIMENSION)


class _Given:
    """An embedder whose vector of the next question is given."""

    model = _MODEL
    unrelated = 0.0
    vector = Vector(model=_MODEL, values=b"")

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Refuse: every memory has its vector."""
        raise NoMeaningError(problem=f"{len(texts)} memories have no vector.")

    def ask(self, question: str) -> Vector:
        """Return the given vector."""
        del question
        return self.vector


class Holdfast:
    """The product: a batch of claims as ``remember_all`` keeps it, and then its vectors."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opened: dict[str, MemoryStore] = {}
        self._given = _Given()

    def prepare(self, tenants: Sequence[str]) -> None:
        """Open a store for each tenant."""
        for tenant in tenants:
            os.environ["HOLDFAST_TENANT"] = id_of(tenant)
            self._opened[tenant] = holdfast.open(store=self._address, as_="person")

    def add(self, tenant: str, first: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep the claims with all checks of the product, and their vectors."""
        memory = self._opened[tenant]
        kept = memory.remember_all(list(texts), scope="global", because="made for measuring")
        records = [one.record for one in kept]
        # A row is recognised by its sequence.
        assert [one.sequence - 1 for one in records] == list(range(first, first + len(records)))
        packed = {
            record.memory.id: [_vector(vector)]
            for record, vector in zip(records, vectors, strict=True)
        }
        with memory.app.store.writing(datetime.now(UTC)) as tx:
            tx.finding.meaning.put(_MODEL, packed)

    def copy(self, owner: str, tenant: str, vectors: Vectors) -> None:
        """Keep one claim with its vector; copy the other vectors into the tables."""
        self.add(tenant, 0, ["The first row was made for measuring."], vectors[:1])
        copy_ours(owner, id_of(tenant), vectors)

    def keep(self, tenant: str, texts: Sequence[str]) -> None:
        """Keep the claims with all checks of the product, without vectors."""
        kept = self._opened[tenant].remember_all
        kept(list(texts), scope="global", because="made for measuring")

    def nearest(self, tenant: str, question: Vectors) -> list[int]:
        """Search by meaning, as recall does."""
        asked = _vector(question)
        with self._opened[tenant].app.store.reading() as tx:
            found = tx.finding.meaning.search(asked, Selection(), limit=TOP)
        return [hit.sequence - 1 for hit in found.hits]

    def recall(self, tenant: str, question: str, vector: Vectors | None = None) -> None:
        """Answer a question as ``holdfast recall`` does: by words, or also by meaning."""
        memory = self._opened[tenant]
        by_words = memory.app
        if vector is not None:
            self._given.vector = _vector(vector)
            memory.app = replace(by_words, embedder=self._given)
        memory.recall(question)
        memory.app = by_words


def _vector(numbers: Vectors) -> Vector:
    return Vector(model=_MODEL, values=struct.pack(f"<{DIMENSION}f", *numbers))
