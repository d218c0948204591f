"""The check of every sealed row and every event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_hex, holds
from holdfast.adapters.sqlite.database.work import event_of
from holdfast.adapters.sqlite.derived.scanning import MEMORY, TABLES, Table, Unreadable, scan
from holdfast.domain.memory.event import GENESIS
from holdfast.domain.memory.memory import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

_VALUE, _CONTENT_HASH = 9, 20


def altered_rows(connection: apsw.Connection) -> list[str]:
    """Return a message for each row that differs from what was written."""
    return [said for table in TABLES for said in _altered(table, connection)]


def broken_links_of_the_log(connection: apsw.Connection) -> list[str]:
    """Return a message for each place where the hash chain of events is broken."""
    said: list[str] = []
    last, previous = 0, GENESIS
    for row in scan("event", connection):
        if isinstance(row, Unreadable):
            said.append(f"Event {row.number:,} cannot be read.")
            continue
        event = event_of(row)
        if event.hash != as_hex(row[-1]):
            said.append(f"Event {event.sequence:,} is not what was written.")
        elif (event.sequence, event.previous) != (last + 1, previous):
            said.append(f"Event {event.sequence:,} does not follow event {last:,}.")
        last, previous = event.sequence, as_hex(row[-1])
    return said


def name_of(table: Table, row: Row) -> str:
    """Return the name of a row in messages."""
    if table.noun == "link":
        return f"{row[0]} {row[1]} {row[2]}"
    if table.noun in {"weights", "rewrite"}:
        return f"{row[0]} {row[1]}"
    if table.noun in {"standing", "usage", "evidence"}:
        return f"of memory number {row[0]}"
    return str(row[1] if table is MEMORY else row[0])


def _altered(table: Table, connection: apsw.Connection) -> Iterator[str]:
    for row in scan(table.name, connection):
        if isinstance(row, Unreadable):
            yield f"The {table.noun} in row {row.number:,} cannot be read."
        elif not holds(table.noun, row) or not _content_fits(table, row):
            yield f"The {table.noun} {name_of(table, row)} is not what was written."


def _content_fits(table: Table, row: Row) -> bool:
    if table is not MEMORY:
        return True
    return bool(content_hash(row[_VALUE]) == as_hex(row[_CONTENT_HASH]))
