"""Writes entries of a snapshot into a folder: all content first, then one rename per file.

The content is written and verified in a folder of its own beneath the root. If the disk is full or
content is damaged, that folder is removed and nothing has changed. A rename replaces a name and
never writes through a link, a hard link, a pipe or a device.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import EINVAL, ENODEV, EOPNOTSUPP
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING

from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.workspaces.beneath import (
    make_folder,
    names_in,
    opened_parent,
    remove_tree,
    status_beneath,
)
from holdfast.domain.workspace_errors import FolderChangedError
from holdfast.domain.workspaces.safe_paths import STAGING
from holdfast.domain.workspaces.tree import EntryKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import Contents
    from holdfast.ports.workspaces.folders import RestoreSteps

_OWN_FOLDER, _OWN_FILE = 0o700, 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_NAME = 255
"""The most bytes that a name of a file takes."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HOLE = 4_096
_NOT_OFFERED = frozenset({EINVAL, ENODEV, EOPNOTSUPP})
_OTHER = "is not what it was when the restore began."
_AHEAD = "could not be replaced:"


class Restoration:
    """One restore into an open folder."""

    def __init__(self, root: int, *, name: str, steps: RestoreSteps, progress: Progress) -> None:
        self._root = root
        self._name = name
        self._steps = steps
        self._progress = progress
        self._staging = f"{STAGING}{token_hex(6)}"
        self._aside: list[str] = []
        self._done = 0

    def run(self, contents: Contents) -> Sequence[str]:
        """Do the steps; return the folders that were moved aside."""
        self._remove_leftovers()
        if not self._steps.write and not self._steps.remove:
            return ()
        try:
            os.mkdir(self._staging, _OWN_FOLDER, dir_fd=self._root)
            staged = os.open(self._staging, _FOLDER, dir_fd=self._root)
        except OSError as error:
            raise disk_problem(self._name, error) from error
        try:
            self._stage(staged, contents)
            self._apply(staged)
        finally:
            os.close(staged)
            with suppress(OSError):
                remove_tree(self._root, self._staging)
        return tuple(self._aside)

    def _remove_leftovers(self) -> None:
        """Remove what killed restores left behind; nothing else has such a name."""
        for name in names_in(self._root):
            if name.startswith(STAGING):
                with suppress(OSError):
                    remove_tree(self._root, name)

    def _stage(self, staged: int, contents: Contents) -> None:
        """Write all content beside the files that it will replace."""
        try:
            for number, entry in enumerate(self._steps.write):
                if entry.kind == EntryKind.FILE:
                    self._stage_file(staged, str(number), entry, contents)
                elif entry.kind == EntryKind.LINK:
                    os.symlink(entry.target, str(number), dir_fd=staged)
                self._tell()
        except OSError as error:
            raise disk_problem(self._name, error) from error

    def _stage_file(self, staged: int, name: str, entry: TreeEntry, contents: Contents) -> None:
        file = os.open(name, _NEW, _OWN_FILE, dir_fd=staged)
        try:
            if entry.size and not entry.is_sparse:
                _reserve(file, entry.size)
            at = 0
            for part in contents.read(entry.hash):
                _write(file, part, at, is_sparse=entry.is_sparse)
                at += len(part)
            os.ftruncate(file, at)
            os.fchmod(file, entry.mode)
            if self._steps.with_times:
                os.utime(file, ns=(entry.mtime_ns, entry.mtime_ns))
        finally:
            os.close(file)

    def _apply(self, staged: int) -> None:
        """Replace and remove; folders come before what they contain."""
        for entry in sorted(self._steps.remove, reverse=True):
            self._guard(entry.path, self._remove)
        numbers = {entry.path: number for number, entry in enumerate(self._steps.write)}
        for entry in sorted(self._steps.write):
            if entry.kind == EntryKind.FOLDER:
                self._guard(entry.path, self._make_folder)
            else:
                number = numbers[entry.path]
                self._guard(entry.path, partial(self._replace, staged, number))
            self._tell()
        folders = [one for one in self._steps.write if one.kind == EntryKind.FOLDER]
        for entry in sorted(folders, reverse=True):
            self._guard(entry.path, partial(self._finish_folder, entry))

    def _guard(self, path: str, step: Callable[[str], None]) -> None:
        try:
            step(path)
        except OSError as error:
            problem = f"{_AHEAD} {error.strerror or error}."
            raise FolderChangedError(path, problem=problem) from error

    def _make_folder(self, path: str) -> None:
        found = status_beneath(self._root, path)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            self._check(path, found)
            with opened_parent(self._root, path) as (held, name):
                os.unlink(name, dir_fd=held)
        make_folder(self._root, path)

    def _finish_folder(self, entry: TreeEntry, path: str) -> None:
        with opened_parent(self._root, path) as (held, name):
            folder = os.open(name, _FOLDER, dir_fd=held)
        try:
            os.fchmod(folder, entry.mode)
            if self._steps.with_times:
                os.utime(folder, ns=(entry.mtime_ns, entry.mtime_ns))
        finally:
            os.close(folder)

    def _replace(self, staged: int, number: int, path: str) -> None:
        found = status_beneath(self._root, path)
        self._check(path, found)
        with opened_parent(self._root, path) as (held, name):
            if found is not None and stat.S_ISDIR(found.st_mode):
                self._make_way(held, name, path)
            os.rename(str(number), name, src_dir_fd=staged, dst_dir_fd=held)
            entry = self._steps.write[number]
            if self._steps.with_times and entry.kind == EntryKind.LINK:
                times = (entry.mtime_ns, entry.mtime_ns)
                os.utime(name, ns=times, dir_fd=held, follow_symlinks=False)

    def _make_way(self, held: int, name: str, path: str) -> None:
        """Remove an empty folder; move one aside that contains something that no snapshot keeps."""
        try:
            os.rmdir(name, dir_fd=held)
        except OSError:
            kept, ending = name, f".displaced-{token_hex(3)}"
            # Of a name that is almost as long as the disk allows, the beginning is kept. A part of
            # a character is no name on some disks.
            while len(os.fsencode(kept + ending)) > _LONGEST_NAME:
                kept = kept[:-1]
            aside = kept + ending
            os.rename(name, aside, src_dir_fd=held, dst_dir_fd=held)
            self._aside.append(f"{path.removesuffix(name)}{aside}")

    def _remove(self, path: str) -> None:
        found = status_beneath(self._root, path)
        if found is None:
            return
        self._check(path, found)
        with opened_parent(self._root, path) as (held, name):
            if stat.S_ISDIR(found.st_mode):
                with suppress(OSError):  # something that no snapshot keeps is still in it
                    os.rmdir(name, dir_fd=held)
            else:
                os.unlink(name, dir_fd=held)

    def _check(self, path: str, found: os.stat_result | None) -> None:
        """Refuse to replace what was not there when the steps were planned.

        Raises:
            FolderChangedError: Something else is there.
        """
        seen = self._steps.seen.get(path)
        if (seen is None) is not (found is None):
            raise FolderChangedError(path, problem=_OTHER)
        if seen is None or found is None or stat.S_ISDIR(found.st_mode):
            return
        is_same = seen.mtime_ns == found.st_mtime_ns
        if seen.kind == EntryKind.FILE:
            is_same = is_same and stat.S_ISREG(found.st_mode) and seen.size == found.st_size
        if not is_same:
            raise FolderChangedError(path, problem=_OTHER)

    def _tell(self) -> None:
        self._done += 1
        self._progress(self._done, 2 * len(self._steps.write))


def _write(file: int, part: bytes, at: int, *, is_sparse: bool) -> None:
    """Write a part of a file; in a sparse file, blocks of zeros stay holes."""
    if not is_sparse:
        _write_at(file, part, at)
        return
    for start in range(0, len(part), _HOLE):
        block = part[start : start + _HOLE]
        if block.strip(b"\0"):
            _write_at(file, block, at + start)


def _write_at(file: int, part: bytes, at: int) -> None:
    view = memoryview(part)
    while view:
        written = os.pwrite(file, view, at)
        view, at = view[written:], at + written


def _reserve(file: int, size: int) -> None:
    """Take the room of a file on the disk now, where the file system can do that."""
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        if error.errno not in _NOT_OFFERED:
            raise
