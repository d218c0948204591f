"""Ids and tombstones."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.adapters.sqlite.database.rows import Value
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.tombstones import grave_of, grave_values, tombstone_of
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Tombstone

_LAST_LETTER = "\U0010ffff"


class SqliteNames:
    """Completes abbreviated ids, and holds the tombstones of forgotten memories."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of every type with a prefix, in order; forgotten memories included."""
        values: dict[str, Value] = {"prefix": prefix, "end": prefix + _LAST_LETTER, "limit": limit}
        return tuple(row[0] for row in self.work.rows("names_starting", values))

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return the tombstone of a forgotten memory, or None."""
        return grave_of(memory_id, work=self.work)

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones in the order of their ids, starting after ``beyond``."""
        rows = self.work.rows("tombstones", (beyond, limit))
        path = self.work.path
        return tuple(self.work.sound(rows, lambda row: tombstone_of(row, path=path)))

    def bury(self, tombstone: Tombstone) -> None:
        """Store an imported tombstone; storing it again changes nothing."""
        self.work.moment()
        if grave_of(tombstone.memory_id, work=self.work) is None:
            values = grave_values(tombstone)
            self.work.run("add_tombstone", *values)
            self.work.record("tombstone.buried", tombstone.memory_id, values[-1])
