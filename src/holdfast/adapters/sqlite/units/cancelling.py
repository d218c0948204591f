"""The cancellation of reads: which one a thread has, and how it ends a statement of SQLite."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Generator

    from holdfast.ports.store.cancelling import Cancellation

_STEPS_BETWEEN_LOOKS = 20_000
_LOOKING = "cancellation"


class Cancellations(threading.local):
    """The cancellation of each thread that reads for a caller who may give up."""

    mine: Cancellation | None = None
    """The cancellation of this thread, if it has one."""

    @contextmanager
    def bound(self, cancellation: Cancellation) -> Generator[None, None, None]:
        """Let the reads of this thread end when they are cancelled.

        Raises:
            TimedOutError: They were cancelled before.
        """
        cancellation.refuse_cancelled()
        outer, self.mine = self.mine, cancellation
        try:
            yield
        finally:
            self.mine = outer

    @contextmanager
    def watching(self, connection: apsw.Connection) -> Generator[None, None, None]:
        """End the statements of a connection once this thread's reads are cancelled.

        A long statement is interrupted, and a new one is refused.

        Raises:
            TimedOutError: They were cancelled.
        """
        mine = self.mine
        if mine is None:
            yield
            return

        def may_begin(_cursor: apsw.Cursor, _statement: str, _values: object) -> bool:
            mine.refuse_cancelled()
            return True

        connection.exec_trace = may_begin
        # A name of its own: a search by words has another handler, for its limit of CPU time.
        connection.set_progress_handler(
            lambda: mine.is_cancelled, _STEPS_BETWEEN_LOOKS, id=_LOOKING
        )
        try:
            yield
        except apsw.InterruptError:
            mine.refuse_cancelled()
            raise
        finally:
            connection.set_progress_handler(None, id=_LOOKING)
            connection.exec_trace = None
