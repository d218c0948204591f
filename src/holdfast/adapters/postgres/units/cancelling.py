"""Ends the statement that a read waits for, once its caller gives up."""

from __future__ import annotations

import threading
from contextlib import closing, contextmanager, nullcontext, suppress
from os import dup
from socket import SHUT_RDWR, socket
from time import monotonic
from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.units.beginning import begin_asking
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from holdfast.adapters.postgres.database.work import Statement
    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.ports.store.cancelling import Cancellation

_BETWEEN_ATTEMPTS_SECONDS = 0.1
_ATTEMPT_SECONDS = 5.0
_CUT_AFTER_SECONDS = 10.0
"""After how many seconds a server that does not end a statement is not waited for any more."""


class CancellableRead:
    """One read, the connection that it holds, and the cancellation that may end it."""

    def __init__(self, cancellation: Cancellation | None) -> None:
        self._cancellation = cancellation
        self._connection: psycopg.Connection | None = None
        self._sending = threading.Lock()
        self._was_sent = False
        self._has_ended = threading.Event()

    def refuse_cancelled(self) -> None:
        """Return if the answer is still wanted; called before each statement.

        Raises:
            TimedOutError: The read was cancelled.
        """
        if self._cancellation is not None:
            self._cancellation.refuse_cancelled()

    @contextmanager
    def running(self, connection: psycopg.Connection | None) -> Generator[None, None, None]:
        """Let the block read, on this connection if it has begun already.

        Whatever a cancelled statement raises becomes one error.

        Raises:
            TimedOutError: The read was cancelled.
        """
        mine, self._connection = self._cancellation, connection
        with nullcontext() if mine is None else mine.when_cancelled(self._cancel):
            try:
                yield
            except HoldfastError:
                self.refuse_cancelled()
                raise
            finally:
                self._has_ended.set()
                self._release()

    def begun(
        self, connection: psycopg.Connection, whose: Mapping[str, str], first: Statement
    ) -> psycopg.RawCursor[Row]:
        """Begin a snapshot with its first question; the connection may be cancelled from now on.

        After an error, it may begin on another connection.

        Raises:
            TimedOutError: The read was cancelled.
        """
        self.refuse_cancelled()
        self._connection = connection
        try:
            return begin_asking(connection, whose, first)
        except BaseException:
            self._release()
            raise

    def _release(self) -> None:
        """Wait until no message to cancel is on its way to the connection.

        A cancelled connection is closed: a late message must not meet the statement of another
        reader.
        """
        with self._sending:
            held, self._connection = self._connection, None
            if held is not None and self._was_sent:
                held.close()

    def _cancel(self) -> None:
        """Begin to cancel; the message goes through a connection of its own, which takes time."""
        threading.Thread(target=self._repeat, daemon=True).start()

    def _repeat(self) -> None:
        """Cancel until the read has ended: a message between two statements has no effect.

        A server that hangs ends nothing. Then the connection is cut on this side, which ends the
        wait of the read for an answer.
        """
        until = monotonic() + _CUT_AFTER_SECONDS
        while not self._has_ended.is_set():
            with self._sending:
                self._send()
                if monotonic() >= until and self._connection is not None:
                    _cut(self._connection)
            self._has_ended.wait(_BETWEEN_ATTEMPTS_SECONDS)

    def _send(self) -> None:
        if self._connection is not None:
            self._was_sent = True
            with suppress(psycopg.Error):
                self._connection.cancel_safe(timeout=_ATTEMPT_SECONDS)


def _cut(connection: psycopg.Connection) -> None:
    """Close the socket of a connection without telling the server; its reader gets an error."""
    with suppress(psycopg.Error, OSError), closing(socket(fileno=dup(connection.fileno()))) as end:
        end.shutdown(SHUT_RDWR)


NEVER_CANCELLED = CancellableRead(None)
"""The read of a unit of work, and of a caller who does not give up."""
