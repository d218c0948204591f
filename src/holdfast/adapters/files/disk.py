"""Opens, locks and exchanges files without following links or losing a concurrent write."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.file_locks import lock_within, open_lock
from holdfast.domain.refusals import PagesBusyError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_NO_REPLACE, _EXCHANGE = 1, 2
_BY_ITSELF = -100  # AT_FDCWD: the path is not relative to a folder
_MISSING = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV, errno.EPERM})
_BETWEEN_LOOKS_SECONDS = 0.001


def exchange(one: str, folder: int, other: str) -> bool:
    """Exchange a file and a name in a folder atomically.

    Return whether the file system and the kernel support it; if not, nothing was changed.

    Raises:
        OSError: One of the two does not exist, or may not be moved.
    """
    return _renamed(one, folder, other, _EXCHANGE)


def give_name(one: str, folder: int, other: str) -> bool:
    """Move a file to an unused name in a folder.

    Return whether the file system and the kernel support it; if not, nothing was changed.

    Raises:
        FileExistsError: The name is in use.
        OSError: The file does not exist, or may not be moved.
    """
    return _renamed(one, folder, other, _NO_REPLACE)


def _renamed(one: str, folder: int, other: str, how: int) -> bool:
    import ctypes

    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if rename(_BY_ITSELF, os.fsencode(one), folder, os.fsencode(other), how) == 0:
        return True
    code = ctypes.get_errno()
    if code in _MISSING:
        return False
    raise OSError(code, os.strerror(code), other)


def is_being_written(file: int) -> bool | None:
    """Return whether any process has the file open for writing; None if that is unknown.

    The kernel grants a lease only on a file that no process writes; the lease is released at once.
    The signal for a process that opens the file just then is replaced by an ignored one.
    """
    lease, sign = getattr(fcntl, "F_SETLEASE", None), getattr(fcntl, "F_SETSIG", None)
    if lease is None or sign is None:
        return None
    try:
        fcntl.fcntl(file, sign, signal.SIGURG)
        fcntl.fcntl(file, lease, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    fcntl.fcntl(file, lease, fcntl.F_UNLCK)
    return False


def wait_for_writers(file: int, *, within_seconds: float, unsure_seconds: float = 0.0) -> bool:
    """Wait until no process writes an open file; return whether that happened in time.

    If it is unknown, the function waits ``unsure_seconds`` and assumes that nobody writes.
    """
    until = time.monotonic() + within_seconds
    while (is_written := is_being_written(file)) is not False:
        if is_written is None:
            time.sleep(unsure_seconds)
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(_BETWEEN_LOOKS_SECONDS)
    return True


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
        raise UnreadableError(TOO_LARGE)
    return b"".join(parts)


TOO_LARGE = f"It is larger than {LARGEST_PAGE // 1024} KiB; part it into several pages."


def _check(status: os.stat_result) -> None:
    problem = ""
    if not stat.S_ISREG(status.st_mode):
        problem = "It is not a plain file."
    elif status.st_nlink != 1:
        problem = "It has several names (a hard link), so it may belong elsewhere too."
    elif status.st_size > LARGEST_PAGE:
        problem = TOO_LARGE
    if problem:
        raise UnreadableError(problem)


def _why(name: str, folder: int | None, error: OSError | ValueError) -> str:
    """Return why a folder could not be opened."""
    with suppress(OSError, ValueError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return "It is a symbolic link; links are not followed."
    return f"It cannot be opened: {getattr(error, 'strerror', None) or error}."


_LOCK_SECONDS = 30.0


@contextmanager
def held_lock(path: Path, *, shared: bool = False) -> Generator[None, None, None]:
    """Hold the lock of the pages; a reader continues without it if it cannot be created.

    Raises:
        PagesBusyError: Another process held it past the timeout, or it cannot be created.
    """
    try:
        make_own_folder(path.parent)
        file = open_lock(path)
    except OSError as error:
        if not shared:
            raise PagesBusyError(str(path), str(error.strerror)) from error
        yield
        return
    try:
        _take(file, path, shared=shared)
        yield
    finally:
        os.close(file)


def _take(file: int, path: Path, *, shared: bool) -> None:
    try:
        lock_within(file, _LOCK_SECONDS, shared=shared)
    except BlockingIOError as error:
        raise PagesBusyError(str(path), "another process holds it") from error
