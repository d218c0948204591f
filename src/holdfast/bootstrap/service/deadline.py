"""The deadline of a request: after it has passed, nothing more is committed."""

from __future__ import annotations

import threading

from holdfast.domain.service_errors import TimedOutError


class RequestDeadline:
    """Decides once whether a request is committed or given up.

    The thread that does the work calls ``claim`` before it commits. The server calls ``give_up``
    when the time is over. The first of the two counts.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_over = False
        self._is_claimed = False

    def claim(self) -> None:
        """Return if the work may be committed.

        Raises:
            TimedOutError: The server gave the request up.
        """
        with self._lock:
            if self._is_over:
                raise TimedOutError
            self._is_claimed = True

    def give_up(self) -> bool:
        """Give the request up; return False if its commit has begun and is worth waiting for."""
        with self._lock:
            self._is_over = not self._is_claimed
            return self._is_over
