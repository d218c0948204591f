"""A database that holds nothing of its own: opened when it is needed, made anew when harmed."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

import apsw

from holdfast.adapters.code.database import (
    DAMAGE,
    WAIT_SECONDS,
    open_database,
    remove_database,
    translated,
)
from holdfast.adapters.code.turn import OWNER_ONLY, Turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import LiteralString

    from holdfast.ports.upkeep import Progress

Answer = TypeVar("Answer")


class Derived:
    """One such database. ``find`` gives its place when it is first needed."""

    def __init__(self, find: Callable[[], Path], *, script: LiteralString, version: int) -> None:
        self._find = find
        self._script = script
        self._version = version
        self._path: Path | None = None
        self._connection: apsw.Connection | None = None
        self.one_at_a_time = RLock()

    def asked(self, ask: Callable[[apsw.Connection], Answer]) -> Answer:
        """Ask the database; a damaged one is made anew, and asked again."""
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
        """Wait until no other process brings the database in line, and keep them waiting.

        After so many seconds the block runs all the same; it is told whether it is alone.
        """
        return Turn(self._here()).taken(within_seconds=within_seconds)

    def throw_away(self) -> None:
        """Remove the database; it is made anew when it is asked next."""
        self.close()
        with self.turn():
            remove_database(self._here())

    def was_filled(self) -> bool:
        """Tell whether the database was filled once, though it may have been damaged since."""
        return self._marker().exists()

    def note_filled(self) -> None:
        """Note beside the database that it was filled, so that a damaged one is filled again."""
        with suppress(OSError):
            self._marker().touch(mode=OWNER_ONLY)

    def _marker(self) -> Path:
        path = self._here()
        return path.with_name(f"{path.name}.filled")

    def close(self) -> None:
        """Let go of the file; may be called twice."""
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
    """Take no notice of how far the work is."""


def no_watch() -> AbstractContextManager[Progress]:
    """Show nobody how far the work is."""
    return nullcontext(nobody_watches)
