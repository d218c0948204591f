"""A derived database: opened on first use, rebuilt when it is damaged."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

import apsw

from holdfast.adapters.code.index.database import (
    DAMAGE,
    WAIT_SECONDS,
    open_database,
    remove_database,
    translated,
)
from holdfast.adapters.code.index.refresh_lock import OWNER_ONLY, RefreshLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import LiteralString

    from holdfast.ports.store.upkeep import Progress

Answer = TypeVar("Answer")


class Derived:
    """One derived database. ``find`` returns its path; it is called on first use."""

    def __init__(self, find: Callable[[], Path], *, script: LiteralString, version: int) -> None:
        self._find = find
        self._script = script
        self._version = version
        self._path: Path | None = None
        self._connection: apsw.Connection | None = None
        self.one_at_a_time = RLock()

    def asked(self, ask: Callable[[apsw.Connection], Answer]) -> Answer:
        """Run a query; if the database is damaged, recreate it and run the query again."""
        path = self._here()
        with self.one_at_a_time:
            try:
                try:
                    return ask(self._opened())
                except DAMAGE:
                    self.throw_away()
                    return ask(self._opened())
            except apsw.Error as error:
                raise translated(error, path) from error

    def turn(self, *, within_seconds: float = WAIT_SECONDS) -> AbstractContextManager[bool]:
        """Hold the refresh lock during the block, so that one process at a time refreshes.

        After the timeout the block runs without the lock; its value says whether the lock is held.
        """
        return RefreshLock(self._here()).taken(within_seconds=within_seconds)

    def throw_away(self) -> None:
        """Remove the database; the next query creates it again."""
        self.close()
        with self.turn():
            remove_database(self._here())

    def was_filled(self) -> bool:
        """Return whether the database was filled once, even if it has been damaged since."""
        return self._marker().exists()

    def note_filled(self) -> None:
        """Write a marker beside the database, so that a damaged database is filled again."""
        with suppress(OSError):
            self._marker().touch(mode=OWNER_ONLY)

    def keep(self, name: str, value: str) -> None:
        """Write a value beside the database, which a rebuilt database needs too."""
        path = self._beside(name)
        with suppress(OSError):
            path.touch(mode=OWNER_ONLY)
            path.write_text(value, encoding="ascii")

    def kept(self, name: str) -> str | None:
        """Return a value that was written beside the database; None if there is none."""
        try:
            return self._beside(name).read_text(encoding="ascii")
        except (OSError, UnicodeError):
            return None

    def _marker(self) -> Path:
        return self._beside("filled")

    def _beside(self, name: str) -> Path:
        path = self._here()
        return path.with_name(f"{path.name}.{name}")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            self._connection.close(force=True)
            self._connection = None

    def _here(self) -> Path:
        if self._path is None:
            self._path = self._find()
        return self._path

    def _opened(self) -> apsw.Connection:
        if self._connection is None:
            self._connection = open_database(
                self._here(), script=self._script, version=self._version
            )
        return self._connection


def nobody_watches(_done: int, _total: int) -> None:
    """Ignore the progress."""


def no_watch() -> AbstractContextManager[Progress]:
    """Return a progress display that shows nothing."""
    return nullcontext(nobody_watches)
