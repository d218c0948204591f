"""Holdfast through its Python API, with precomputed vectors."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import holdfast
from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.recall.question import terms_of
from holdfast.domain.values import replace
from holdfast.surfaces.python.api import MemoryStore
from holdfast.surfaces.python.keeping import as_wish

_MODEL = EmbeddingModel(name="given-vectors", dimension=384)
_BUDGET = 4_000
_NUMBER = re.compile(r"item ([0-9]+)\.$")


class Given:
    """An embedder that returns precomputed vectors."""

    def __init__(self) -> None:
        self.model = _MODEL
        # The value of the model that made these vectors.
        self.unrelated = 0.1
        self.next = b""
        self.was_asked = False

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return no vector: vectors are stored directly, in the batch that stores the texts."""
        return [[] for _ in texts]

    def ask(self, question: str) -> Vector:
        """Return the vector of the current question."""
        del question
        self.was_asked = True
        return Vector(model=_MODEL, values=self.next)


class Ours:
    """A store in its own folder; the group of a text is its tag."""

    def __init__(self, folder: Path) -> None:
        self._given = Given()
        opened = holdfast.open(home=folder, folder=folder)
        self._app = replace(opened.app, embedder=self._given)
        self._silent = replace(opened.app, embedder=None)
        self._memory = MemoryStore(self._app)

    @property
    def remark(self) -> str:
        """Return a note if the figures are not of a hybrid recall."""
        return (
            "" if self._given.was_asked else "answered by words alone: recall asked for no vector"
        )

    def add(self, batch: Batch) -> None:
        from holdfast.usecases.screening import (  # noqa: PLC0415 - a question needs none of it
            SecretPolicy,
        )

        wishes = [
            as_wish(
                text,
                {"scope": "global", "because": "made for measuring", "tags": [group]},
                self._app.principal,
            )
            for _, text, group in batch.rows()
        ]
        # Among a million texts a few look like secrets; one refusal would stop the filling.
        kept = self._silent.memories.remember_all(
            [replace(wish, secrets=SecretPolicy.REDACT) for wish in wishes]
        )
        vectors = {
            one.record.memory.id: [Vector(model=_MODEL, values=vector.tobytes())]
            for one, vector in zip(kept, batch.vectors, strict=True)
        }
        assert len(vectors) == len(batch.texts), "texts were taken for one another"
        with self._app.store.writing(self._app.clock.now()) as tx:
            tx.finding.meaning.put(_MODEL, vectors)

    def finish(self) -> None:
        """Ask once, so that the vector file is built now and not at the first question."""
        self.nearest(Asked(text="", vector=array("f", [1.0] + [0.0] * 383)))

    def recall(self, asked: Asked) -> list[int]:
        self._given.next = asked.vector.tobytes()
        tags = [asked.group] if asked.group else []
        found = self._memory.recall(asked.text, limit=LIMIT, tags=tags, budget=_BUDGET)
        return _numbers(found.records[item.memory_id].memory.claim for item in found.bundle.items)

    def find(self, asked: Asked) -> list[int]:
        """Return the results of both searches, fused by rank: no more than the other stores do."""
        within, question = self._within(asked), _vector(asked)
        with self._app.store.reading() as tx:
            words = tx.finding.words.search(terms_of(asked.text), within, limit=POOL)
            near = tx.finding.meaning.search(question, within, limit=POOL).hits
            best = fused([hit.sequence for hit in words], [hit.sequence for hit in near])
            records = tx.finding.around.read(best)
        return _numbers(record.memory.claim for record in records)

    def nearest(self, asked: Asked) -> list[int]:
        with self._app.store.reading() as tx:
            near = tx.finding.meaning.search(_vector(asked), self._within(asked), limit=LIMIT)
            hits = near.hits
            records = tx.finding.around.read([hit.sequence for hit in hits])
        return _numbers(record.memory.claim for record in records)

    def _within(self, asked: Asked) -> Selection:
        place = self._app.surroundings.place()
        return Selection(
            space=place.space,
            place=place,
            recallable_at=self._app.clock.now(),
            tags=frozenset({asked.group} if asked.group else ()),
        )

    def close(self) -> None:
        self._memory.close()


def _vector(asked: Asked) -> Vector:
    return Vector(model=_MODEL, values=asked.vector.tobytes())


def _numbers(claims: Iterable[str]) -> list[int]:
    found = (_NUMBER.search(claim) for claim in claims)
    return [int(match[1]) for match in found if match]


def open_peer(folder: Path) -> Ours:
    """Open a memory."""
    return Ours(folder)
