"""Opens folders and files below ``.holdfast`` step by step, so that no link leads out."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.files.system import wait_for_writers

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

LARGEST_PAGE = 2 * 1024 * 1024
_PATIENCE_SECONDS = 0.5
_FOLDER_RIGHTS = 0o755
_STEP = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class UnreadableError(Exception):
    """Something stands in a file's place that is not read."""


@contextmanager
def open_folder(root: Path, *parts: str, make: bool = False) -> Generator[int | None, None, None]:
    """Open a folder beneath another; None if it does not exist.

    Raises:
        UnreadableError: It is a link or a file, or may not be opened.
    """
    held = _opened(str(root), None)
    try:
        for part in parts:
            if held is None:
                break
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, _FOLDER_RIGHTS, dir_fd=held)
            step = _opened(part, held)
            os.close(held)
            held = step
        yield held
    finally:
        if held is not None:
            os.close(held)


def _opened(name: str, held: int | None) -> int | None:
    try:
        return os.open(name, _STEP | os.O_DIRECTORY, dir_fd=held)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UnreadableError(_why(name, held, error)) from None


def read_file(folder: int, name: str) -> bytes | None:
    """Read a file of a folder when no process is writing it; None if it does not exist.

    Raises:
        UnreadableError: It is a link, no regular file, has several names, or is too large.
    """
    try:
        file = os.open(name, _STEP | os.O_NONBLOCK, dir_fd=folder)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UnreadableError(_why(name, folder, error)) from None
    try:
        _check(os.fstat(file))
        wait_for_writers(file, within_seconds=_PATIENCE_SECONDS)
        return read_open(file)
    finally:
        os.close(file)


def read_open(file: int) -> bytes:
    """Read an open file from its beginning.

    Raises:
        UnreadableError: It is too large.
    """
    parts, at = [], 0
    while part := os.pread(file, LARGEST_PAGE + 1 - at, at):
        parts.append(part)
        at += len(part)
    if at > LARGEST_PAGE:
        raise UnreadableError(_TOO_LARGE)
    return b"".join(parts)


_TOO_LARGE = f"It is larger than {LARGEST_PAGE // 1024} KiB; part it into several pages."


def _check(status: os.stat_result) -> None:
    problem = ""
    if not stat.S_ISREG(status.st_mode):
        problem = "It is not a plain file."
    elif status.st_nlink != 1:
        problem = "It has several names (a hard link), so it may belong elsewhere too."
    elif status.st_size > LARGEST_PAGE:
        problem = _TOO_LARGE
    if problem:
        raise UnreadableError(problem)


def _why(name: str, folder: int | None, error: OSError | ValueError) -> str:
    """Return why a folder could not be opened."""
    with suppress(OSError, ValueError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return "It is a symbolic link; links are not followed."
    return f"It cannot be opened: {getattr(error, 'strerror', None) or error}."
