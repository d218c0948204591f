"""The rows of the last list in each terminal, so that the next command can name one by its number.

A cache file with one line for each terminal: the ids with the hashes of what was shown, the time,
and the terminal. It holds no text of a memory.
"""

from __future__ import annotations

import time

from holdfast.adapters.machine.caches import read_records, write_records

_FILE = "cache/rows"
_SECONDS = 12 * 3_600
_MOST_TERMINALS = 32
_LARGEST = 1 << 21


def note_rows(home: str, terminal: str, rows: list[tuple[str, str]]) -> None:
    """Record the rows of a list: an id each, and the hash of what was shown; '' for none."""
    others = [one for one in _read(home) if one[2] != terminal][-_MOST_TERMINALS + 1 :]
    ids = ",".join(f"{name}={shown}" for name, shown in rows)
    write_records(f"{home}/{_FILE}", [*others, (ids, str(int(time.time())), terminal, "-")])


def rows_in(home: str, terminal: str) -> list[tuple[str, str]]:
    """Return the rows of the last list in a terminal; none after half a day."""
    for ids, at, name, _ in _read(home):
        if name == terminal and 0 <= time.time() - int(at) < _SECONDS:
            pairs = (one.partition("=") for one in ids.split(",") if one)
            return [(name, shown) for name, _, shown in pairs]
    return []


def _read(home: str) -> list[tuple[str, str, str, str]]:
    return [
        (ids, at, terminal, rest)
        for ids, at, terminal, rest in read_records(f"{home}/{_FILE}", largest=_LARGEST)
        if at.isdecimal()
    ]
