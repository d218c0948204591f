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

_MOST_IDLE = 32


class _Lent:
    """An open store, and how many calls use it now."""

    def __init__(self, holdfast: Holdfast) -> None:
        self.holdfast = holdfast
        self.users = 0


class OpenStores:
    """Opens each store once; closes the least recently used ones that nobody uses."""

    def __init__(
        self, opened: Callable[[StoreOwner], Holdfast], *, most_idle: int = _MOST_IDLE
    ) -> None:
        self._opened = opened
        self._most_idle = most_idle
        self._lock = threading.Lock()
        self._lent: OrderedDict[StoreId, _Lent] = OrderedDict()
        self._is_closed = False

    @contextmanager
    def using(self, owner: StoreOwner) -> Generator[Holdfast, None, None]:
        """Hold the store of an owner open for the block."""
        with self._lock:
            # Opening inside the lock: two threads would otherwise open one file twice.
            lent = self._lent.get(owner.store_id) or _Lent(self._opened(owner))
            self._lent[owner.store_id] = lent
            self._lent.move_to_end(owner.store_id)
            lent.users += 1
        try:
            yield lent.holdfast
        finally:
            with self._lock:
                lent.users -= 1
                self._close_idle(0 if self._is_closed else self._most_idle)

    def close(self) -> None:
        """Close the stores now, and those in use when their calls end."""
        with self._lock:
            self._is_closed = True
            self._close_idle(0)

    def _close_idle(self, most: int) -> None:
        idle = [name for name, lent in self._lent.items() if lent.users == 0]
        for name in idle[: max(0, len(idle) - most)]:
            self._lent.pop(name).holdfast.close()
