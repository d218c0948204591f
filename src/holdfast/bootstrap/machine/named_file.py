"""Read a file or a pipe that a person names; a link in a repository leads to a file only."""

from __future__ import annotations

from errno import EFBIG
from pathlib import Path
from stat import S_ISFIFO

from holdfast.adapters.disk.atomic_files import read_plain

_OPEN_FILES = {Path("/dev/fd"), Path("/proc/self/fd")}
"""Where a shell names the pipe of another command, as in ``<(command)``."""
_MEBIBYTE = 1024 * 1024


def read_named(path: Path, *, most: int) -> bytes:
    """Return the content of a pipe, or of a regular file or the one that a link leads to.

    Raises:
        OSError: It is missing, unreadable or larger than ``most`` bytes, a device, a folder, or a
            link to a pipe.
    """
    if _is_pipe(path):
        with path.open("rb") as pipe:
            content = pipe.read(most + 1)
    else:
        content = read_plain(path, follows_link=True, most=most + 1)
    if len(content) > most:
        raise OSError(EFBIG, f"it is larger than {most // _MEBIBYTE} MiB", str(path))
    return content


def _is_pipe(path: Path) -> bool:
    """Return whether a path names a pipe itself, not by a link that somebody else may have made."""
    try:
        found = path.stat() if path.parent in _OPEN_FILES else path.lstat()
    except OSError:
        return False  # reading it says why
    return S_ISFIFO(found.st_mode)
