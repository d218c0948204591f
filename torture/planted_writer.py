"""The writer of the tools, with the planted bug, if there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.units.engine import SqliteEngine
from holdfast.domain.errors import HoldfastError, StoreFullError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Standing
from holdfast.surfaces.python.api import MemoryStore
from torture.journal import Attempt, Journal
from torture.plants import Plant, planted
from torture.writer import Writer


def writer_here(home: Path, journal: Journal, *, name: str, seed: int) -> Writer:
    """Return a writer on the store in a folder; a planted bug affects only this process."""
    plant_here()
    memory = holdfast.open(home=home, folder=home.parent)
    if planted(Plant.UNHASHED_EDIT):
        return EditingWriter(memory, journal, name=name, seed=seed, home=home)
    return writer_with(memory, journal, name=name, seed=seed)


def writer_with(memory: MemoryStore, journal: Journal, *, name: str, seed: int) -> Writer:
    """Return a writer on a store that is open already."""
    kinds: dict[Plant, type[Writer]] = {
        Plant.ACK_EARLY: EarlyWriter,
        Plant.SWALLOWED_FULL: SwallowingWriter,
    }
    kind = next((kind for plant, kind in kinds.items() if planted(plant)), Writer)
    return kind(memory, journal, name=name, seed=seed)


def plant_here() -> None:
    """Plant the bugs below the writer, in this process."""
    if planted(Plant.NO_SYNC):
        SleepyDisk.make_default()
    if planted(Plant.TWO_TRANSACTIONS):
        SqliteMemories.set_standing = _set_standing_apart  # type: ignore[method-assign]
    if planted(Plant.HEAD_FIRST):
        SqliteEngine._commit = _commit_after_head  # type: ignore[method-assign]  # noqa: SLF001


class EarlyWriter(Writer):
    """Acknowledges before the store has committed."""

    def perform(self, attempt: Attempt, action: Callable[[], object]) -> bool:
        self.journal.tries(attempt)
        self.journal.acknowledges(attempt)
        action()
        return True


class SwallowingWriter(Writer):
    """Treats a full disk as success."""

    def refused(self, attempt: Attempt, error: HoldfastError) -> None:
        if isinstance(error, StoreFullError):
            self.journal.acknowledges(attempt)
        else:
            super().refused(attempt, error)


class EditingWriter(Writer):
    """Changes a row directly in the database now and then, without updating its hash."""

    def __init__(
        self, memory: MemoryStore, journal: Journal, *, name: str, seed: int, home: Path
    ) -> None:
        super().__init__(memory, journal, name=name, seed=seed)
        self._file = str(home / STORE_FILE)

    def remember(self) -> None:
        super().remember()
        if self.held and self.chance.random() < 0.2:
            with apsw.Connection(self._file) as connection:
                connection.set_busy_timeout(5_000)
                connection.execute(
                    "UPDATE memory SET importance = 0.25 WHERE id = ?",
                    (next(iter(self.held.values())).memory_id,),
                )


class SleepyDisk(apsw.VFS):
    """Reports a sync without doing it, like ``synchronous = OFF``."""

    _registered: SleepyDisk | None = None

    def __init__(self) -> None:
        super().__init__("sleepy", "", makedefault=True)

    @classmethod
    def make_default(cls) -> None:
        """Use it for every connection of this process."""
        if cls._registered is None:
            cls._registered = cls()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return SleepyFile("unix", name, flags)


class SleepyFile(apsw.VFSFile):
    """A file whose sync does nothing."""

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        """Do nothing, and report success."""


_set_standing = SqliteMemories.set_standing
_commit = SqliteEngine._commit  # noqa: SLF001 - the bug is planted exactly here


def _set_standing_apart(self: SqliteMemories, memory_id: MemoryId, standing: Standing) -> None:
    """Commit too early; the rest becomes a separate transaction."""
    connection = self.work.connection
    connection.execute("COMMIT; BEGIN IMMEDIATE")
    _set_standing(self, memory_id, standing)


def _commit_after_head(self: SqliteEngine, work: Work, at: int) -> Work:
    """Write the head file before the commit."""
    self.head_check.follow(work)
    return _commit(self, work, at)
