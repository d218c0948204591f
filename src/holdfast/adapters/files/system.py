"""What the kernel offers beyond the standard library: two names exchanged, a writer noticed."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import time

_NO_REPLACE, _EXCHANGE = 1, 2
_BY_ITSELF = -100  # a path that needs no folder to begin from
_MISSING = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV, errno.EPERM})
_BETWEEN_LOOKS_SECONDS = 0.001


def exchange(one: str, folder: int, other: str) -> bool:
    """Let a file and a name in a folder change places in one step.

    Tell whether this disk and this kernel can; where they cannot, nothing happened.

    Raises:
        OSError: One of the two is not there, or may not be moved.
    """
    return _renamed(one, folder, other, _EXCHANGE)


def give_name(one: str, folder: int, other: str) -> bool:
    """Move a file to a name in a folder that nothing bears yet.

    Tell whether this disk and this kernel can; where they cannot, nothing happened.

    Raises:
        FileExistsError: Something bears that name.
        OSError: The file is not there, or may not be moved.
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
    """Tell whether anybody has an open file open for writing; none where that cannot be told.

    A lease is granted on a file that nobody writes, and given back at once. The signal that
    would tell us of somebody who comes just then is turned into one that is ignored.
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
    """Wait until nobody writes an open file any more; tell whether that came.

    Where it cannot be told, a moment passes, and nobody is assumed.
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
