"""The links between memories.

Ids and tombstones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import exists
from holdfast.adapters.sqlite.database.rows import Row, Value, as_json, checked, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.tombstones import grave_of, grave_values, tombstone_of
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Tombstone

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.documents.documents import SqliteDocuments
    from holdfast.adapters.sqlite.encryption.ciphertexts import SqliteCiphertexts

LINK = "link"


class SqliteLinks:
    """Links by their ends and kind."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, link: Link) -> None:
        """Write a link, or its new score."""
        self.work.moment()
        for end in (link.src, link.dst):
            if self.work.row("sequence_of", end) is None:
                raise NoSuchError(noun="memory", reference=end)
        values = sealed(LINK, (link.src, link.dst, str(link.kind), float(link.score) + 0.0))
        self.work.run("put_link", *values)
        self.work.record("link.put", _subject(link), values[-1])

    def touching(self, memory_id: MemoryId) -> Sequence[Link]:
        """Return the links from and to a memory, strongest first."""
        return self._links(self.work.rows("links_touching", {"id": memory_id}))

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return the links that touch any of these memories."""
        return self._links(self.work.rows("links_among", {"ids": as_json(list(memory_ids))}))

    def remove(self, link: Link) -> bool:
        """Remove a link; return whether it existed."""
        self.work.moment()
        if self.work.row("drop_link", link.src, link.dst, link.kind) is None:
            return False
        self.work.record("link.removed", _subject(link))
        return True

    def page(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return links ordered by their ends and kind, starting after ``beyond``."""
        after = ("", "", "") if beyond is None else (beyond.src, beyond.dst, str(beyond.kind))
        return self._links(self.work.rows("links_after", (*after, limit)))

    def contradictions(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return the links of kind ``contradicts``, ordered by their ends."""
        after = ("", "") if beyond is None else (beyond.src, beyond.dst)
        return self._links(self.work.rows("contradictions_after", (*after, limit)))

    def _links(self, rows: Sequence[Row]) -> tuple[Link, ...]:
        return tuple(self.work.sound(rows, self._link))

    def _link(self, row: Row) -> Link:
        checked(LINK, row, path=self.work.path, name=f"{row[0]} {row[1]} {row[2]}")
        return Link(src=MemoryId(row[0]), dst=MemoryId(row[1]), kind=row[2], score=row[3])


def _subject(link: Link) -> str:
    return f"{link.src} {link.dst} {link.kind}"


_LAST_LETTER = "\U0010ffff"


class SqliteNames:
    """Completes abbreviated ids, and holds the tombstones of forgotten memories."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @cached_property
    def ciphertexts(self) -> SqliteCiphertexts:
        """The encrypted contents of sensitive records."""
        from holdfast.adapters.sqlite.encryption.ciphertexts import SqliteCiphertexts

        return SqliteCiphertexts(self.work)

    @cached_property
    def documents(self) -> SqliteDocuments:
        """The records of frameworks."""
        from holdfast.adapters.sqlite.documents.documents import SqliteDocuments

        return SqliteDocuments(self.work)

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of every type with a prefix, in order; forgotten memories included."""
        values: dict[str, Value] = {"prefix": prefix, "end": prefix + _LAST_LETTER, "limit": limit}
        return self._names("names_starting", values)

    def ending(self, prefix: str, letters: str, *, limit: int) -> Sequence[str]:
        """Return the ids with a prefix that end with these letters; forgotten ones included."""
        values: dict[str, Value] = {"prefix": prefix, "end": prefix + _LAST_LETTER}
        values |= {"letters": letters, "limit": limit}
        return self._names("names_ending", values, letters)

    def _names(self, query: str, values: dict[str, Value], letters: str = "") -> Sequence[str]:
        """Return the stored ids and those of the bundles that wait to be stored, in order."""
        prefix, limit = str(values["prefix"]), int(str(values["limit"]))
        stored = tuple(row[0] for row in self.work.rows(query, values))
        if not exists(f"{self.work.path}-pending"):
            return stored
        from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles

        waiting = PendingBundles(self.work)
        named = (
            name for name in waiting.ids() if name.startswith(prefix) and name.endswith(letters)
        )
        found = {*stored, *(name for name in named if waiting.get(name) is not None)}
        return tuple(sorted(found)[:limit])

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return the tombstone of a forgotten memory, or None."""
        return grave_of(memory_id, work=self.work)

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones in the order of their ids, starting after ``beyond``."""
        rows = self.work.rows("tombstones", (beyond, limit))
        path = self.work.path
        return tuple(self.work.sound(rows, lambda row: tombstone_of(row, path=path)))

    def bury(self, tombstone: Tombstone) -> None:
        """Store a tombstone; another one of that memory is replaced."""
        self.work.moment()
        if grave_of(tombstone.memory_id, work=self.work) != tombstone:
            values = grave_values(tombstone)
            self.work.run("put_tombstone", *values)
            self.work.record("tombstone.buried", tombstone.memory_id, values[-1])
