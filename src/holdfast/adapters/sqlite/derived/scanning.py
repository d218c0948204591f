"""Reads a table to its end, even if parts of it are damaged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import apsw

from holdfast.adapters.sqlite.database.rows import Row
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.values import dataclass

_CHUNK = 1_000
_LAST_POSSIBLE = 2**62
_BEYOND_KNOWN = 100_000
# If the file does not state its last number, this many unreadable chunks in a row end a scan.
_MOST_BARREN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with sealed rows: the noun in its seals, and the statement that writes a row.

    ``since`` is the number of the schema that added it.
    """

    name: str
    noun: str
    put: str
    since: int = 1


MEMORY = Table(name="memory", noun="memory", put="add_memory")
STANDING = Table(name="memory_standing", noun="standing", put="put_standing")
TABLES = (
    MEMORY,
    STANDING,
    Table(name="memory_usage", noun="usage", put="put_usage"),
    Table(name="memory_evidence", noun="evidence", put="add_evidence"),
    Table(name="tombstone", noun="tombstone", put="add_tombstone"),
    Table(name="memory_link", noun="link", put="put_link"),
    Table(name="session", noun="session", put="put_session"),
    Table(name="interaction", noun="turn", put="put_turn"),
    Table(name="bundle", noun="bundle", put="put_bundle"),
    Table(name="span", noun="span", put="put_span"),
    Table(name="tuning", noun="weights", put="put_tuning", since=3),
    Table(name="span_anchor", noun="anchor", put="put_anchor", since=4),
    Table(name="standpoint", noun="standpoint", put="put_standpoint", since=4),
    Table(name="rewrite", noun="rewrite", put="put_rewrite", since=4),
    Table(name="run", noun="run", put="put_run", since=5),
    Table(name="decision", noun="decision", put="put_decision", since=5),
    Table(name="meta", noun="note", put="put_meta"),
)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The number of a row that cannot be read; the row may never have existed."""

    number: int


def scan(table: str, connection: apsw.Connection) -> Iterator[Row | Unreadable]:
    """Return every row of a table in order; unreadable places are reported and skipped."""
    after = barren = 0
    while True:
        try:
            rows = _rows(table, connection, after, _LAST_POSSIBLE)
        except (apsw.CorruptError, UnicodeDecodeError):
            last = _last_number(connection)
            if after > (_BEYOND_KNOWN if last is None else last):
                return
            until = after + _CHUNK
            found = list(_one_by_one(table, connection, after, until))
            yield from found
            is_barren = all(isinstance(row, Unreadable) for row in found)
            barren = barren + 1 if is_barren and last is None else 0
            if barren == _MOST_BARREN:
                return
            after = until
        else:
            if not rows:
                return
            yield from (row[1:] for row in rows)
            after = rows[-1][0]


def _one_by_one(
    table: str, connection: apsw.Connection, after: int, until: int
) -> Iterator[Row | Unreadable]:
    """Halve the range until each damaged row is isolated."""
    try:
        rows = _rows(table, connection, after, until)
    except (apsw.CorruptError, UnicodeDecodeError):
        if until - after == 1:
            yield Unreadable(until)
            return
        middle = (after + until) // 2
        yield from _one_by_one(table, connection, after, middle)
        yield from _one_by_one(table, connection, middle, until)
    else:
        yield from (row[1:] for row in rows)


def _rows(table: str, connection: apsw.Connection, after: int, until: int) -> list[Row]:
    values = {"after": after, "until": until, "limit": _CHUNK}
    return cast("list[Row]", connection.execute(SQL[f"scan_{table}"], values).fetchall())


def _last_number(connection: apsw.Connection) -> int | None:
    try:
        return int(connection.execute(SQL["last_number"]).get) * 2 + _CHUNK
    except apsw.CorruptError:
        return None
