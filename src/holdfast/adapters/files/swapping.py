"""Replaces the content of a page without losing a concurrent save."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.whole import write_new
from holdfast.adapters.files.places import UnreadableError, open_folder, read_file, read_open
from holdfast.adapters.files.system import exchange, give_name, wait_for_writers
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from holdfast.adapters.files.stash import Stash

TEMPORARY = ".holdfast-"
_ASIDE = f"{TEMPORARY}aside-"
_NAME_BYTES = 8
_PATIENCE_SECONDS = 0.5
_UNSURE_SECONDS = 0.02
_PLAIN_RIGHTS = 0o644


class Swapper:
    """Writes pages beneath one folder; the caller holds the lock."""

    def __init__(self, root: Path, stash: Stash) -> None:
        self._root = root
        self._stash = stash

    def read(self, page: str) -> bytes | None:
        """Return the content of a page when no process is writing it; None if it does not exist.

        Raises:
            UnreadableError: The path is not a regular page.
        """
        *parts, name = page.split("/")
        with open_folder(self._root, *parts) as folder:
            return None if folder is None else read_file(folder, name)

    def swap(self, page: str, expected: bytes | None, fresh: bytes) -> bool:
        """Replace the expected content by new content; return whether the page held it.

        The ``Settler`` later checks the displaced content.

        Raises:
            PageUnwritableError: The disk is full or the permissions do not allow it.
            UnreadableError: The path is not a regular page.
        """
        parts = page.split("/")[:-1]
        try:
            with open_folder(self._root, *parts, make=expected is None) as folder:
                if folder is None:
                    return False
                if expected is None:
                    return self._made(page, folder, fresh)
                return self._exchanged(page, folder, expected, fresh)
        except OSError as error:
            raise PageUnwritableError(page, error.strerror or str(error)) from error

    def _made(self, page: str, folder: int, fresh: bytes) -> bool:
        """Create a page; return whether it did not exist."""
        name = page.rpartition("/")[2]
        # A user without access to the folder gets no access to its files either.
        rights = os.fstat(folder).st_mode & _PLAIN_RIGHTS
        item = self._stash.put(page, known=fresh, fresh=fresh, rights=rights)
        try:
            if not give_name(str(item.content), folder, name):
                with _beside(folder, fresh, rights) as temporary:
                    os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
        except FileExistsError:
            return False
        finally:
            item.drop()
        return True

    def _exchanged(self, page: str, folder: int, expected: bytes, fresh: bytes) -> bool:
        name = page.rpartition("/")[2]
        if read_file(folder, name) != expected:
            return False
        rights = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
        item = self._stash.put(page, known=expected, fresh=fresh, rights=rights)
        try:
            if exchange(str(item.content), folder, name):
                os.fsync(folder)
                return True
        except FileNotFoundError:
            item.drop()
            return False
        item.drop()
        return self._moved_aside(page, folder, expected, fresh, rights)

    def _moved_aside(
        self, page: str, folder: int, expected: bytes, fresh: bytes, rights: int
    ) -> bool:
        """Replace without an atomic exchange: move the page aside, so nothing is overwritten."""
        name = page.rpartition("/")[2]
        aside = f"{_ASIDE}{os.urandom(_NAME_BYTES).hex()}-{name}"
        with _beside(folder, fresh, rights) as temporary:
            try:
                os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
            except FileNotFoundError:
                return False
            is_put = True
            try:
                os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except FileExistsError:
                is_put = False
        os.fsync(folder)
        late = _read_late(folder, aside)
        if late != expected:
            self._stash.hold(page, known=expected, ours=fresh, late=late)
        os.unlink(aside, dir_fd=folder)
        return is_put


def _read_late(folder: int, name: str) -> bytes:
    """Read a page that was moved aside when no process is writing it."""
    file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
    try:
        wait_for_writers(file, within_seconds=_PATIENCE_SECONDS, unsure_seconds=_UNSURE_SECONDS)
        return read_open(file)
    finally:
        os.close(file)


@contextmanager
def _beside(folder: int, content: bytes, rights: int) -> Generator[str, None, None]:
    """Write content to a temporary file in the page's folder; it is removed after the block."""
    name = f"{TEMPORARY}{os.urandom(_NAME_BYTES).hex()}"
    write_new(name, content, rights=rights, folder=folder)
    try:
        yield name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def sweep(folder: int) -> list[tuple[str, bytes]]:
    """Remove the temporary files of a killed process from a folder of pages.

    A page that it had moved aside gets its name back. If another page has that name, the content is
    returned with the name.
    """
    found = []
    for name in os.listdir(folder):
        if not name.startswith(TEMPORARY):
            continue
        with suppress(OSError, UnreadableError):
            if name.startswith(_ASIDE):
                page = name[len(_ASIDE) + 2 * _NAME_BYTES + 1 :]
                try:
                    os.link(name, page, src_dir_fd=folder, dst_dir_fd=folder)
                except FileExistsError:
                    found.append((page, read_file(folder, name) or b""))
            os.unlink(name, dir_fd=folder)
    return found
