"""Threads for the calls of the store, so that the interface never waits for them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast

Answer = TypeVar("Answer")


class Lane:
    """One thread with an open memory of its own; its calls are carried out in order.

    Neither the store's connection nor git's caches are ever used by two threads.
    """

    def __init__(
        self, open_memory: Callable[[], Holdfast], *, memory: Holdfast | None = None
    ) -> None:
        self._open = open_memory
        self._is_own = memory is None
        self._memory = memory
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="holdfast-ui")

    async def ask(self, question: Callable[[Holdfast], Answer]) -> Answer:
        """Carry out a call on the memory in the thread, and return its answer."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: question(self._opened())
        )

    def _opened(self) -> Holdfast:
        if self._memory is None:
            self._memory = self._open()
        return self._memory

    def close(self) -> None:
        """Wait for the calls that have begun, and close the memory that was opened here."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=True)

    def _close(self) -> None:
        if self._memory is not None and self._is_own:
            self._memory.close()
            self._memory = None
