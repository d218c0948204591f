"""Copies a store exactly: sealed rows, events, counters and vectors, as they are stored.

The notes that a store keeps about itself are not copied, and what is derived is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from time import time_ns
from typing import TYPE_CHECKING, cast

from holdfast.adapters.sqlite.care.checking import name_of
from holdfast.adapters.sqlite.database.cipher import StoreLock
from holdfast.adapters.sqlite.database.files import exists, remove, remove_whole
from holdfast.adapters.sqlite.database.rows import Row, as_hex, holds
from holdfast.adapters.sqlite.database.work import COPYING, event_of
from holdfast.adapters.sqlite.derived.rederiving import derive_anew
from holdfast.adapters.sqlite.derived.scanning import TABLES, Table, Unreadable, scan
from holdfast.adapters.sqlite.memory.embeddings import (
    SqliteVectors,
    add_model,
    known_models,
    put_vectors,
)
from holdfast.adapters.sqlite.recall.plain_index import PlainIndex
from holdfast.domain.database_errors import StoreNotEmptyError
from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.errors import StoreDamagedError
from holdfast.domain.recall.finding import EmbeddingModel
from holdfast.ports.store.copying import StoredVectors

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.units.engine import SqliteEngine
    from holdfast.ports.store.copying import StoredRow
    from holdfast.ports.store.finding import VectorStore

_SEALED = {table.name: table for table in TABLES if table.noun != "note"}
COUNTER = "counter"
"""The highest number that a memory ever had."""

_EVENT, _MODEL, _VECTORS = "event", "embedding_model", "embedding"
_MEMORY = "memory"


class SqlRows:
    """The rows of one snapshot; a subclass reads them in the dialect of its server."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @property
    def mark(self) -> str:
        """The newest event: it follows from all events before it."""
        head = self.work.head()
        return f"{head.sequence} {head.hash}"

    def tables(self) -> Sequence[str]:
        """Return the tables, those that others refer to first."""
        return (*_SEALED, _EVENT, COUNTER, _MODEL, _VECTORS)

    def rows(self, table: str) -> Iterator[StoredRow]:
        """Return the rows of a table; a damaged one is refused."""
        if table == COUNTER:
            yield (_MEMORY, self.work.last_sequence())
        elif table == _MODEL:
            yield from ((one.model.name, one.model.dimension) for one in known_models(self.work))
        elif table == _VECTORS:
            yield from self._vectors()
        elif table == _EVENT:
            yield from map(self._whole_event, self.scanned(table))
        else:
            for row in self.scanned(table):
                yield self._whole(_SEALED[table], row)

    def scanned(self, table: str) -> Iterator[Row]:
        """Return the rows of a table as they are in the file."""
        for row in scan(table, self.work.connection):
            if not isinstance(row, Unreadable):
                yield row

    def _vectors(self) -> Iterator[StoredRow]:
        names = {one.number: one.model.name for one in known_models(self.work)}
        for row in self.scanned(_VECTORS):
            yield (names[row[0]], *row[1:])

    def _whole(self, table: Table, row: Row) -> Row:
        if not holds(table.noun, row):
            self._refuse(f"the {table.noun} {name_of(table, row)} is not what was written.")
        return row

    def _whole_event(self, row: Row) -> Row:
        if event_of(row).hash != as_hex(row[-1]):
            self._refuse(f"event {row[0]} is not what was written.")
        return row

    def _refuse(self, problem: str) -> None:
        raise StoreDamagedError(self.work.path, problem)


class SqliteCopying:
    """Reads the file for a copy, or writes a copy into it."""

    def __init__(self, engine: SqliteEngine) -> None:
        self._engine = engine

    @contextmanager
    def stored(self) -> Generator[SqlRows, None, None]:
        """Yield the rows of one snapshot."""
        with self._engine.reading() as work:
            yield SqlRows(work)

    @contextmanager
    def vectors(
        self, opener: Callable[[str], VectorStore | None]
    ) -> Generator[Sequence[StoredVectors], None, None]:
        """Yield the vectors of every model, with an index of them."""
        place = self._engine.files.vectors
        with self._engine.reading() as work, ExitStack() as stack:
            found = []
            for known in known_models(work):
                at = f"{place}-{known.number}"
                index = (None if self._is_encrypted() else opener(at)) or PlainIndex(at)
                stack.callback(index.close)
                source = SqliteVectors(known, work)
                found.append(StoredVectors(model=known.model.name, source=source, index=index))
            yield found

    def begin(self, mark: str) -> None:
        """Begin a copy, or go on with one of the same mark."""
        with self._engine.reading() as work:
            noted = work.meta(COPYING)
            is_empty = not work.head().sequence and not work.rows("all_tokens")
        if noted == mark:
            return
        if noted is None and not is_empty:
            raise StoreNotEmptyError(self._engine.files.database)
        self._empty()
        with self._engine.writing(_now()) as work:
            work.set_meta(COPYING, mark)

    def put(self, table: str, rows: Sequence[StoredRow]) -> None:
        """Write rows in one unit of work."""
        with self._engine.writing(_now()) as work:
            put_rows(table, cast("Sequence[Row]", rows), work)

    def finish(self) -> None:
        """Derive the rest, and remove the mark."""
        with self._engine.writing(_now()) as work:
            derive_anew(work, lambda _done: None)
            work.drop_meta(COPYING)

    @property
    def encrypted_with(self) -> KeyId | None:
        """The key with which the whole file is encrypted."""
        lock = self._engine.options.lock
        key_id = None if lock is None else lock.key_id
        return None if key_id is None else KeyId(key_id)

    def encrypt(self, key_id: KeyId | None) -> None:
        """Replace the file by an exact copy: encrypted with a key, or in clear.

        Bundles that wait beside the store are stored first, because their files are in clear.
        """
        from holdfast.adapters.sqlite.care.encrypting import encrypt
        from holdfast.adapters.sqlite.database.pending_bundles import MOST_PENDING
        from holdfast.adapters.sqlite.units.storing_pending import STORED_AT_ONCE

        engine = self._engine
        for _ in range(0, MOST_PENDING, STORED_AT_ONCE):
            if exists(engine.files.pending):
                with engine.writing(_now()):
                    """Every unit of work stores some of those that wait."""
        encrypt(engine, engine.options.lock or StoreLock(engine.files.database), key_id)

    def _is_encrypted(self) -> bool:
        return self.encrypted_with is not None

    def _empty(self) -> None:
        """Remove the files; the queue, whose lock is held, and the note of the key stay."""
        files = self._engine.files
        with self._engine.closed():
            for name in files.all():
                if name not in {files.queue, files.cipher}:
                    remove(name)
            remove_whole(files.pending)


def put_rows(table: str, rows: Sequence[Row], work: Work) -> None:
    """Write rows of a table exactly as they are."""
    if table == COUNTER:
        for name, last in rows:
            work.run("raise_counter", last, name)
            work.run("add_counter", name, last)
    elif table == _MODEL:
        for name, dimension in rows:
            add_model(EmbeddingModel(name=name, dimension=dimension), work)
    elif table == _VECTORS:
        _put_vectors(rows, work)
    elif table == _EVENT:
        work.run_many("add_event", rows)
    else:
        work.run_many(_SEALED[table].put, rows)


def _put_vectors(rows: Sequence[Row], work: Work) -> None:
    for known in known_models(work):
        kept = {row[1]: row[2] for row in rows if row[0] == known.model.name}
        if kept:
            put_vectors(known.number, kept, work)


def _now() -> int:
    return time_ns() // 1_000_000
