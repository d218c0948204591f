"""How often memories were returned and how they were rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.memory.memory_rows import usage_in, usage_values

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from holdfast.adapters.sqlite.database.rows import Value
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Usage


class SqliteUsageCounts:
    """The counts of one unit of work.

    A row carries a hash over its columns, so it is read before it is written. No other writer can
    change it in between: a unit of work holds the write lock from its first statement.
    """

    def __init__(self, work: Work, sequence: Callable[[MemoryId], int]) -> None:
        self._work = work
        self._sequence = sequence

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more."""
        self._change(memory_ids, lambda usage: usage.given_at(at))

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory."""
        self._change(memory_ids, lambda usage: usage.rated(before=before, now=now))

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory."""
        self._work.moment()
        self._write([usage_values(self._sequence(memory_id), usage)])

    def _change(self, memory_ids: Collection[MemoryId], counted: Callable[[Usage], Usage]) -> None:
        work = self._work
        work.moment()
        rows = work.rows("usage_of", (as_json(list(dict.fromkeys(memory_ids))),))
        changed = [
            usage_values(sequence, counted(usage_in(tuple(usage), path=work.path, name=name)))
            for sequence, name, *usage in rows
        ]
        if changed:
            self._write(changed)

    def _write(self, rows: Sequence[tuple[Value, ...]]) -> None:
        self._work.run("put_usages", as_json(rows))
        self._work.did.add("memory.usage")
