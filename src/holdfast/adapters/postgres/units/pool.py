"""The connections of a store: each concurrent thread holds one."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.database.connecting import about, connect, refuse_unsafe
from holdfast.domain.errors import StoreBusyError, StoreUnreadableError

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.address import Address


class Pool:
    """Lends open connections, at most ``size`` at a time.

    psycopg's own pool connects in background threads and repeats a refused password until it times
    out. A store needs the refusal itself, at once, and a command of a shell needs no threads.
    """

    def __init__(self, address: Address, *, size: int) -> None:
        self._address = address
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection] = []
        self._is_closed = False

    def take(self, *, patience: float) -> psycopg.Connection:
        """Return an open connection; connect if none is idle.

        Raises:
            StoreBusyError: All connections were in use for ``patience`` seconds.
            StoreUnreadableError: The store was closed.
        """
        if self._is_closed:
            raise StoreUnreadableError(self._address.shown, "it was closed.")
        if not self._free.acquire(timeout=patience):
            raise StoreBusyError(what="all connections to the store")
        try:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            return idle or connect(self._address, patience=patience)
        except BaseException:
            self._free.release()
            raise

    def probe(self, *, patience: float) -> None:
        """Return if the server answers, and its role and schema are safe to use.

        Raises:
            UnavailableError: They are not, or all connections are in use.
        """
        self.forget_idle()  # the server may have ended these, as after a restart
        connection = self.take(patience=patience)
        try:
            refuse_unsafe(connection, about(connection, self._address), self._address)
        finally:
            self.give_back(connection)

    def give_back(self, connection: psycopg.Connection) -> None:
        """Keep a connection for the next user; close one that is broken or inside a transaction."""
        is_clean = (
            not connection.closed
            and connection.info.transaction_status is psycopg.pq.TransactionStatus.IDLE
        )
        with self._lock:
            if is_clean and not self._is_closed:
                self._idle.append(connection)
            else:
                _end(connection)
        self._free.release()

    def adopt(self, connection: psycopg.Connection) -> None:
        """Keep a connection that was opened before, for the first user."""
        with self._lock:
            self._idle.append(connection)

    def forget_idle(self) -> None:
        """Close the idle connections: the server ended one, so it probably ended all."""
        with self._lock:
            while self._idle:
                _end(self._idle.pop())

    def close(self) -> None:
        """Close the idle connections now, and the others when they are given back."""
        self._is_closed = True
        self.forget_idle()


def _end(connection: psycopg.Connection) -> None:
    with suppress(psycopg.Error):
        connection.close()
