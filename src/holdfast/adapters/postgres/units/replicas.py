"""Replicas: servers that follow the primary, and answer reads once they have caught up."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.connecting import about, refuse_unsafe
from holdfast.adapters.postgres.units.pool import Pool
from holdfast.domain.database_errors import NotAReplicaError, ReplicaBehindError
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.postgres.database.address import Address

_AWAY_SECONDS = 30.0
_CONNECT_SECONDS = 2.0


class LogPosition:
    """How far a replica must be to show everything that this program has written.

    Threads note their commits in any order; only a later position counts.
    """

    _NEVER_REPLAYED = "FFFFFFFF/FFFFFFFF"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.text = self._NEVER_REPLAYED

    def advance(self, text: str) -> None:
        """Note the position after a commit."""
        with self._lock:
            if self.text == self._NEVER_REPLAYED or _number(text) > _number(self.text):
                self.text = text

    def lose(self) -> None:
        """Note a commit whose position is not known: only the primary is sure to show it."""
        with self._lock:
            self.text = self._NEVER_REPLAYED


def _number(text: str) -> int:
    high, _, low = text.partition("/")
    return (int(high, 16) << 32) + int(low, 16)


class BegunRead(NamedTuple):
    """A connection to a replica inside a new read transaction, and the pool it belongs to."""

    connection: psycopg.Connection
    pool: Pool


class ReplicaServer:
    """One replica; it is left alone for a while after it failed."""

    def __init__(self, address: Address, *, size: int, cluster: int) -> None:
        self.address = address
        self.pool = Pool(address, size=size)
        self._cluster = cluster
        self._is_checked = False
        self._away_until = 0.0

    @property
    def is_away(self) -> bool:
        """Whether it failed a short while ago."""
        return monotonic() < self._away_until

    def leave_alone(self) -> None:
        """Do not ask it for a while."""
        self._away_until = monotonic() + _AWAY_SECONDS

    def begun(self, whose: Mapping[str, str], position: str) -> BegunRead:
        """Begin a read transaction that sees everything up to a position of the primary's log.

        Raises:
            ReplicaBehindError: It has not replayed that position yet.
            HoldfastError: It does not answer, or is no safe replica of this database.
        """
        connection = self.pool.take(patience=_CONNECT_SECONDS)
        try:
            self._check(connection)
            with connection.pipeline():
                connection.execute(SQL["begin_reading"])
                connection.execute(SQL["enter_reading"], whose)
                replayed = connection.execute(SQL["replayed"], {"position": position})
            self._refuse(replayed.fetchall()[0])
        except BaseException:
            # The pool closes a connection that is inside a transaction or broken.
            self.pool.give_back(connection)
            raise
        return BegunRead(connection, self.pool)

    def _check(self, connection: psycopg.Connection) -> None:
        """Refuse, once, a role that row security does not bind, and a server of another cluster."""
        if self._is_checked:
            return
        refuse_unsafe(connection, about(connection, self.address), self.address)
        if connection.execute(SQL["cluster"]).fetchall()[0][0] != self._cluster:
            raise NotAReplicaError(self.address.shown, "is of another cluster")
        self._is_checked = True

    def _refuse(self, row: Sequence[object]) -> None:
        is_following, has_replayed = row
        if not is_following:
            raise NotAReplicaError(self.address.shown, "does not follow a primary any more")
        if not has_replayed:
            raise ReplicaBehindError(self.address.shown)


class Replicas:
    """The replicas of a store, asked in turn; what is wrong with one is noted once."""

    def __init__(self, addresses: Sequence[Address], *, size: int, cluster: int) -> None:
        self._all = [ReplicaServer(one, size=size, cluster=cluster) for one in addresses]
        self._turn = 0
        self._lock = threading.Lock()
        self._notes: dict[str, None] = {}
        self.reads = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What was wrong with replicas, each once."""
        return tuple(self._notes)

    def begun(self, whose: Mapping[str, str], position: str) -> BegunRead | None:
        """Begin a read transaction on the next replica that can; None if none can."""
        for replica in self._in_turn():
            if replica.is_away:
                continue
            try:
                begun = replica.begun(whose, position)
            except ReplicaBehindError:
                continue
            except HoldfastError as error:
                self._note(replica, error.message)
            except psycopg.Error:
                self._note(replica, f"The replica {replica.address.shown} does not answer.")
            else:
                self.reads += 1
                return begun
        return None

    def close(self) -> None:
        """Close the connections to all replicas."""
        for replica in self._all:
            replica.pool.close()

    def _in_turn(self) -> list[ReplicaServer]:
        with self._lock:
            self._turn += 1
            first = self._turn % max(1, len(self._all))
        return self._all[first:] + self._all[:first]

    def _note(self, replica: ReplicaServer, said: str) -> None:
        replica.leave_alone()
        replica.pool.forget_idle()
        self._notes[f"{said} Reads go to the primary meanwhile."] = None
