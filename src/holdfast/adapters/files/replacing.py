"""Replaces the content of a page without losing a concurrent save.

The new content and the page exchange names atomically, so a save of a person in that instant is not
lost but ends up in a state folder of the clone. It stays there until no process can still write it,
and survives if this process is killed.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_new
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.files.disk import (
    UnreadableError,
    exchange,
    give_name,
    open_folder,
    read_file,
    read_open,
    wait_for_writers,
)
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

_NAME_BYTES = 8
_OWNER_ONLY = 0o600
_ENDINGS = ("note", "page", "base", "ours")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Content that is being swapped into a page, or was swapped out of it."""

    folder: Path
    name: str
    page: str
    fresh: str
    """The hash of the new content: while ``content`` has it, the swap has not happened."""

    @property
    def content(self) -> Path:
        """The new content before the swap, the displaced content after it."""
        return self.folder / f"{self.name}.page"

    @property
    def known(self) -> Path:
        """The content of the page when it was read."""
        return self.folder / f"{self.name}.base"

    def ours(self) -> bytes:
        """Return the content that was swapped in; if a kill left none, the one before."""
        try:
            return (self.folder / f"{self.name}.ours").read_bytes()
        except FileNotFoundError:
            return self.known.read_bytes()

    def now_known(self, content: bytes, ours: bytes) -> None:
        """Record that the displaced content was handled and is in the current page."""
        for fresh, ending in ((ours, "ours"), (content, "base")):
            seen = self.folder / f"{self.name}.seen"
            seen.write_bytes(fresh)
            seen.replace(self.folder / f"{self.name}.{ending}")

    def drop(self) -> None:
        """Remove its files."""
        for ending in _ENDINGS:
            with suppress(FileNotFoundError):
                (self.folder / f"{self.name}.{ending}").unlink()


class Stash:
    """The folder of such content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, page: str, *, known: bytes, fresh: bytes, rights: int) -> Item:
        """Record the new content of a page, and its current content."""
        make_own_folder(self.folder)
        item = Item(
            folder=self.folder,
            name=os.urandom(_NAME_BYTES).hex(),
            page=page,
            fresh=hashlib.sha256(fresh).hexdigest(),
        )
        write_new(item.known, known, durable=False)
        write_new(self.folder / f"{item.name}.ours", fresh, durable=False)
        write_new(item.content, fresh, rights=rights)
        note = json.dumps({"page": page, "fresh": item.fresh})
        # The note is written last: without it, the swap has not begun.
        write_new(self.folder / f"{item.name}.note", note.encode(), durable=False)
        return item

    def hold(self, page: str, *, known: bytes, ours: bytes, late: bytes) -> None:
        """Keep a save that arrived while the page was being replaced."""
        item = self.put(page, known=known, fresh=ours, rights=_OWNER_ONLY)
        item.content.write_bytes(late)

    def items(self) -> Iterator[Item]:
        """Yield the items; unfinished ones are removed."""
        names = sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending == "note" and (item := self._noted(stem)) is not None:
                yield item
            elif f"{stem}.note" not in names or ending == "seen":
                with suppress(FileNotFoundError):
                    (self.folder / name).unlink()

    def is_empty(self) -> bool:
        """Return whether there are no items."""
        try:
            return next(self.folder.iterdir(), None) is None
        except OSError:
            return True

    def _noted(self, stem: str) -> Item | None:
        path = self.folder / f"{stem}.note"
        try:
            noted = read_json(path)
            page, fresh = str(noted["page"]), str(noted["fresh"])
        except (OSError, ValueError, KeyError, TypeError):
            path.unlink(missing_ok=True)
            return None
        return Item(folder=self.folder, name=stem, page=page, fresh=fresh)


TEMPORARY = ".holdfast-"
_ASIDE = f"{TEMPORARY}aside-"
_PATIENCE_SECONDS = 0.5
_UNSURE_SECONDS = 0.02
_PLAIN_RIGHTS = 0o644
_LONGEST_NAME = 255
"""The most bytes that a name of a file takes."""


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

    def remove(self, page: str, expected: bytes) -> bool:
        """Remove a page with the expected content; return whether the page held it.

        What somebody saved at the same moment stays the page.

        Raises:
            PageUnwritableError: The permissions do not allow it.
            UnreadableError: The path is not a regular page.
        """
        *parts, name = page.split("/")
        aside = _aside_name(name)
        try:
            with open_folder(self._root, *parts) as folder:
                if folder is None or read_file(folder, name) != expected:
                    return False
                os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
                late = _read_late(folder, aside)
                if late != expected:
                    self._give_back(page, folder, aside, late)
                os.unlink(aside, dir_fd=folder)
                os.fsync(folder)
                return late == expected
        except FileNotFoundError:
            return False
        except OSError as error:
            raise PageUnwritableError(page, error.strerror or str(error)) from error

    def _give_back(self, page: str, folder: int, aside: str, late: bytes) -> None:
        """Give a page that was moved aside its name; if there is a new page, both are kept."""
        name = page.rpartition("/")[2]
        try:
            os.link(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
        except FileExistsError:
            now = read_file(folder, name) or b""
            self._stash.hold(page, known=now, ours=now, late=late)

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
        aside = _aside_name(name)
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


def _aside_name(name: str) -> str:
    """Return a new name for a page that is moved aside; a long name of a page is shortened."""
    prefix = f"{_ASIDE}{os.urandom(_NAME_BYTES).hex()}-"
    room, ending = _LONGEST_NAME - len(prefix), PurePath(name).suffix
    if len(name.encode()) > room:
        name = name.encode()[: room - len(ending)].decode(errors="ignore") + ending
    return prefix + name


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

    A page that the process had moved aside gets its name back, or the beginning of a very long
    name. If another page has that name, the content is returned with the name.
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
