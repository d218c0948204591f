"""Caches the counts of a badge, so that the next prompt does not open the store.

A line has the counts, their time and a fingerprint of the state. A count is used for a minute at
most, because memories expire and settings change without changing that fingerprint.
"""

from __future__ import annotations

import os
import time

from holdfast.adapters.machine.tab_file import read_records, write_records

_FILE = "cache/badge"
_SECONDS = 60
_LARGEST = 1 << 16
_MOST_LINES = 32


def state_of(*words: str, files: tuple[str, ...]) -> str:
    """Return a fingerprint that changes when one of the words or files changes."""
    return "\v".join((*words, *[_stamp(path) for path in files]))


def counted(home: str, state: str) -> tuple[int, int] | None:
    """Return the counts cached for this state during the last minute."""
    for candidates, conflicts, _, noted in _read(home):
        if noted == state:
            return candidates, conflicts
    return None


def note_counted(home: str, state: str, counts: tuple[int, int]) -> None:
    """Cache counts for the next prompt; a failure is ignored."""
    if "\n" in state:
        return
    lines = [*_read(home), (*counts, int(time.time()), state)][-_MOST_LINES:]
    records = [(str(one), str(other), str(at), noted) for one, other, at, noted in lines]
    write_records(f"{home}/{_FILE}", records)


def _read(home: str) -> list[tuple[int, int, int, str]]:
    now, found = int(time.time()), []
    for *numbers, state in read_records(f"{home}/{_FILE}", largest=_LARGEST):
        if all(number.isdecimal() for number in numbers):
            candidates, conflicts, at = map(int, numbers)
            found.append((candidates, conflicts, at, state))
    return [one for one in found if 0 <= now - one[2] < _SECONDS]


def _stamp(path: str) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 - a prompt does not pay for pathlib
    except (OSError, ValueError):
        return "-"
    return f"{status.st_ino}.{status.st_size}.{status.st_mtime_ns}"
