"""Seals of the keyword index: a checksum of each part, compared before a search reads the part.

A flipped bit usually leaves a well-formed index that finds other memories. FTS5 writes the index by
itself, so a hook of SQLite sees which parts change, and the commit writes their seals. A part that
is replaced must match its seal too: otherwise a merge would carry damage into a sealed part.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, cast
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import LiteralString

    import apsw

    from holdfast.adapters.sqlite.database.rows import Row

_BLOCK, _LIST, _SIZES, _EXTENT = range(4)
_HOOK = "holdfast-word-seals"
_SIZES_TOGETHER = 6
_MAIN_INDEX = b"0"
_ALL_SIZES_UP_TO = 20_000
_SEVEN_BITS, _MORE_FOLLOWS = 7, 0x80

Place = tuple[int, int]
"""A part of the index and its number."""


class Extent(NamedTuple):
    """The highest number that a memory got, and the number of memories."""

    last: int
    memories: int


class _Compared(NamedTuple):
    """The seals as they are stored, and the checksums of what is in the index now."""

    stored: dict[Place, int]
    found: dict[Place, int]


class WordSeals:
    """The seals in one transaction; a unit of work collects which parts it changes.

    The queries are given, because a hook loads only these and not all of the store.
    """

    def __init__(self, connection: apsw.Connection, sql: Mapping[str, LiteralString]) -> None:
        self._connection = connection
        self._sql = sql
        self._known: set[str] = set()
        self._is_watching = False
        self.extent: Extent | None = None
        self._forget_changes()

    def watch(self) -> None:
        """Note from now on which parts of the index change."""
        self._is_watching = True
        self._connection.preupdate_hook(self._note, id=_HOOK)

    def has_changes(self) -> bool:
        """Return whether this unit of work changed a part of the index."""
        return bool(self._changed)

    def write(self) -> bool:
        """Seal what this unit of work changed; return False if it replaced a damaged part."""
        lists = [number for part, number in self._changed if part == _LIST]
        sizes = [number for part, number in self._changed if part == _SIZES]
        replaced = [number for _, number in self._replaced]
        asked = {"replaced": replaced, "lists": lists, "sizes": sizes}
        values = {name: json.dumps(numbers) for name, numbers in asked.items()}
        stored, found = self._compared(self._rows("changed_parts", values))
        if stored != self._replaced:
            return False
        now = {place: seal for place, seal in self._changed.items() if seal is not None} | found
        self._put(now)
        if dropped := [place for place in self._changed if place not in now]:
            self._rows("drop_seals", (json.dumps(dropped),))
        self._forget_changes()
        return True

    def begin_again(self) -> None:
        """Seal the whole index, after it was built again."""
        self._forget_changes()
        self._rows("drop_all_seals")
        self._put(self._compared(self._rows("sealed_index")).found)

    def all_hold(self) -> bool:
        """Compare the whole index with its seals."""
        stored, found = self._compared(self._rows("sealed_index"))
        return stored == found

    def hold_for(self, words: Iterable[str], *, with_sizes: bool = True) -> bool:
        """Compare everything that a search for words reads.

        Above 20,000 memories only the sizes of hits are compared (``sizes_hold``).
        """
        fresh = set(words) - self._known
        if not fresh:
            return True
        rows = self._rows(
            "sealed_search",
            {
                "words": json.dumps(sorted((_MAIN_INDEX + word.encode()).hex() for word in fresh)),
                "is_first": self.extent is None,
                "few": _ALL_SIZES_UP_TO if with_sizes else -1,
            },
        )
        if not self._is_equal([row for row in rows if row[0] != _EXTENT]):
            return False
        if not self._note_extent(rows):
            return False
        self._known |= fresh
        return True

    def _note_extent(self, rows: list[Row]) -> bool:
        """Note the number of memories, once; return whether the index has as many texts.

        In a unit of work the block of averages may be older than the memories.
        """
        for part, last, memories, _ in rows:
            if part == _EXTENT:
                self.extent = Extent(last=last, memories=memories)
                block = next((row[3] for row in rows if row[:3] == (_BLOCK, 1, None)), None)
                return self._is_watching or counted_texts(block) == memories
        return True

    def sizes_hold(self, sequences: Iterable[int]) -> bool:
        """Compare the sizes of hits, which decide their order, unless all were compared."""
        if self.extent is None or self.extent.last <= _ALL_SIZES_UP_TO:
            return True
        numbers = sorted({one >> _SIZES_TOGETHER for one in sequences})
        return self._is_equal(self._rows("sealed_sizes", {"numbers": json.dumps(numbers)}))

    def _is_equal(self, rows: list[Row]) -> bool:
        """Return whether parts match their seals; what this unit of work changed has none yet."""
        stored, found = self._compared(rows)
        return all(
            stored.get(place) == found.get(place)
            for place in stored.keys() | found.keys()
            if place not in self._changed
        )

    def _compared(self, rows: list[Row]) -> _Compared:
        compared = _Compared({}, {})
        for part, number, seal, content in rows:
            if seal is None:
                compared.found[part, number] = _seal(content)
            else:
                compared.stored[part, number] = seal
        return compared

    def _note(self, change: apsw.PreUpdate) -> None:
        """Note a change of the index; SQLite calls this for every row that changes."""
        table = change.table_name
        if not table.startswith("memory_fts_") or change.database_name != "main":
            return
        old, new = change.old or (), change.new or ()
        key = cast("int", next(iter(new or old)))
        if table == "memory_fts_docsize":
            self._changed[_SIZES, key >> _SIZES_TOGETHER] = None
        elif table == "memory_fts_idx":
            self._changed[_LIST, key] = None
        elif table == "memory_fts_data":
            place = (_BLOCK, key)
            if old and place not in self._changed:
                self._replaced[place] = _seal(old[1])
            self._changed[place] = _seal(new[1]) if new else None

    def _forget_changes(self) -> None:
        # The seals of changed blocks; None for a removed one, and for lists and sizes.
        self._changed: dict[Place, int | None] = {}
        self._replaced: dict[Place, int] = {}

    def _put(self, seals: Mapping[Place, int]) -> None:
        self._rows("put_seals", (json.dumps([(*place, seal) for place, seal in seals.items()]),))

    def _rows(
        self, query: str, values: tuple[str, ...] | Mapping[str, str | int] | None = None
    ) -> list[Row]:
        return self._connection.execute(self._sql[query], values).fetchall()


def _seal(content: object) -> int:
    """Return the seal of a block, or of a text; damage can leave any type."""
    if isinstance(content, str):
        content = content.encode()
    return crc32(content) if isinstance(content, bytes) else -1


def counted_texts(block: bytes | None) -> int:
    """Return the number of texts that the index's first block states; 0 if it is zeroed.

    The block is updated when a unit of work is committed, not before.
    """
    number = 0
    for byte in block or b"":
        number = (number << _SEVEN_BITS) | (byte & ~_MORE_FOLLOWS)
        if byte < _MORE_FOLLOWS:
            return number
    return 0
