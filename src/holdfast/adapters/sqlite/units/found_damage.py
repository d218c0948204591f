"""Remembers that a page of the database was damaged, because a write could spread the damage."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.files import identity
from holdfast.domain.errors import StoreDamagedError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.units.opening import OpenDatabase


class FoundDamage:
    """The damage that reads of this process found, until another file is in its place."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._problem = ""
        self._file: tuple[int, int] | None = None

    @contextmanager
    def noted(self, opened: OpenDatabase) -> Generator[None, None, None]:
        """Note it if the block meets a damaged page of the file that it reads.

        The path may have another file meanwhile. A copy proves nothing about the file itself.
        """
        try:
            yield
        except (apsw.CorruptError, apsw.NotADBError) as error:
            if opened.snapshot is None:
                self._problem, self._file = f"{error}.", opened.identity
            raise

    def refuse(self) -> None:
        """Refuse a write into a file that was found damaged.

        Raises:
            StoreDamagedError: It was, and it has not been repaired or replaced since.
        """
        if self._file is None:
            return
        if self._file == identity(self._database):
            raise StoreDamagedError(self._database, self._problem)
        self._file = None
