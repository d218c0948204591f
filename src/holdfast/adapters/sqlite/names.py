"""Ids and tombstones."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.adapters.sqlite.rows import Value
from holdfast.adapters.sqlite.tombstones import grave_of, grave_values, tombstone_of
from holdfast.adapters.sqlite.work import Work
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory import Tombstone

_LAST_LETTER = "\U0010ffff"


class SqliteNames:
    """Finds what people mean when they write the start of an id, and what is gone."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of any noun that start so, in order; a forgotten one is still a name."""
        values: dict[str, Value] = {"prefix": prefix, "end": prefix + _LAST_LETTER, "limit": limit}
        return tuple(row[0] for row in self.work.rows("names_starting", values))

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return what is left of a forgotten memory."""
        return grave_of(memory_id, work=self.work)

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones by id, after the one named."""
        rows = self.work.rows("tombstones", (beyond, limit))
        return tuple(tombstone_of(row, path=self.work.path) for row in rows)

    def bury(self, tombstone: Tombstone) -> None:
        """Keep a tombstone that came from elsewhere, once."""
        self.work.moment()
        if grave_of(tombstone.memory_id, work=self.work) is None:
            values = grave_values(tombstone)
            self.work.run("add_tombstone", *values)
            self.work.record("tombstone.buried", tombstone.memory_id, values[-1])
