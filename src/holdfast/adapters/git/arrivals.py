"""Tells which commits came into this clone after a moment.

The author chooses the dates in a commit, so the creation time of the file of its object counts.
Git writes no object twice, but a copy of the repository and garbage collection make new files. A
copy is newer than the moment as a whole. Garbage collection sets the modification time of an object
to that of the pack that it was in, so it is earlier than the creation time.
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

    It is unknown for a commit in a pack, and for one that may have been in another file before.
    """
    objects = repository.common_dir / "objects"
    file = objects / commit[:2] / commit[2:]
    with suppress(OSError):
        made, born = born_at(objects), born_at(file)
        if made is not None and born is not None:
            return int(made) <= moment < int(born) <= int(file.stat().st_mtime)
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
