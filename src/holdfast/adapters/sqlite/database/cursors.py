"""Cursors of this store; with one writer at a time, sequences follow the order of commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Cursor, Slice
from holdfast.domain.refusals import BadCursorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord

_MOST_DIGITS = 18


def sliced(records: Sequence[MemoryRecord], *, last: int | None) -> Slice[MemoryRecord]:
    """Return the records with the cursor of the next page.

    ``last`` is the last sequence of the page; its record may be damaged and left out.
    """
    return Slice(records, beyond=None if last is None else Cursor(str(last)))


def sequence_in(cursor: Cursor) -> int:
    """Return the sequence of the last record before a cursor.

    Raises:
        BadCursorError: It is not a cursor of this store.
    """
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= _MOST_DIGITS):
        raise BadCursorError
    return int(cursor)
