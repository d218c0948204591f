"""System calls beyond the standard library: atomic exchange of names, detection of writers."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import time

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
