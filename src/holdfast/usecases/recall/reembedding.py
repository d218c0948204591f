"""Embed all memories again with the same model, while the stored vectors stay in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import BadCursorError
from holdfast.usecases.recall.recalled_memories import put_vectors

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


def _slice(store: Store, beyond: Cursor | None) -> Slice[MemoryRecord]:
    """Return the next memories; a mark that another store made counts as none."""
    with store.reading() as tx:
        try:
            return tx.memories.find(Selection(), _page(beyond))
        except BadCursorError:
            return tx.memories.find(Selection(), _page(None))


def _page(beyond: Cursor | None) -> Page:
    return Page(limit=_STEP, beyond=beyond, oldest_first=True)
