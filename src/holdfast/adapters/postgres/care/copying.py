"""Copies a store exactly, from a server or into one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from time import time_ns
from typing import TYPE_CHECKING, cast

from holdfast.adapters.postgres.care.rebuilding import rebuild_derived
from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.recall.meaning import ServerIndex, vectors_of
from holdfast.adapters.sqlite.care.copying import COUNTER, SqlRows, put_rows
from holdfast.adapters.sqlite.database.rows import Row
from holdfast.adapters.sqlite.database.work import COPYING
from holdfast.adapters.sqlite.memory.embeddings import known_models
from holdfast.domain.database_errors import StoreNotEmptyError
from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.refusals import NotOfferedError
from holdfast.ports.store.copying import StoredVectors

if TYPE_CHECKING:
    from holdfast.adapters.postgres.units.engine import PostgresEngine
    from holdfast.ports.store.copying import StoredRow
    from holdfast.ports.store.finding import VectorStore


_WHOLE = "whole-store encryption"
_OWN_DISKS = "its files are the server's, whose administrator encrypts their disks."


class PostgresRows(SqlRows):
    """The rows of one snapshot on a server."""

    def __init__(self, work: PostgresWork) -> None:
        super().__init__(work)
        self._server = work

    def scanned(self, table: str) -> Iterator[Row]:
        """Return the rows of a table one by one; the server holds the rest."""
        return self._server.scan(f"scan_{table}")


class PostgresCopying:
    """Reads the store of a space for a copy, or writes a copy into it."""

    def __init__(self, engine: PostgresEngine) -> None:
        self._engine = engine

    @contextmanager
    def stored(self) -> Generator[PostgresRows, None, None]:
        """Yield the rows of one snapshot."""
        with self._engine.reading() as work:
            yield PostgresRows(work)

    @contextmanager
    def vectors(
        self, opener: Callable[[str], VectorStore | None]
    ) -> Generator[Sequence[StoredVectors], None, None]:
        """Yield the vectors of every model, with an index of them; pgvector if none is opened."""
        with self._engine.reading() as work:
            yield [
                StoredVectors(
                    model=known.model.name,
                    source=vectors_of(known, work),
                    index=opener(str(known.number)) or ServerIndex(known.number, work),
                )
                for known in known_models(work)
            ]

    def begin(self, mark: str) -> None:
        """Begin a copy, or go on with one of the same mark."""
        with self._engine.writing(_now()) as work:
            noted = work.meta(COPYING)
            if noted == mark:
                return
            if noted is None and work.head().sequence:
                raise StoreNotEmptyError(self._engine.address.shown)
            work.run("empty_store")
            work.run("empty_counters")
            work.set_meta(COPYING, mark)

    def put(self, table: str, rows: Sequence[StoredRow]) -> None:
        """Write rows in one unit of work."""
        with self._engine.writing(_now()) as work:
            if table == COUNTER:
                for _name, last in cast("Sequence[Row]", rows):
                    work.run("raise_last_memory", last)
            else:
                put_rows(table, cast("Sequence[Row]", rows), work)

    def finish(self) -> None:
        """Derive the rest, and remove the mark."""
        with self._engine.writing(_now()) as work:
            rebuild_derived(work, lambda _done: None)
            work.drop_meta(COPYING)

    @property
    def encrypted_with(self) -> KeyId | None:
        """None: a server encrypts its own disks."""
        return None

    def encrypt(self, key_id: KeyId | None) -> None:
        """Refuse: the files are the server's.

        Raises:
            NotOfferedError: Always.
        """
        del key_id
        raise NotOfferedError(_WHOLE, backend="postgres", why=_OWN_DISKS)


def _now() -> int:
    return time_ns() // 1_000_000
