"""Caches the counts of a badge, so that the next prompt does not open the store.

A line has the counts, their time and a fingerprint of the state. A count is used for a minute at
most, because memories expire and settings change without changing that fingerprint.
"""

from __future__ import annotations

import os
import time

_FILE = "cache/badge"
_SECONDS = 60
_LARGEST = 1 << 16
_FIELDS = 4
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
    from contextlib import suppress
    from pathlib import Path

    from holdfast.adapters.disk.whole import write_whole

    lines = [*_read(home), (*counts, int(time.time()), state)][-_MOST_LINES:]
    text = "".join(f"{one}\t{other}\t{at}\t{noted}\n" for one, other, at, noted in lines)
    with suppress(OSError):
        write_whole(Path(home) / _FILE, text.encode("utf-8", "surrogateescape"), durable=False)


def _read(home: str) -> list[tuple[int, int, int, str]]:
    try:
        handle = os.open(f"{home}/{_FILE}", os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return []
    try:
        text = os.read(handle, _LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return []
    finally:
        os.close(handle)
    now, found = int(time.time()), []
    for line in text.split("\n"):
        words = line.split("\t", _FIELDS - 1)
        if len(words) == _FIELDS and all(word.isdecimal() for word in words[:3]):
            found.append((int(words[0]), int(words[1]), int(words[2]), words[3]))
    return [one for one in found if 0 <= now - one[2] < _SECONDS]


def _stamp(path: str) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 - a prompt does not pay for pathlib
    except (OSError, ValueError):
        return "-"
    return f"{status.st_ino}.{status.st_size}.{status.st_mtime_ns}"
