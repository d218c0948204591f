"""The default store: one SQLite file that many processes can use concurrently."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.cipher import StoreLock
from holdfast.adapters.sqlite.database.connection import StoreOptions
from holdfast.adapters.sqlite.database.files import StoreFiles
from holdfast.adapters.sqlite.database.rows import millis
from holdfast.adapters.sqlite.units.engine import SqliteEngine
from holdfast.adapters.sqlite.units.transaction import SqliteTransaction
from holdfast.domain.refusals import NO_JOBS, NotOfferedError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.care.upkeep import SqliteUpkeep
    from holdfast.adapters.sqlite.database.cipher import KeyOf
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.cancelling import Cancellation
    from holdfast.ports.store.jobs import JobQueue

__all__ = ["SqliteStore", "StoreOptions"]

_DEFAULTS = StoreOptions()


_JOBS = "jobs"


class SqliteStore:
    """A store in one file."""

    def __init__(self, engine: SqliteEngine) -> None:
        self._engine = engine

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        options: StoreOptions = _DEFAULTS,
        index: OpenIndex | None = None,
        key_of: KeyOf | None = None,
    ) -> SqliteStore:
        """Open the store, or create it; ``index`` opens a faster vector index.

        ``key_of`` finds the key of an encrypted store by its id. Such a store has no other vector
        index, because the files of an index are not encrypted.

        Raises:
            NoSuchStoreError: The file belongs to another space.
            UnavailableError: It cannot be opened; the message has the reason and what to do.
        """
        _refuse_unreadable_name(str(path))
        files = StoreFiles(path)
        lock = StoreLock(files.database, key_of)
        faster = None if index is None else _unless_encrypted(index, lock)
        return cls(SqliteEngine(files, replace(options, lock=lock), faster))

    @contextmanager
    def reading(self) -> Generator[SqliteTransaction, None, None]:
        """Yield a snapshot; inside a unit of work of this thread, yield that work."""
        with self._engine.reading() as work:
            work.leaves_out = not work.may_write
            yield SqliteTransaction(work, self._engine.indexes)

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[SqliteTransaction, None, None]:
        """Commit all changes of the block durably when it ends, or none after an exception."""
        with self._engine.writing(millis(at), patience=patience) as work:
            yield SqliteTransaction(work, self._engine.indexes)

    def cancelled_by(self, cancellation: Cancellation) -> AbstractContextManager[None]:
        """Let the reads that this thread begins inside the block end when they are cancelled."""
        return self._engine.cancellations.bound(cancellation)

    @property
    def space(self) -> SpaceId:
        """The space whose store this is."""
        return self._engine.options.space

    @property
    def warnings(self) -> tuple[str, ...]:
        """Faults of a store that can still be used."""
        return self._engine.warnings

    @property
    def left_out(self) -> tuple[str, ...]:
        """The damaged rows that the current read transaction has left out."""
        return self._engine.left_out

    @property
    def upkeep(self) -> SqliteUpkeep:
        """Checks and repairs of the store itself."""
        from holdfast.adapters.sqlite.care.upkeep import SqliteUpkeep

        return SqliteUpkeep(self._engine)

    @property
    def jobs(self) -> JobQueue:
        """Refuse: one process at a time writes to this store, so parts could not be shared."""
        raise NotOfferedError(_JOBS, backend="sqlite", why=NO_JOBS)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._engine.close()


def _unless_encrypted(index: OpenIndex, lock: StoreLock) -> OpenIndex:
    return lambda place: index(place) if lock.key_id is None else None


def _refuse_unreadable_name(path: str) -> None:
    """Refuse a path that is not valid UTF-8, because SQLite cannot open it.

    Raises:
        StoreUnreadableError: The path contains bytes that are no UTF-8.
    """
    try:
        path.encode()
    except UnicodeEncodeError as error:
        from holdfast.domain.errors import StoreUnreadableError
        from holdfast.domain.gates.unseen import escaped

        problem = "its path is not valid UTF-8. Choose another folder."
        raise StoreUnreadableError(escaped(path), problem) from error
