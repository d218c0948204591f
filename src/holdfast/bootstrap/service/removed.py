"""Stores that were removed from a server after they had been opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Selection

if TYPE_CHECKING:
    from holdfast.ports.store.store import Store


def refuse_removed(store: Store) -> None:
    """Return if the store is still there: the rows of one that was removed are only missing.

    Raises:
        NoSuchStoreError: It was removed from the server.
    """
    with store.reading() as tx:
        tx.memories.count(Selection())
