"""Caches the counts of a badge, so that the next prompt does not open the store.

A line has the counts, their time and a fingerprint of the state. A count is used for a minute at
most, because memories expire and settings change without changing that fingerprint.

Small cache files with one record a line and tabs between its fields.

A prompt reads them, so only the ``os`` module is imported until something is written.

Records which memories had drifted when each checkout was last verified.

It is a small file, so that a prompt can show their number: a line has the ids, the time, the
repository and the checkout. It can be rebuilt at any time, and entries older than a month are
ignored.
"""

from __future__ import annotations

import os
import time

_FIELDS = 4
_END_OF_TIME = 1 << 40


def _now() -> int:
    """Return the seconds since 1970; Python cannot tell them from a clock of centuries ahead."""
    try:
        return int(time.time())
    except OverflowError:
        return _END_OF_TIME


def read_records(path: str, *, largest: int) -> list[list[str]]:
    """Return the records of a file; none if it cannot be read, and no line that is no record."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return []
    try:
        text = os.read(handle, largest).decode("utf-8", "surrogateescape")
    except OSError:
        return []
    finally:
        os.close(handle)
    records = [line.split("\t", _FIELDS - 1) for line in text.split("\n")]
    return [record for record in records if len(record) == _FIELDS]


def write_records(path: str, records: list[tuple[str, str, str, str]]) -> None:
    """Replace the file; a failure is ignored, because the file is only a cache."""
    from contextlib import suppress
    from pathlib import Path

    from holdfast.adapters.disk.atomic_files import write_whole

    text = "".join("\t".join(record) + "\n" for record in records)
    with suppress(OSError):
        write_whole(Path(path), text.encode("utf-8", "surrogateescape"), durable=False)


_BADGE_FILE = "cache/badge"
_SECONDS = 60
_LARGEST_BADGE = 1 << 16
_MOST_LINES = 32


def state_of(*words: str, files: tuple[str, ...]) -> str:
    """Return a fingerprint that changes when one of the words or files changes."""
    return "\v".join((*words, *[_stamp(path) for path in files]))


def counted(home: str, state: str) -> tuple[int, int] | None:
    """Return the counts cached for this state during the last minute."""
    for candidates, conflicts, _, noted in _read_badge(home):
        if noted == state:
            return candidates, conflicts
    return None


def note_counted(home: str, state: str, counts: tuple[int, int]) -> None:
    """Cache counts for the next prompt; a failure is ignored."""
    if "\n" in state:
        return
    lines = [*_read_badge(home), (*counts, _now(), state)][-_MOST_LINES:]
    records = [(str(one), str(other), str(at), noted) for one, other, at, noted in lines]
    write_records(f"{home}/{_BADGE_FILE}", records)


def _read_badge(home: str) -> list[tuple[int, int, int, str]]:
    now, found = _now(), []
    for *numbers, state in read_records(f"{home}/{_BADGE_FILE}", largest=_LARGEST_BADGE):
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


_DRIFTED_FILE = "cache/drifted"
_MONTH_SECONDS = 30 * 86_400
_LARGEST_DRIFTED = 1 << 22


def drifted_in(home: str, checkout: str) -> list[str]:
    """Return the memories that had drifted when a checkout was last verified."""
    return [memory for names, _, _, name in _read(home) if name == checkout for memory in names]


def drifted_everywhere(home: str) -> list[str]:
    """Return the drifted memories of all repositories, each as last verified."""
    latest = {repo: names for names, _, repo, _ in sorted(_read(home), key=lambda one: one[1])}
    return sorted({memory for names in latest.values() for memory in names})


def note_drifted(home: str, repo: str, checkout: str, names: list[str]) -> None:
    """Record the drifted memories of a checkout; a failure is ignored."""
    if "\n" in checkout:
        return
    lines = [one for one in _read(home) if one[3] != checkout]
    lines.append((names, _now(), repo, checkout))
    records = [(",".join(ids), str(at), of, name) for ids, at, of, name in lines]
    write_records(f"{home}/{_DRIFTED_FILE}", records)


def _read(home: str) -> list[tuple[list[str], int, str, str]]:
    oldest = _now() - _MONTH_SECONDS
    found = []
    for ids, at, repo, checkout in read_records(
        f"{home}/{_DRIFTED_FILE}", largest=_LARGEST_DRIFTED
    ):
        if at.isdecimal():
            names = [name for name in ids.split(",") if name.startswith("m_")]
            found.append((names, int(at), repo, checkout))
    return [one for one in found if one[1] > oldest]
