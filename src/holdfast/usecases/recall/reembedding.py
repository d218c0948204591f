"""Embed all memories again with the same model, while the stored vectors stay in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import BadCursorError
from holdfast.usecases.recall.recalled_memories import put_vectors
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Cursor, Slice
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.recall.reembedding import ReembeddingMark
    from holdfast.ports.store.store import Store
    from holdfast.ports.store.upkeep import Progress

_STEP = 64


def embed_again(
    *, store: Store, clock: Clock, embedder: Embedder, mark: ReembeddingMark, progress: Progress
) -> int:
    """Replace the vectors of every memory; return how many memories this run embedded.

    Each slice replaces its vectors in one transaction, so questions are answered all the time, and
    from vectors of one model. A run that was stopped is continued by the next one.
    """
    beyond, done = mark.read(), 0
    with store.reading() as tx:
        total = tx.memories.count(Selection())
    while records := _slice(store, beyond):
        put_vectors(records, embedder=embedder, store=store, at=clock.now())
        beyond = records.beyond
        mark.write(beyond)
        done += len(records)
        progress(done, max(total, done))
    mark.write(None)
    return done


@repeatable
def drop_vectors(name: str, *, chosen: Embedder | None, store: Store, clock: Clock) -> int:
    """Remove the vectors of a model in all its versions; return how many memories had one.

    Raises:
        BadFieldError: The model is the chosen one.
        NoSuchError: No model of that name has vectors.
    """
    with store.writing(clock.now()) as tx:
        uses = tx.finding.meaning.models()
        found = [use.model.name for use in uses if _is_of(name, use.model.name)]
        if chosen is not None and chosen.model.name in found:
            raise BadFieldError(
                field=f"model '{name}'", problem="is in use; choose another one first."
            )
        if not found:
            raise NoSuchError(noun="model with vectors", reference=name)
        return sum(tx.finding.meaning.drop(one) for one in found)


def _is_of(name: str, stored: str) -> bool:
    """Return whether vectors are of a model: a name is followed by its version, host or size."""
    return stored == name or stored.startswith((f"{name}@", f"{name}/"))


def _slice(store: Store, beyond: Cursor | None) -> Slice[MemoryRecord]:
    """Return the next memories; a mark that another store made counts as none."""
    with store.reading() as tx:
        try:
            return tx.memories.find(Selection(), _page(beyond))
        except BadCursorError:
            return tx.memories.find(Selection(), _page(None))


def _page(beyond: Cursor | None) -> Page:
    return Page(limit=_STEP, beyond=beyond, oldest_first=True)
