"""Write a file that a person names: one way for every verb."""

from __future__ import annotations

import os
import re
from errno import EISDIR
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.values import UnusableFileError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

_OWNER_ONLY = 0o600
_EVERYBODY = 0o666
"""The permissions of a new file, which the umask narrows."""
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_AS_IT_IS = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
_OPEN_FILE = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)")
_STANDARD = {"/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}


def to_file(lines: Iterable[str], path: Path, *, is_private: bool = True) -> int:
    """Write lines into a file, complete or not at all; return how many there were.

    A link is followed, and the file it leads to is replaced. A device or a pipe is written to, and
    stays what it is. A private file is readable by its owner only; another one keeps its rights.

    Raises:
        UnusableFileError: It cannot be written; an existing file is unchanged.
    """
    if not path.name:
        raise UnusableFileError(path=f"'{path}'", problem="it names no file", done="written")
    try:
        found = _found(path)
        if found is not None and (file := _as_it_is(path, found)) is not None:
            with os.fdopen(file, "wb") as opened:
                return _write(lines, opened)
        rights = _OWNER_ONLY if is_private else _EVERYBODY
        kept = None if is_private or found is None else S_IMODE(found.st_mode)
        return _replace(lines, Path(os.path.realpath(path)), rights=rights, kept=kept)
    except OSError as error:
        raise UnusableFileError(path=str(path), problem=error.strerror, done="written") from error


def _found(path: Path) -> os.stat_result | None:
    """Return what a path leads to; None if there is nothing yet.

    Raises:
        OSError: It is a folder, or no file can have this name.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if S_ISDIR(found.st_mode):
        raise OSError(EISDIR, "it is a folder; name a file", str(path))
    return found


def _as_it_is(path: Path, found: os.stat_result) -> int | None:
    """Open what must not be replaced: a device, a pipe, a file that is open already."""
    name = str(path)
    if is_open := _OPEN_FILE.fullmatch(_STANDARD.get(name, name)):
        return os.dup(int(is_open[1]))  # it goes on where its other writers are
    return None if S_ISREG(found.st_mode) else os.open(path, _AS_IT_IS)


def _replace(lines: Iterable[str], path: Path, *, rights: int, kept: int | None) -> int:
    # The name is short, whatever the name of the file is: a long one could not get longer.
    fresh = path.with_name(f".holdfast-{os.getpid()}-{os.urandom(4).hex()}")
    file = os.open(fresh, _FRESH, rights)
    try:
        with os.fdopen(file, "wb") as opened:
            if kept is not None:
                os.fchmod(file, kept)
            count = _write(lines, opened)
            os.fsync(file)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return count


def _write(lines: Iterable[str], opened: BinaryIO) -> int:
    count = 0
    for line in lines:
        opened.write(line.encode("utf-8") + b"\n")
        count += 1
    opened.flush()
    return count
