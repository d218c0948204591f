"""Sealed rows: a hash over every column and a random salt, checked on every read.

Cursors of this store; with one writer at a time, sequences follow the order of commits.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.domain.errors import StoreDamagedError, UnstorableTextError
from holdfast.domain.memory.selection import Cursor, Slice, near_form
from holdfast.domain.refusals import BadCursorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord


Value = str | int | float | bytes | None
Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_SALT_BYTES = 12
# The seals of existing rows are hashes of this text, so its bytes must never change.
_encode = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":"), default=bytes.hex
).encode


def millis(moment: datetime) -> int:
    """Return a moment as whole milliseconds since 1970; smaller units are cut off."""
    return (moment - _EPOCH) // _MILLISECOND


def maybe_millis(moment: datetime | None) -> int | None:
    """Return a moment as milliseconds, or None."""
    return None if moment is None else millis(moment)


def moment_of(count: int) -> datetime:
    """Return the moment that many milliseconds after the start of 1970."""
    return _EPOCH + count * _MILLISECOND


def maybe_moment(count: int | None) -> datetime | None:
    """Return the moment of a millisecond count, or None."""
    return None if count is None else moment_of(count)


def as_hex(value: Value) -> str:
    """Return a hash column as text; a damaged value that is not bytes equals no hash."""
    return value.hex() if isinstance(value, bytes) else ""


def as_json(value: object) -> str:
    """Return the text of a JSON column; most lists and objects there are empty."""
    if value in ((), []):
        return "[]"
    return _encode(value) if value != {} else "{}"


def near_hash(claim: str) -> bytes:
    """Return a hash that is equal for claims that differ only in case, articles and punctuation."""
    return hashlib.sha256(near_form(claim).encode()).digest()


def sealed(noun: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the values with a new salt and the hash over all of them."""
    salted = (*values, os.urandom(_SALT_BYTES))
    return (*salted, _seal(noun, salted))


def holds(noun: str, row: Row) -> bool:
    """Return whether a row, with salt and hash at its end, is exactly what was written."""
    return bool(_seal(noun, row[:-1]) == row[-1])


def checked(noun: str, row: Row, *, path: str, name: str) -> Row:
    """Return the row if it is what was written.

    Raises:
        StoreDamagedError: It is not; the error names the row, and others can still be read.
    """
    if not holds(noun, row):
        raise StoreDamagedError(path, f"the {noun} {name} is not what was written.")
    return row


def _seal(noun: str, values: tuple[Value, ...]) -> bytes:
    try:
        return hashlib.sha256(_encode((noun, values)).encode()).digest()
    except UnicodeEncodeError as error:
        raise UnstorableTextError(what=noun, problem="It holds half a character.") from error


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
