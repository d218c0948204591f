"""Putting a new content in a page's place without losing what is saved there meanwhile."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.whole import write_new
from holdfast.adapters.files.merging import Prefer, merge_pages
from holdfast.adapters.files.places import UnreadableError, open_folder, read_file, read_open
from holdfast.adapters.files.system import exchange, give_name, wait_for_writers
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from holdfast.adapters.files.stash import Item, Stash

TEMPORARY = ".holdfast-"
_PATIENCE_SECONDS = 0.5
_UNSURE_SECONDS = 0.02
_MOST_TRIES = 100
_PLAIN_RIGHTS = 0o644


class Swapper:
    """Writes pages beneath one folder; whoever uses it holds the lock."""

    def __init__(self, root: Path, stash: Stash) -> None:
        self._root = root
        self._stash = stash

    def read(self, page: str) -> bytes | None:
        """Return what a page holds once nobody writes it; none where it is not there.

        Raises:
            UnreadableError: Something else stands in its place.
        """
        *parts, name = page.split("/")
        with open_folder(self._root, *parts) as folder:
            return None if folder is None else read_file(folder, name)

    def swap(self, page: str, expected: bytes | None, fresh: bytes) -> bool:
        """Put a content in the place of the one expected there; tell whether it was there.

        What stood there in the end is looked at by ``settle``.

        Raises:
            PageUnwritableError: The disk or its rights do not allow it.
            UnreadableError: Something else than a page stands in its place.
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

    def settle(self) -> None:
        """Look at everything that was displaced, and bring into its page what came late.

        What somebody still writes stays here for the next time.

        Raises:
            PageUnwritableError: The disk or its rights do not allow it.
        """
        for _ in range(_MOST_TRIES):
            waiting = [item for item in self._stash.items() if not self._settled(item)]
            if all(item in waiting and self._is_known(item) for item in self._stash.items()):
                return

    def _settled(self, item: Item) -> bool:
        """Bring what came late into the page; tell whether nothing more can come."""
        try:
            file = os.open(item.content, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            item.drop()
            return True
        try:
            is_quiet = wait_for_writers(
                file, within_seconds=_PATIENCE_SECONDS, unsure_seconds=_UNSURE_SECONDS
            )
            content = read_open(file)
        except UnreadableError:
            self._put_back(item)
            return True
        finally:
            os.close(file)
        if hashlib.sha256(content).hexdigest() != item.fresh:
            known = item.known.read_bytes()
            if content != known:
                self._bring_in(item.page, known, content)
                item.now_known(content)
        if is_quiet:
            item.drop()
        return is_quiet

    def _is_known(self, item: Item) -> bool:
        """Tell whether what somebody still writes holds nothing new yet."""
        with suppress(OSError):
            return item.content.read_bytes() == item.known.read_bytes()
        return True

    def _bring_in(self, page: str, known: bytes, late: bytes) -> None:
        """Join what was saved late into the page as it is now; who saved it is believed."""
        for _ in range(_MOST_TRIES):
            try:
                now = self.read(page)
                fresh = late
                if now is not None:
                    fresh = merge_pages(known, now, late, path=page, prefer=Prefer.THEIRS).content
                if fresh == now or self.swap(page, now, fresh):
                    return
            except UnreadableError as error:
                raise PageUnwritableError(page, str(error)) from error
        raise PageUnwritableError(page, "somebody saves it without a pause")

    def _put_back(self, item: Item) -> None:
        """Give a page back what cannot be joined with anything: it is larger than we read."""
        *parts, name = item.page.split("/")
        with open_folder(self._root, *parts) as folder, suppress(FileNotFoundError):
            if folder is not None and exchange(str(item.content), folder, name):
                os.fsync(folder)
                item.drop()

    def _made(self, page: str, folder: int, fresh: bytes) -> bool:
        """Make a page that is not there; tell whether it was not."""
        name = page.rpartition("/")[2]
        # Whoever may not look into the folder may not read what is in it either.
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
        return self._renamed_over(page, folder, expected, fresh)

    def _renamed_over(self, page: str, folder: int, expected: bytes, fresh: bytes) -> bool:
        """Do without an exchange: hold on to the file that is replaced, and look at it after."""
        name = page.rpartition("/")[2]
        try:
            file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
        except FileNotFoundError:
            return False
        try:
            rights = os.fstat(file).st_mode & 0o777
            with _beside(folder, fresh, rights) as temporary:
                if read_open(file) != expected or not _is_still(file, folder, name):
                    return False
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
            wait_for_writers(file, within_seconds=_PATIENCE_SECONDS, unsure_seconds=_UNSURE_SECONDS)
            late = read_open(file)
        finally:
            os.close(file)
        if late != expected:
            self._bring_in(page, expected, late)
        return True


@contextmanager
def _beside(folder: int, content: bytes, rights: int) -> Generator[str, None, None]:
    """Write a content under a name of its own in the page's folder; it is gone in the end."""
    name = f"{TEMPORARY}{os.urandom(8).hex()}"
    write_new(name, content, rights=rights, folder=folder)
    try:
        yield name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _is_still(file: int, folder: int, name: str) -> bool:
    """Tell whether a name still means the file that is open."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), os.stat(name, dir_fd=folder, follow_symlinks=False))
    return False


def sweep(folder: int) -> None:
    """Remove what a process that was killed left in a folder of pages."""
    for name in os.listdir(folder):
        if name.startswith(TEMPORARY):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
