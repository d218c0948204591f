"""Cursors of the reference store.

Their form differs from other stores on purpose: a caller that parses a cursor fails here.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Cursor, Slice
from holdfast.domain.refusals import BadCursorError

_MARK = "after "
_BASE = 36
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def sliced(records: Sequence[MemoryRecord]) -> Slice[MemoryRecord]:
    """Return the records with the cursor of the next page."""
    return Slice(records, beyond=_cursor(records[-1].sequence) if records else None)


def sequence_in(cursor: Cursor) -> int:
    """Return the sequence of the last record before a cursor.

    Raises:
        BadCursorError: It is not a cursor of this store.
    """
    digits = cursor.removeprefix(_MARK)
    if not cursor.startswith(_MARK) or not digits or set(digits) - set(_DIGITS):
        raise BadCursorError
    return int(digits[::-1], _BASE)


def _cursor(sequence: int) -> Cursor:
    digits = ""
    while sequence:
        sequence, digit = divmod(sequence, _BASE)
        digits += _DIGITS[digit]
    return Cursor(f"{_MARK}{digits}")
