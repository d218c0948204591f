"""Small cache files with one record a line and tabs between its fields.

A prompt reads them, so only the ``os`` module is imported until something is written.
"""

from __future__ import annotations

import os

_FIELDS = 4


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
