"""Opens folders beneath a root one part at a time, so that no link leads outside.

Each part is opened relative to the folder before it and is refused if it is a link. What
``openat2`` with ``RESOLVE_BENEATH`` and ``RESOLVE_NO_SYMLINKS`` checks in one call is checked here
part by part, on every kernel.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from errno import ELOOP
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWN = 0o700


@contextmanager
def opened_parent(root: int, path: str) -> Generator[tuple[int, str], None, None]:
    """Open the folder of a path beneath the root; yield it with the last part of the path.

    Raises:
        OSError: A part is missing, or is no folder.
    """
    *folders, name = path.split("/")
    held = os.dup(root)
    try:
        for part in folders:
            step = os.open(part, _FOLDER, dir_fd=held)
            os.close(held)
            held = step
        yield held, name
    finally:
        os.close(held)


def status_beneath(root: int, path: str) -> os.stat_result | None:
    """Return the status of a path, of a link itself; None if there is no such path."""
    try:
        with opened_parent(root, path) as (held, name):
            return os.stat(name, dir_fd=held, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == ELOOP:
            return None
        raise


def make_folder(root: int, path: str) -> bool:
    """Create a folder for its owner only; return whether it was missing."""
    with opened_parent(root, path) as (held, name), suppress(FileExistsError):
        os.mkdir(name, _OWN, dir_fd=held)
        return True
    return False


def names_in(folder: int) -> list[str]:
    """Return the names in an open folder."""
    with os.scandir(folder) as found:
        return [one.name for one in found]


def remove_tree(held: int, name: str) -> None:
    """Remove a folder with everything in it, without following a link."""
    try:
        folder = os.open(name, _FOLDER, dir_fd=held)
    except FileNotFoundError:
        return
    try:
        for inside in names_in(folder):
            try:
                os.unlink(inside, dir_fd=folder)
            except (IsADirectoryError, PermissionError):
                remove_tree(folder, inside)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=held)
