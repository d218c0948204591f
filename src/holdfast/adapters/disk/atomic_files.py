"""Writes small files atomically: a reader sees the old content or the new one."""

from __future__ import annotations

import os
from _thread import get_native_id
from contextlib import suppress
from errno import EINVAL, ENOTDIR
from stat import S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_OWNER_ONLY = 0o600
_OWN_FOLDER = 0o700
# Without O_NONBLOCK, opening a pipe blocks until it has a writer.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace a file's content atomically; only its owner may read it.

    Raises:
        OSError: The disk is full or the permissions do not allow it; the file is unchanged.
    """
    # The number of a thread is unique on the machine: two threads never share the fresh file.
    fresh = path.with_name(f".{path.name}.{get_native_id()}")
    try:
        make_own_folder(path.parent)
        fresh.unlink(missing_ok=True)
        write_new(fresh, content, durable=durable)
        fresh.replace(path)
        if durable:
            _sync(path.parent)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def read_plain(path: Path | str, *, follows_link: bool = False, most: int = -1) -> bytes:
    """Return the content of a regular file; anything else is refused without blocking.

    At most ``most`` bytes are read; -1 is all of them.

    Raises:
        OSError: It is missing or unreadable, or a pipe, a device, a folder or a link.
    """
    file = os.open(path, _READ if follows_link else _READ | os.O_NOFOLLOW)
    if not S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(EINVAL, "it is not a regular file", str(path))
    with os.fdopen(file, "rb") as opened:
        return opened.read(most)


def make_own_folder(folder: Path, *, rights: int = _OWN_FOLDER) -> None:
    """Create a folder and its parents, each for its owner only; existing ones stay unchanged.

    Other permissions can be given; the umask never widens them.

    Raises:
        OSError: It cannot be created, or the path is no folder.
    """
    # Path.mkdir creates the parents with the permissions of the umask.
    missing = []
    while not folder.is_dir():
        # Another thread may have created it since the question above.
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(folder))
        missing.append(folder)
        folder = folder.parent
    for path in reversed(missing):
        path.mkdir(mode=rights, exist_ok=True)


def write_new(
    path: Path | str,
    content: bytes,
    *,
    rights: int = _OWNER_ONLY,
    folder: int | None = None,
    durable: bool = True,
) -> None:
    """Create a file; a durable one is on the disk when this returns.

    Raises:
        OSError: It exists, the disk is full, or the permissions do not allow it.
    """
    file = os.open(path, _NEW, _OWNER_ONLY, dir_fd=folder)
    try:
        os.fchmod(file, rights)
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
