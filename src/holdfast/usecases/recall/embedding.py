"""Create vectors for memories: read and embed without a lock, write in short transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Selection
from holdfast.domain.values import dataclass
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.recall.finding import EmbeddingModel, ModelUse, Vector
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.embedder import Embedder
    from holdfast.ports.store.store import Store
    from holdfast.ports.store.upkeep import Progress

# Chosen by hand.
_STEP = 64
_MUCH_BETTER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """The number of memories that got a vector, and whether all have one now."""

    memories: int
    is_complete: bool


def embedded_text(memory: Memory) -> str:
    """Return the text of a memory for embedding: its key, if any, and its claim."""
    return f"{memory.key}: {memory.claim}" if memory.key else memory.claim


def catch_up(
    *,
    store: Store,
    clock: Clock,
    embedder: Embedder,
    most: int | None = None,
    progress: Progress | None = None,
    patience: float | None = None,
) -> CaughtUp:
    """Embed at most ``most`` memories without a vector of this model; may be stopped any time.

    ``patience`` limits the wait for other writers, as for ``Store.writing``.
    """
    done, beyond = 0, None
    total = 0 if progress is None else _uncovered(store, embedder)
    while most is None or done < most:
        step = _STEP if most is None else min(_STEP, most - done)
        with store.reading() as tx:
            lacking = tx.finding.meaning.lacking(embedder.model.name, beyond=beyond, limit=step)
        if not lacking:
            return CaughtUp(memories=done, is_complete=True)
        vectors = _embedded(lacking, embedder)
        _put(vectors, model=embedder.model, store=store, at=clock.now(), patience=patience)
        done += len(lacking)
        beyond = lacking.beyond
        if progress is not None:
            progress(done, max(total, done))
    with store.reading() as tx:
        left = tx.finding.meaning.lacking(embedder.model.name, beyond=beyond, limit=1)
    return CaughtUp(memories=done, is_complete=not left)


@repeatable
def _put(
    vectors: Mapping[MemoryId, Sequence[Vector]],
    *,
    model: EmbeddingModel,
    store: Store,
    at: datetime,
    patience: float | None,
) -> None:
    with store.writing(at, patience=patience) as tx:
        tx.finding.meaning.put(model, vectors)


def _uncovered(store: Store, embedder: Embedder) -> int:
    with store.reading() as tx:
        uses = {use.model.name: use.memories for use in tx.finding.meaning.models()}
        return tx.memories.count(Selection()) - uses.get(embedder.model.name, 0)


def _embedded(
    lacking: Sequence[MemoryRecord], embedder: Embedder
) -> dict[MemoryId, Sequence[Vector]]:
    vectors = embedder.embed([embedded_text(record.memory) for record in lacking])
    return {record.memory.id: own for record, own in zip(lacking, vectors, strict=True)}


def answering(embedders: Sequence[Embedder], uses: Sequence[ModelUse]) -> Embedder:
    """Return the model for questions: the chosen one, or an older one that covers far more.

    The first is the chosen one. After a change of model the old vectors remain in use until the
    new ones have caught up; vectors of two models are never mixed.
    """
    covered = {use.model.name: use.memories for use in uses}
    chosen = embedders[0]
    fullest = max(embedders, key=lambda one: covered.get(one.model.name, 0))
    enough = _MUCH_BETTER * covered.get(chosen.model.name, 0)
    return fullest if covered.get(fullest.model.name, 0) > enough else chosen
