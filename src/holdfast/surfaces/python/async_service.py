"""The memory service for programs that use asyncio: the same calls, to be awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.service.similarity import NEAR_ENOUGH
from holdfast.surfaces.python.advice import ClosedError
from holdfast.surfaces.python.service import MemoryService
from holdfast.surfaces.wire.memory_service import RELATED_LIMIT

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from datetime import datetime
    from types import TracebackType
    from typing import Self
    from uuid import UUID

    from holdfast.surfaces.python.memories import HasId
    from holdfast.surfaces.python.service import StoredMemory

Returned = TypeVar("Returned")
_THREADS = 16


class AsyncMemoryService:
    """The calls of ``MemoryService`` as coroutines; each runs in a thread of its own pool.

    A call that is cancelled before it began does nothing. One that runs already is completed as a
    whole, or not at all, and its result is dropped; closing the service waits for it.

    >>> async def remember() -> int:
    ...     async with holdfast.AsyncMemoryService() as service:
    ...         user = await service.get_or_create_store("acme", "ada")
    ...         await service.add_memory(user, "Ada drinks green tea.")
    ...         return len(await service.search_memories(user, "Ada drinks green tea."))
    >>> import asyncio
    >>> asyncio.run(remember())
    1
    """

    def __init__(
        self, store: str | os.PathLike[str] | None = None, *, tenant: str | UUID | None = None
    ) -> None:
        self._open = partial(MemoryService, store, tenant=tenant)
        self._opening = threading.Lock()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="holdfast")
        self._is_closed = False

    async def get_or_create_store(
        self, tenant: str | UUID, user: str | UUID, store_name: str = "default"
    ) -> str:
        """Return the id of a user's store; add the store if there is none."""
        return await self._run(lambda one: one.get_or_create_store(tenant, user, store_name))

    async def add_memory(  # noqa: PLR0913, PLR0917 - the parameters of the service's interface
        self,
        store: str | UUID,
        content: str,
        type: str = "fact",  # noqa: A002 - the same
        source: str | None = None,
        importance: float = 0.5,
        metadata: Mapping[str, object] | None = None,
        expires_at: datetime | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> str:
        """Add a memory to a store, and return its id; with the same key again, add nothing."""
        fields = (store, content, type, source, importance, metadata, expires_at)
        return await self._run(lambda one: one.add_memory(*fields, idempotency_key=idempotency_key))

    async def search_memories(
        self, store: str | UUID, query: str, limit: int = 5, min_similarity: float = NEAR_ENOUGH
    ) -> list[StoredMemory]:
        """Return the memories of a store that are similar to a question, most similar first."""
        return await self._run(lambda one: one.search_memories(store, query, limit, min_similarity))

    async def add_relationship(
        self,
        source: str | UUID | HasId,
        target: str | UUID | HasId,
        relationship_type: str,
        strength: float = 0.5,
    ) -> None:
        """State how a memory is related to another of the same store."""
        await self._run(
            lambda one: one.add_relationship(source, target, relationship_type, strength)
        )

    async def get_related_memories(
        self, memory: str | UUID | HasId, limit: int = RELATED_LIMIT
    ) -> list[StoredMemory]:
        """Return the memories that a memory was said to be related to, strongest first."""
        return await self._run(lambda one: one.get_related_memories(memory, limit))

    @property
    def is_closed(self) -> bool:
        """Whether the service was closed."""
        return self._is_closed

    async def close(self) -> None:
        """Wait for the calls that run, then close the stores; twice changes nothing."""
        self._is_closed = True
        await asyncio.to_thread(self._close)

    async def __aenter__(self) -> Self:
        """Return the service itself; leaving the block closes it."""
        if self.is_closed:
            raise ClosedError
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the stores."""
        await self.close()

    @cached_property
    def _service(self) -> MemoryService:
        return self._open()

    def _opened(self) -> MemoryService:
        """Return the service, opened in the first thread that needs it."""
        with self._opening:
            return self._service

    async def _run(self, call: Callable[[MemoryService], Returned]) -> Returned:
        if self._is_closed:
            raise ClosedError
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: call(self._opened()))

    def _close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        if "_service" in vars(self):
            self._service.close()
