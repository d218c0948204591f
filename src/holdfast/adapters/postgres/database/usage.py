"""How often memories were given, counted once for all bundles of a unit of work."""

from __future__ import annotations

from functools import cached_property, reduce
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.memory.memories import SqliteMemories, SqliteUsageCounts
from holdfast.adapters.sqlite.memory.memory_rows import usage_in, usage_values
from holdfast.domain.memory.memory import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.domain.ids import MemoryId


class PostgresUsageCounts(SqliteUsageCounts):
    """The counts of one unit of work; what was given is counted before its next question."""

    def __init__(self, work: PostgresWork, sequence: Callable[[MemoryId], int]) -> None:
        super().__init__(work, sequence)
        self._do_later = work.do_later
        self._given: dict[MemoryId, list[datetime]] = {}

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more."""
        self._work.moment()
        if not self._given:
            self._do_later(self._count)
        for name in dict.fromkeys(memory_ids):
            self._given.setdefault(name, []).append(at)

    def _count(self) -> None:
        given, self._given = self._given, {}
        path = self._work.path
        changed = [
            usage_values(
                sequence,
                reduce(Usage.given_at, given[name], usage_in(tuple(usage), path=path, name=name)),
            )
            for sequence, name, *usage in self._work.rows("usage_of", (as_json(list(given)),))
        ]
        if changed:
            self._write(changed)


class PostgresMemories(SqliteMemories):
    """The memories of one transaction on a server."""

    def __init__(self, work: PostgresWork) -> None:
        super().__init__(work)
        self._server_work = work

    @cached_property
    def _counts(self) -> PostgresUsageCounts:
        return PostgresUsageCounts(self._server_work, self.sequence)

    @property
    def usage(self) -> SqliteUsageCounts:
        """How often memories were returned, and whether they helped."""
        return self._counts
