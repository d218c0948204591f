"""The open stores of the memory service: some stay open, and none is closed while it is used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.domain.service.ids import StoreId, StoreOwner


class _Lent:
    """A store, open or about to be opened, and how many calls use it now."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.holdfast: Holdfast | None = None
        self.users = 0

    def close_idle(self) -> None:
        """Close the store if nobody uses it."""
        if self.holdfast is not None and not self.users:
            self.holdfast.close()


class OpenStores:
    """Opens each store once; closes the least recently used ones that nobody uses."""

    def __init__(self, opened: Callable[[StoreOwner], Holdfast], *, most_idle: int) -> None:
        self._opened = opened
        self._most_idle = most_idle
        self._lock = threading.Lock()
        self._lent: OrderedDict[StoreId, _Lent] = OrderedDict()

    @contextmanager
    def using(self, owner: StoreOwner) -> Generator[Holdfast, None, None]:
        """Hold the store of an owner open for the block."""
        with self._lock:
            lent = self._lent.setdefault(owner.store_id, _Lent())
            self._lent.move_to_end(owner.store_id)
            lent.users += 1
        try:
            yield self._open(lent, owner)
        finally:
            with self._lock:
                lent.users -= 1
                if self._lent.get(owner.store_id) is not lent:
                    lent.close_idle()
                self._close_idle(self._most_idle)

    def forget(self, store_id: StoreId) -> None:
        """Open a store anew next time; close it when nobody uses it."""
        with self._lock:
            lent = self._lent.pop(store_id, None)
            if lent is not None:
                lent.close_idle()

    def close(self) -> None:
        """Close the stores now, and those in use when their calls end."""
        with self._lock:
            self._most_idle = 0
            self._close_idle(0)

    def _open(self, lent: _Lent, owner: StoreOwner) -> Holdfast:
        """Open a store unless it is open; calls on other stores do not wait meanwhile."""
        with lent.lock:
            if lent.holdfast is None:
                lent.holdfast = self._opened(owner)
            return lent.holdfast

    def _close_idle(self, most: int) -> None:
        idle = [name for name, lent in self._lent.items() if lent.users == 0]
        for name in idle[: max(0, len(idle) - most)]:
            self._lent.pop(name).close_idle()
