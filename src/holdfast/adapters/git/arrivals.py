"""Tells which commits came into this clone after a moment.

The author chooses the dates in a commit, so the times of the file of its object are compared. Git
updates the modification time of an object that it receives again, but nothing sets the creation
time; garbage collection writes objects into new files and keeps their modification time. So the
earlier of the two counts.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from sys import byteorder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository

_FROM_HERE = -100
_BIRTH = 0x800
_STATX_BYTES = 256
_BIRTH_AT = 80
_SECOND_BYTES = 8


def arrived_after(repository: Repository, commit: str, moment: int) -> bool:
    """Return whether a commit surely came after the second ``moment``; False if this is unknown.

    It is unknown for a commit in a pack, which may have been in another file before.
    """
    file = repository.common_dir / "objects" / commit[:2] / commit[2:]
    with suppress(OSError):
        born = born_at(file)
        return born is not None and min(int(born), int(file.stat().st_mtime)) > moment
    return False


def born_at(file: Path) -> float | None:
    """Return when a file was created; None where the system does not keep that.

    Raises:
        OSError: There is no such file.
    """
    found: float | None = getattr(file.stat(), "st_birthtime", None)
    if found is not None:
        return found
    with suppress(AttributeError, OSError):
        system = ctypes.CDLL(None)
        answer = ctypes.create_string_buffer(_STATX_BYTES)
        if system.statx(_FROM_HERE, os.fsencode(file), 0, _BIRTH, answer) == 0:
            mask = int.from_bytes(answer.raw[:4], byteorder)
            seconds = answer.raw[_BIRTH_AT : _BIRTH_AT + _SECOND_BYTES]
            return float(int.from_bytes(seconds, byteorder)) if mask & _BIRTH else None
    return None
