"""Records the health score of a memory store over time, one line per score."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain
from holdfast.domain.fields import time_text
from holdfast.domain.review.curation import HealthPoint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HEALTH_FILE = "health.jsonl"
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20
# Without O_NONBLOCK, opening a pipe blocks until it has a reader.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_MOST = 60


class HealthFile:
    """An append-only log; concurrent writes do not mix."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, point: HealthPoint) -> bool:
        """Append a score; return whether it was written."""
        shape = {
            "at": time_text(point.at),
            "place": point.place,
            "score": point.score,
            "live": point.live,
            "counts": dict(point.counts),
        }
        line = json.dumps(shape, ensure_ascii=True) + "\n"
        try:
            make_own_folder(self._path.parent)
            handle = os.open(self._path, _APPEND, _OWNER_ONLY)
            try:
                os.write(handle, line.encode("ascii"))
            finally:
                os.close(handle)
        except OSError:
            return False
        return True

    def points(self, place: str) -> Sequence[HealthPoint]:
        """Return the newest scores of a place, oldest first; unreadable lines are skipped."""
        try:
            lines = read_plain(self._path)[-_LARGEST:].decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        found = [point for point in map(_read, lines) if point and point.place == place]
        return found[-_MOST:]


def unreadable_lines(path: Path) -> int:
    """Return how many lines of a log cannot be read."""
    try:
        lines = read_plain(path).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return 0
    except OSError:
        return 1
    return sum(_read(line) is None for line in lines)


def _read(line: str) -> HealthPoint | None:
    try:
        shape = json.loads(line)
        return HealthPoint(
            at=datetime.fromisoformat(shape["at"]),
            place=str(shape["place"]),
            score=int(shape["score"]),
            live=int(shape["live"]),
            counts={str(name): int(many) for name, many in shape["counts"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
