"""Tells which commits came into this clone after a moment.

The dates in a commit are its author's, so only the file that holds the commit can tell. Git renews
the time of change of an object that it receives again, but no program sets the time of birth; and
a collection writes objects into new files, with their old time of change. So both count.
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
    """Return whether a commit surely came after the second ``moment``; False if nobody can tell.

    A commit in a pack may have been anywhere before, so nobody can tell when it came.
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
