"""The threads of a server: each carries out one request, and none is held by those who wait."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.options import LOOK_SECONDS
from holdfast.surfaces.http.refusals import ServerBusyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from holdfast.bootstrap.service.deadline import RequestDeadline
    from holdfast.bootstrap.service.spaces import SpaceName
    from holdfast.surfaces.web.hosting import HasLeft

    Done = TypeVar("Done")

_QUEUE_FACTOR = 16
_WRITERS = 2
"""How many changes of a space have a thread: one is carried out, the next waits for its lock."""


class _Changes:
    """The changes of one space: how many have a thread, and how many wait for one."""

    def __init__(self) -> None:
        self.threads = asyncio.Semaphore(_WRITERS)
        self.count = 0


class RequestThreads:
    """Runs blocking work in threads, each until the deadline of its request."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="holdfast")
        self._most_waiting = threads * _QUEUE_FACTOR
        self._waiting = 0
        self._changes: dict[SpaceName, _Changes] = {}

    def close(self) -> None:
        """Wait for the work that runs."""
        self._pool.shutdown(wait=True)

    async def run(
        self,
        work: Callable[[], Done],
        until: float,
        deadline: RequestDeadline,
        has_left: HasLeft | None = None,
    ) -> Done:
        """Run blocking work in a thread, until the deadline.

        Whoever stops waiting gives the work up: reads end, and nothing is committed any more. So
        does a client that has left, where ``has_left`` looks after it.

        Raises:
            ServerBusyError: Too many requests wait for a thread.
            TimedOutError: The time is over, and nothing was committed.
            ClientDisconnect: The client has left.
        """
        return await self._awaited(self._begun(work), until, deadline, has_left)

    async def change(
        self, name: SpaceName, work: Callable[[], Done], until: float, deadline: RequestDeadline
    ) -> Done:
        """Run a change of a space in a thread, after the other changes of this space.

        They would wait for each other in the store. If each held a thread meanwhile, the changes
        of one space would hold up all other spaces.

        Raises:
            ServerBusyError: Too many changes of the space wait, or too many requests.
            TimedOutError: The time is over, and nothing was committed.
        """
        changes = self._changes.setdefault(name, _Changes())
        if changes.count >= self._most_waiting:
            raise ServerBusyError
        changes.count += 1
        try:
            async with asyncio.timeout_at(until):
                await changes.threads.acquire()
        except BaseException as error:
            self._end(name, changes)
            if isinstance(error, TimeoutError):
                raise TimedOutError from error
            raise
        try:
            running = self._begun(work)
        except BaseException:
            changes.threads.release()
            self._end(name, changes)
            raise

        def ended(_: object) -> None:
            changes.threads.release()
            self._end(name, changes)

        # A change that was given up has its thread until it has ended.
        running.add_done_callback(ended)
        return await self._awaited(running, until, deadline, None)

    def _end(self, name: SpaceName, changes: _Changes) -> None:
        changes.count -= 1
        if not changes.count:
            del self._changes[name]

    def _begun(self, work: Callable[[], Done]) -> asyncio.Future[Done]:
        if self._waiting >= self._most_waiting:
            raise ServerBusyError
        return asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def _awaited(
        self,
        running: asyncio.Future[Done],
        until: float,
        deadline: RequestDeadline,
        has_left: HasLeft | None,
    ) -> Done:
        self._waiting += 1
        try:
            try:
                async with asyncio.timeout_at(until):
                    return await _outcome(running, has_left)
            except TimeoutError as error:
                if deadline.give_up():
                    running.add_done_callback(_forget_failure)
                    raise TimedOutError from error
            except (asyncio.CancelledError, ClientDisconnect):
                deadline.give_up()
                running.add_done_callback(_forget_failure)
                raise
            return await running
        finally:
            self._waiting -= 1


async def _outcome(running: asyncio.Future[Done], has_left: HasLeft | None) -> Done:
    """Return the outcome of work, which goes on if this is cancelled.

    Raises:
        ClientDisconnect: Nobody waits for it any more.
    """
    seconds = None if has_left is None else LOOK_SECONDS
    while not (await asyncio.wait([running], timeout=seconds))[0]:
        if has_left is not None and await has_left():
            raise ClientDisconnect
    return running.result()


def _forget_failure(running: asyncio.Future[Done]) -> None:
    """Read the outcome of work that nobody waits for, so that no warning is written."""
    if not running.cancelled():
        running.exception()
