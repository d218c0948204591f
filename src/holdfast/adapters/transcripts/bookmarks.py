"""Stores how far each transcript was read, in one small file that is written atomically."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import changing
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.sessions.transcript import Bookmark

_VERSION = 1
_TAIL = 4096
_MOST_FILES = 5_000
_MOST_SESSIONS = 1_000
_SMALL = 4 * 1024 * 1024


class BookmarkFile:
    """Stores the bookmarks of one person.

    Each bookmark also has the file's length and a hash of its end, so that a file that did not grow
    is not read again.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def of(self, path: str) -> Bookmark | None:
        """Return how far a file was read."""
        kept = self._marks().get(path, {})
        last, marks = kept.get("last"), kept.get("marks")
        if not isinstance(last, dict):
            return None
        return Bookmark(
            last={str(name): str(turn) for name, turn in last.items()},
            marks={name: str(marks[name]) for name in last if name in marks}
            if isinstance(marks, dict)
            else {},
        )

    def is_unchanged(self, path: str) -> bool:
        """Return whether a file has the same end; a database may grow in a side file instead."""
        kept = self._marks().get(path, {})
        return not path.endswith(".db") and "end" in kept and kept["end"] == _end(path)

    def put(self, path: str, bookmark: Bookmark) -> None:
        """Store how far a file was read; the least recently read files are dropped first."""
        last = dict(list(bookmark.last.items())[-_MOST_SESSIONS:])
        try:
            with changing(self._file):
                marks = self._marks()
                marks.pop(path, None)
                texts = {name: bookmark.marks[name] for name in last if name in bookmark.marks}
                marks[path] = {"end": _end(path), "last": last, "marks": texts}
                newest = dict(list(marks.items())[-_MOST_FILES:])
                text = json.dumps({"version": _VERSION, "files": newest}, indent=1)
                write_whole(self._file, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise disk_problem(self._file, error) from error

    def _marks(self) -> dict[str, dict[str, object]]:
        """Return the stored bookmarks; a damaged or unknown file counts as empty."""
        with suppress(OSError, ValueError, RecursionError):
            kept = read_json(self._file)
            if isinstance(kept, dict) and isinstance(kept.get("files"), dict):
                return {
                    str(path): mark
                    for path, mark in kept["files"].items()
                    if isinstance(mark, dict)
                }
        return {}


def _end(path: str) -> str:
    """Return the length of a file and a hash of it, or of its last bytes if it is large."""
    try:
        # Without O_NONBLOCK, opening a pipe blocks until it has a writer.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            # A small file is hashed whole: one that was rewritten may have the same length and end.
            length = size if size <= _SMALL else _TAIL
            file.seek(max(0, size - length))
            return f"{size}:{hashlib.sha256(file.read(length)).hexdigest()}"
    except OSError:
        return ""
