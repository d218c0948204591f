"""Finds the rows of a damaged file in its pages, without the trees that lead to them.

A table is a tree of pages. If a page near its root is damaged, SQLite finds none of the rows below
it, although the pages with these rows are intact. Each sealed row has a hash over its columns and
the noun of its table, so a row that is found in a page proves by itself which table it belongs to.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import exists
from holdfast.adapters.sqlite.database.rows import Row, Value, as_hex, holds
from holdfast.adapters.sqlite.database.work import event_of
from holdfast.adapters.sqlite.derived.scanning import EVENT, TABLES, Table
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from typing import BinaryIO

    import apsw

    from holdfast.adapters.sqlite.database.connection import StoreOptions
    from holdfast.adapters.sqlite.database.work import Work

_PAGE = 4_096
_LOG_HEADER, _FRAME_HEADER = 32, 24
_MAGIC, _FILE_HEADER, _RESERVED_AT = b"SQLite format 3\0", 100, 20
_LEAF, _LEAF_HEADER = 13, 8
_MOST_CELLS = _PAGE // 4
_NULL, _FLOAT, _ZERO, _ONE, _FIRST_BLOB = 0, 7, 8, 9, 12
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_HASH_BYTES = 32
_SEVEN_BITS, _MORE_FOLLOWS, _LAST_VARINT_BYTE = 7, 0x80, 8
_BROKEN = (IndexError, ValueError, struct.error)


class RawPages:
    """The pages of a database; a page of the write-ahead log replaces that of the file."""

    def __init__(self, file: BinaryIO, log: BinaryIO | None = None) -> None:
        self._file = file
        self._newer = {} if log is None else _last_committed(log)
        self._in_file = -(-file.seek(0, os.SEEK_END) // _PAGE)
        first = self.page(1)
        # A damaged header states nothing; only a file that was encrypted once reserves bytes.
        self.usable = _PAGE - (first[_RESERVED_AT] if first.startswith(_MAGIC) else 0)

    def numbers(self) -> Iterator[int]:
        """Return the numbers of all pages; those of the log may lie far beyond the file."""
        yield from range(1, self._in_file + 1)
        yield from (number for number in self._newer if number > self._in_file)

    def page(self, number: int) -> bytes:
        """Return the content of a page, empty if there is none; numbers start at 1."""
        if number in self._newer:
            return self._newer[number]
        self._file.seek((number - 1) * _PAGE)
        return self._file.read(_PAGE)


@contextmanager
def pages_of(
    path: str, opened: apsw.Connection, options: StoreOptions
) -> Generator[RawPages, None, None]:
    """Yield the pages of a damaged file; those of an encrypted one are read through SQLite."""
    if options.lock is not None and options.lock.key_id is not None:
        yield RawPages(BytesIO(opened.serialize("main")))
        return
    with ExitStack() as files:
        log = f"{path}-wal"
        yield RawPages(
            files.enter_context(open(path, "rb")),
            files.enter_context(open(log, "rb")) if exists(log) else None,
        )


def _last_committed(log: BinaryIO) -> dict[int, bytes]:
    """Return the newest content of each page in a write-ahead log, up to its last commit."""
    committed: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    log.seek(_LOG_HEADER)
    salts = None
    while len(frame := log.read(_FRAME_HEADER + _PAGE)) == _FRAME_HEADER + _PAGE:
        number, pages_after_commit = struct.unpack_from(">II", frame)
        # Frames after the last one of this round are older than the file; their salts differ.
        salts = salts or frame[8:16]
        if frame[8:16] != salts:
            break
        waiting[number] = frame[_FRAME_HEADER:]
        if pages_after_commit:
            committed |= waiting
            waiting = {}
    return committed


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredShape:
    """How the rows of a table are stored: the columns that are numbers with a fraction, and so on.

    ``alias`` is the column that SQLite stores as the number of the row, ``key`` its primary key.
    """

    table: Table
    columns: int
    fractions: tuple[int, ...]
    key: tuple[int, ...]
    alias: int | None

    def row(self, number: int, values: list[Value]) -> Row:
        """Return a stored record as a query returns it."""
        found = list(values)
        if self.alias is not None and found[self.alias] is None:
            found[self.alias] = number
        for place in self.fractions:
            value = found[place]
            if isinstance(value, int):
                found[place] = float(value)
        return tuple(found)

    def key_of(self, row: Row) -> Row:
        """Return the primary key of a row."""
        return tuple(row[place] for place in self.key)


def shapes(new: Work) -> dict[str, StoredShape]:
    """Return the shape of each sealed table, by name, as a new store defines it."""
    return {table.name: _shape(table, new) for table in (*TABLES, EVENT)}


def _shape(table: Table, new: Work) -> StoredShape:
    columns = new.rows("columns_of", (table.name,))
    key = tuple(place for place, (_, is_key) in enumerate(columns) if is_key)
    is_number = len(key) == 1 and columns[key[0]][0] == "INTEGER"
    return StoredShape(
        table=table,
        columns=len(columns),
        fractions=tuple(place for place, (kind, _) in enumerate(columns) if kind == "REAL"),
        key=key,
        alias=key[0] if is_number else None,
    )


def carve(pages: RawPages, known: dict[str, StoredShape]) -> Iterator[tuple[StoredShape, Row]]:
    """Return every intact row in the pages of a file, with the shape of its table.

    A row that was moved to another page may be found twice, and one that was replaced may be found
    in its earlier state.
    """
    by_columns: dict[int, list[StoredShape]] = {}
    for shape in known.values():
        by_columns.setdefault(shape.columns, []).append(shape)
    for number in pages.numbers():
        for row_number, values in _records(number, pages):
            for shape in by_columns.get(len(values), ()):
                row = shape.row(row_number, values)
                if _is_whole(shape.table, row):
                    yield shape, row
                    break


def _is_whole(table: Table, row: Row) -> bool:
    if not isinstance(row[-1], bytes) or len(row[-1]) != _HASH_BYTES:
        return False
    return event_of(row).hash == as_hex(row[-1]) if table is EVENT else holds(table.noun, row)


def _records(number: int, pages: RawPages) -> Iterator[tuple[int, list[Value]]]:
    """Return the records of a page with their numbers; none if it is not the leaf of a table."""
    page = pages.page(number)
    start = _FILE_HEADER if number == 1 else 0
    if len(page) < _PAGE or page[start] != _LEAF:
        return
    cells = int.from_bytes(page[start + 3 : start + 5])
    for cell in range(min(cells, _MOST_CELLS)):
        pointer = start + _LEAF_HEADER + 2 * cell
        try:
            yield _record(page, int.from_bytes(page[pointer : pointer + 2]), pages)
        except _BROKEN:
            continue


def _record(page: bytes, place: int, pages: RawPages) -> tuple[int, list[Value]]:
    size, place = _varint(page, place)
    number, place = _varint(page, place)
    payload = _payload(page, place, size, pages)
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return _signed(number), values


def _payload(page: bytes, place: int, size: int, pages: RawPages) -> bytes:
    """Return the whole payload of a cell; its end may be in a chain of other pages."""
    usable = pages.usable
    if size <= usable - 35:
        return page[place : place + size]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (size - least) % (usable - 4)
    local = local if local <= usable - 35 else least
    parts, found, seen = [page[place : place + local]], local, {0}
    following = int.from_bytes(page[place + local : place + local + 4])
    while found < size and following not in seen:
        seen.add(following)
        content = pages.page(following)
        parts.append(content[4 : min(usable, 4 + size - found)])
        found += usable - 4
        following = int.from_bytes(content[:4])
    return b"".join(parts)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in {_NULL, _ZERO, _ONE}:
        return (None if kind == _NULL else kind - _ZERO), at
    if kind == _FLOAT:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind < _FLOAT:
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], signed=True), end
    if kind < _FIRST_BLOB:
        raise ValueError(kind)
    end = at + (kind - _FIRST_BLOB) // 2
    raw = payload[at:end]
    return (raw.decode() if kind % 2 else raw), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for place in range(_LAST_VARINT_BYTE):
        byte = data[at + place]
        number = (number << _SEVEN_BITS) | (byte & ~_MORE_FOLLOWS)
        if byte < _MORE_FOLLOWS:
            return number, at + place + 1
    return (number << 8) | data[at + _LAST_VARINT_BYTE], at + _LAST_VARINT_BYTE + 1


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number
