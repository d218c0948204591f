"""The deadline of a request: after it has passed, nothing more is read or committed."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.domain.service_errors import TimedOutError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


class RequestDeadline:
    """Decides once whether a request is committed or given up.

    The thread that does the work calls ``claim`` before it commits. The server calls ``give_up``
    when the time is over. The first of the two counts. It is the ``Cancellation`` of the reads of
    the request.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_over = False
        self._is_claimed = False
        self._calls: list[Callable[[], None]] = []

    @property
    def is_cancelled(self) -> bool:
        """Whether the server gave the request up."""
        return self._is_over

    def refuse_cancelled(self) -> None:
        """Return if the request was not given up.

        Raises:
            TimedOutError: The server gave the request up.
        """
        if self._is_over:
            raise TimedOutError

    @contextmanager
    def when_cancelled(self, then: Callable[[], None]) -> Generator[None, None, None]:
        """Call a function as soon as the request is given up, but not after the block.

        Raises:
            TimedOutError: The server gave the request up before.
        """
        with self._lock:
            self.refuse_cancelled()
            self._calls.append(then)
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(then)

    def claim(self) -> None:
        """Return if the work may be committed.

        Raises:
            TimedOutError: The server gave the request up.
        """
        with self._lock:
            self.refuse_cancelled()
            self._is_claimed = True

    def give_up(self) -> bool:
        """Give the request up; return False if its commit has begun and is worth waiting for."""
        with self._lock:
            if not (self._is_over or self._is_claimed):
                self._is_over = True
                for call in self._calls:
                    call()
            return self._is_over
