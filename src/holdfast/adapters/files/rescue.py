"""Keeps displaced saves that were merged into a page until it is certain that they stay.

An editor that read the page before a displaced save was merged into it writes the page back without
that save. So each merged save is kept for a while. If it is missing from the page soon after, it is
merged again. If it is missing later, the person is told and gets a copy of the save.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.disk.whole import read_plain, write_whole
from holdfast.adapters.files.line_merge import lines_lost
from holdfast.domain.memory.entry import SetAside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME_BYTES = 4
_RESCUED, _KEPT = "rescued", "kept"
_BYTES = "latin-1"
"""An encoding that maps every byte to itself."""


class RescuedSave(NamedTuple):
    """A save that was merged into a page: the page without it, and with it."""

    path: Path
    page: str
    at: float
    without: bytes
    joined: bytes

    def is_missing(self, now: bytes) -> bool:
        """Return whether lines of the save are missing from the current page."""
        return lines_lost(self.without, self.joined, now)


class Rescue:
    """The merged saves of one clone, and the copies that were set aside for a person."""

    def __init__(self, state: Path) -> None:
        self._rescued = state / _RESCUED
        self._kept = state / _KEPT

    def note(self, page: str, *, without: bytes, joined: bytes) -> None:
        """Record that a save was merged into a page."""
        told = {"page": page, "at": time.time()}
        told |= {"without": without.decode(_BYTES), "joined": joined.decode(_BYTES)}
        name = f"{time.time_ns():020d}-{os.urandom(_NAME_BYTES).hex()}.json"
        write_whole(self._rescued / name, json.dumps(told).encode(), durable=False)

    def rescued(self) -> Iterator[RescuedSave]:
        """Yield the merged saves, oldest first; unreadable records are dropped."""
        for path in _files(self._rescued):
            try:
                told = json.loads(read_plain(path))
                yield RescuedSave(
                    path=path,
                    page=str(told["page"]),
                    at=float(told["at"]),
                    without=str(told["without"]).encode(_BYTES),
                    joined=str(told["joined"]).encode(_BYTES),
                )
            except FileNotFoundError:
                continue  # another process removed it
            except (OSError, ValueError, KeyError, TypeError):
                path.unlink(missing_ok=True)

    def set_aside(self, page: str, content: bytes) -> None:
        """Keep a copy of a save for the person, unless an equal copy exists."""
        if any(path.read_bytes() == content for path in _files(self._kept)):
            return
        moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        name = f"{moment}-{os.urandom(_NAME_BYTES).hex()}-{page.rpartition('/')[2]}"
        write_whole(self._kept / name, content)

    def aside(self) -> tuple[SetAside, ...]:
        """Return the copies that were set aside and not removed yet."""
        return tuple(
            SetAside(page=path.name.split("-", 2)[-1], copy=str(path))
            for path in _files(self._kept)
        )

    def is_idle(self) -> bool:
        """Return whether there are no merged saves to watch."""
        return not _files(self._rescued)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
