"""Rows that a unit of work adds, sent together: one statement for each table instead of each row.

A statement that reads is sent after the rows that wait, so it sees them. What a unit of work has
announced and what is not in the store needs no question either.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, cast

from holdfast.adapters.postgres.database.failures import not_text
from holdfast.domain.errors import UnstorableTextError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.sqlite.database.rows import Row, Value

    Values = tuple[Value, ...] | Mapping[str, Value] | None
    Rows = list[tuple[Value, ...]]

SETS = {
    "add_memory": "add_memories",
    "put_standing": "put_standings",
    "add_parts": "add_many_parts",
    "add_tag": "add_tags",
    "add_name": "add_names",
    "add_band": "add_bands",
    "add_term": "add_terms",
    "add_common_term": "add_common_terms",
    "count_added": "count_all_added",
    "add_event": "add_events",
    "add_said_word": "add_said_words",
    "put_bundle": "put_bundles",
}
"""The statements that add one row, and those that add many, in the order of the foreign keys."""
_REPLACING = frozenset({"put_standing", "put_bundle"})
_OF_CHECKED_TEXT = frozenset({"add_term", "add_band", "add_common_term"})
# The server adds these rows while the unit of work prepares the next ones.
_MOST_ROWS = 5_000
_NUL = "\x00"
_NUMBERS = frozenset({int, float})
_BETWEEN_TEXTS = '","'
_NUL_PROBLEM = "It contains a NUL character."


class WaitingRows:
    """The rows that a unit of work has added and not sent yet."""

    def __init__(self) -> None:
        self._rows: dict[str, Rows] = {}
        self._count = 0

    def add(self, name: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Keep rows for later.

        Raises:
            UnstorableTextError: A text cannot be stored; it is refused now, not with the others.
        """
        if name not in _OF_CHECKED_TEXT:
            for value in chain.from_iterable(rows):
                if isinstance(value, str):
                    _refuse_unstorable(value)
        self._rows.setdefault(name, []).extend(rows)
        self._count += len(rows)

    @property
    def are_many(self) -> bool:
        """Whether they should be sent now."""
        return self._count >= _MOST_ROWS

    def taken(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Remove all rows; yield each statement with the columns of its rows, as arrays."""
        rows, self._rows, self._count = self._rows, {}, 0
        for name, many in SETS.items():
            found = rows.get(name)
            if not found:
                continue
            if name in _REPLACING:
                # One statement cannot replace a row twice; the last one counts.
                found = list({row[0]: row for row in found}.values())
            yield many, tuple(as_array(column) for column in zip(*found, strict=True))


def as_array(column: Sequence[Value]) -> str:
    """Return a column as the text of an array; the driver's own way takes several times as long.

    A column of one type is joined and escaped whole, because an import has hundreds of values for
    each memory.
    """
    kinds = set(map(type, column))
    if kinds <= _NUMBERS:
        return f"{{{','.join(map(repr, column))}}}"
    if kinds == {str}:
        # No text has the separator: a text with it is refused before.
        escaped = _escaped(_NUL.join(cast("Sequence[str]", column)))
        return f'{{"{escaped.replace(_NUL, _BETWEEN_TEXTS)}"}}'
    return f"{{{','.join(map(_element, column))}}}"


def _element(value: Value) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return repr(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _refuse_unstorable(text: str) -> None:
    if _NUL in text:
        raise UnstorableTextError(what="text", problem=_NUL_PROBLEM)
    try:
        text.encode()
    except UnicodeError as error:
        raise not_text(error) from error


class AnnouncedMemories:
    """What the store has of memories that a unit of work is about to add.

    A question whose answer is known to be empty is not sent. What the unit of work adds itself is
    taken out, so that later questions about it are sent.
    """

    def __init__(self) -> None:
        self._absent: dict[str, set[Value]] = {"id": set(), "near": set(), "band": set()}

    def announce(self, kind: str, wanted: Collection[Value], present: Collection[Value]) -> None:
        """Note which of the announced values the store does not have."""
        self._absent[kind] |= set(wanted) - set(present)

    def note(self, name: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Note rows that the unit of work adds."""
        if name == "add_memory":
            self._absent["id"].difference_update(row[_ID] for row in rows)
            self._absent["near"].difference_update(row[_NEAR] for row in rows)
        elif name == "add_band":
            self._absent["band"].difference_update(row[0] for row in rows)

    def knows_empty(self, name: str, values: Values) -> bool:
        """Return whether a query by name is known to return no rows."""
        if name in {"tombstone", "sequence_of", "is_used"}:
            return cast("Sequence[Value]", values)[0] in self._absent["id"]
        if name not in {"take_by_near", "take_by_bands"}:
            return False
        given = cast("Mapping[str, Value]", values)
        if name == "take_by_near":
            return given["near"] in self._absent["near"]
        bands = json.loads(str(given["bands"]))
        return bool(bands) and all(band in self._absent["band"] for band in bands)


_ID, _NEAR = 1, 21


def present(rows: Sequence[Row]) -> dict[str, list[Value]]:
    """Return what the store has, by its kind."""
    found: dict[str, list[Value]] = {"id": [], "near": [], "band": []}
    for kind, text, near, band in rows:
        found[kind].append(text if kind == "id" else near if kind == "near" else band)
    return found
