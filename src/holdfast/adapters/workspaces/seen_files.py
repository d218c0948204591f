"""Remembers the hashes of files, so that an unchanged file is not read again.

A file counts as unchanged if its device, inode, size and both times are the same. A file that was
written just before it was read may be written again within one tick of the file system's clock, so
its hash is not trusted the next time.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.disk.json_files import read_sealed, write_sealed

if TYPE_CHECKING:
    import os
    from pathlib import Path

RACY_NS = 2_000_000_000
"""Two seconds: the coarsest clock of a file system in use."""
_VERSION = 1


class SeenFile(NamedTuple):
    """A file as it was read: what identifies that state, and the result."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    hash: str
    is_secret: bool = False
    """Whether the file looks like a secret."""
    is_sparse: bool = False


def state_of(status: os.stat_result) -> tuple[int, int, int, int, int]:
    """Return what identifies the state of a file."""
    return (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


class SeenFiles:
    """The files of one folder by path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._old = _read(path)
        self._new: dict[str, SeenFile] = {}
        self._is_changed = False

    def get(self, path: str, status: os.stat_result) -> SeenFile | None:
        """Return a file if it is in the same state as when it was read."""
        row = self._old.get(path)
        if row is None or (row[3], row[4], row[2], row[1], row[0]) != (
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_size,
            status.st_ino,
            status.st_dev,
        ):
            return None
        found = self._new[path] = SeenFile._make(row)
        return found

    def put(self, path: str, file: SeenFile, *, now_ns: int) -> None:
        """Note a file that was read; one that was written just before is not noted."""
        self._is_changed = True
        if max(file.mtime_ns, file.ctime_ns) < now_ns - RACY_NS:
            self._new[path] = file

    def save(self) -> None:
        """Write what was found, if it differs; a folder that cannot be written loses only time."""
        if self._is_changed or len(self._new) != len(self._old):
            text = json.dumps({"version": _VERSION, "files": self._new}).encode("ascii")
            with suppress(OSError):
                write_sealed(self._path, text, durable=False)


def _read(path: Path) -> dict[str, list[Any]]:
    """Return the rows of a file by path; a damaged one counts as empty."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = read_sealed(path)
        if kept["version"] == _VERSION:
            files: dict[str, list[Any]] = kept["files"]
            return files
    return {}
