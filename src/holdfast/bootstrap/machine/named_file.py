"""Read a file or a pipe that a person names; a link in a repository leads to a file only."""

from __future__ import annotations

import os
import select
from errno import EFBIG, EINVAL
from pathlib import Path
from stat import S_ISFIFO, S_ISREG
from typing import BinaryIO

from holdfast.adapters.disk.atomic_files import read_plain

_OPEN_FILES = {Path("/dev/fd"), Path("/proc/self/fd")}
"""Where a shell names the pipe of another command, as in ``<(command)``."""
_MEBIBYTE = 1024 * 1024
_PATIENCE_SECONDS = 5.0
"""How long a pipe may stay silent that no running command was named for."""


def read_named(path: Path, *, most: int) -> bytes:
    """Return the content of a pipe, or of a regular file or the one that a link leads to.

    Raises:
        OSError: It is missing, unreadable or larger than ``most`` bytes, a device, a folder, a
            link to a pipe, or a pipe that nobody writes into.
    """
    if _is_pipe(path):
        with open_named(path) as pipe:
            content = pipe.read(most + 1)
    else:
        content = read_plain(path, follows_link=True, most=most + 1)
    if len(content) > most:
        raise OSError(EFBIG, f"it is larger than {most // _MEBIBYTE} MiB", str(path))
    return content


def open_named(path: Path, *, patience: float = _PATIENCE_SECONDS) -> BinaryIO:
    """Open a regular file or a pipe to be read in parts.

    Raises:
        OSError: It is missing or unreadable, a device or a folder, or a pipe that nobody writes
            into for ``patience`` seconds.
    """
    # Without O_NONBLOCK, a pipe without a writer keeps even the opening waiting.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if (problem := _problem(file.fileno(), path, patience)) is not None:
        file.close()
        raise OSError(EINVAL, problem, str(path))
    return file


def _problem(file: int, path: Path, patience: float) -> str | None:
    """Return why an open file is not read; a pipe is ready to be read afterwards."""
    mode = os.fstat(file).st_mode
    if S_ISFIFO(mode):
        waiting = select.poll()
        waiting.register(file, select.POLLIN)
        if path.parent not in _OPEN_FILES and not waiting.poll(patience * 1000):
            return f"nobody wrote into this pipe for {patience:g} seconds"
        os.set_blocking(file, True)
        return None
    return None if S_ISREG(mode) else "it is a device, not a file"


def _is_pipe(path: Path) -> bool:
    """Return whether a path names a pipe itself, not by a link that somebody else may have made."""
    try:
        found = path.stat() if path.parent in _OPEN_FILES else path.lstat()
    except OSError:
        return False  # reading it says why
    return S_ISFIFO(found.st_mode)
