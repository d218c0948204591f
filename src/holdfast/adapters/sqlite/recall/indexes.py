"""The vector indexes of a store, one for each model, opened on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.ports.store.upkeep import CheckedIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.store.finding import VectorStore

    OpenIndex = Callable[[str], VectorStore | None]


class Indexes:
    """Opens each index once; without an index to open, vectors are read one by one."""

    def __init__(self, place: str, opener: OpenIndex | None) -> None:
        self._place = place
        self._opener = opener
        self._open: dict[int, VectorStore] = {}

    def of(self, model: int) -> VectorStore:
        """Return the index of a model."""
        index = self._open.get(model)
        if index is None:
            place = f"{self._place}-{model}"
            opened = None if self._opener is None else self._opener(place)
            index = self._open[model] = _plain(place) if opened is None else opened
        return index

    def notices(self) -> tuple[str, ...]:
        """Return messages about damaged indexes; the answers stayed correct."""
        checked = [index for index in self._open.values() if isinstance(index, CheckedIndex)]
        return tuple(notice for index in checked for notice in index.notices)

    def close(self) -> None:
        """Close every index; a second call does nothing."""
        while self._open:
            self._open.popitem()[1].close()


def _plain(place: str) -> VectorStore:
    from holdfast.adapters.sqlite.recall.plain_index import PlainIndex

    return PlainIndex(place)
