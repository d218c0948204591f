"""Reads a folder: its entries, and the content of its files, without following any link."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.workspaces.reading import (
    FILE,
    has_hole,
    hash_of,
    parts_of,
    rules_text,
    starts_with_key,
)
from holdfast.adapters.workspaces.seen_files import SeenFile, state_of
from holdfast.domain.workspace_errors import TreeTooLargeError
from holdfast.domain.workspaces.ignoring import IGNORE_FILE, GitRules, is_ignored, read_rules
from holdfast.domain.workspaces.safe_paths import GIT, STAGING
from holdfast.domain.workspaces.secret_files import is_secret_name
from holdfast.domain.workspaces.tree import EntryKind, OmitReason, Omitted, TreeEntry

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.adapters.workspaces.seen_files import SeenFiles
    from holdfast.domain.workspaces.ignoring import IgnoreRules
    from holdfast.domain.workspaces.snapshot import TreeRules
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import ContentWriter

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_KIND = EntryKind.FILE.value
_MODES = 0o777
_TRIES = 3
_DEEPEST = 100
_TICK_NS = 50_000_000
_STEP = 256
_ALL_IGNORED = (read_rules("*"),)
"""The rules in an ignored folder: git reads none there, and nothing brings a file back."""


class ScanSource(NamedTuple):
    """What a scan works with; ``apart`` are folders that belong to no snapshot."""

    rules: TreeRules
    seen: SeenFiles
    writer: ContentWriter | None
    distrust: Collection[str]
    apart: frozenset[tuple[int, int]]
    progress: Progress
    git: GitRules = GitRules()


class TreeScan:
    """One scan of a folder."""

    def __init__(self, source: ScanSource) -> None:
        self._source = source
        self.entries: list[TreeEntry] = []
        self.omitted: list[Omitted] = []
        self.ignored = 0
        self._size = 0
        self._limits = source.rules.limits
        tracked = source.git.tracked
        self._kept = tracked | {
            f"{path[:at]}/" for path in tracked for at in range(len(path)) if path[at] == "/"
        }

    def folder(self, held: int, path: str, chain: tuple[IgnoreRules, ...], *, depth: int) -> None:
        """Add everything in an open folder; ``path`` ends with / unless it is the root."""
        with os.scandir(held) as names:
            found = list(names)
        reads_rules = not self._source.rules.keeps_ignored and chain is not _ALL_IGNORED
        if reads_rules and any(one.name == IGNORE_FILE for one in found):
            ignores_case = self._source.git.ignores_case
            rules = read_rules(rules_text(held), folder=path, ignores_case=ignores_case)
            chain = (rules, *chain) if rules.groups else chain
        for entry in found:
            name = entry.name
            where = path + name
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # it was removed since the folder was listed
            if stat.S_ISDIR(status.st_mode):
                self._subfolder(held, name, where, status, chain, depth=depth)
            elif chain and is_ignored(chain, where, name) and where not in self._kept:
                self.ignored += 1
            else:
                self.leaf(held, name, where, status)

    def leaf(self, held: int, name: str, where: str, status: os.stat_result) -> None:
        """Add a file or a link."""
        mode = status.st_mode
        if stat.S_ISREG(mode):
            self._file(held, name, where, status)
        elif stat.S_ISLNK(mode):
            self._link(held, name, where, status)
        else:
            self.omitted.append(Omitted(where, OmitReason.SPECIAL))

    def _subfolder(
        self,
        held: int,
        name: str,
        where: str,
        status: os.stat_result,
        chain: tuple[IgnoreRules, ...],
        *,
        depth: int,
    ) -> None:
        inside = f"{where}/"
        if name.startswith(STAGING) or (status.st_dev, status.st_ino) in self._source.apart:
            return
        if not self._source.rules.keeps_ignored and name == GIT:
            return
        if chain and is_ignored(chain, inside, f"{name}/"):
            if inside not in self._kept:
                self.ignored += 1
                return
            chain = _ALL_IGNORED
        if depth >= _DEEPEST:
            self.omitted.append(Omitted(where, OmitReason.DEEP))
            return
        try:
            opened = os.open(name, FOLDER, dir_fd=held)
        except OSError:
            self.omitted.append(Omitted(where, OmitReason.UNREADABLE))
            return
        try:
            self._add(folder_entry(where, status))
            self.folder(opened, inside, chain, depth=depth + 1)
        finally:
            os.close(opened)

    def _link(self, held: int, name: str, where: str, status: os.stat_result) -> None:
        try:
            target = os.readlink(name, dir_fd=held)
        except OSError:
            self.omitted.append(Omitted(where, OmitReason.UNSTABLE))
            return
        kind = EntryKind.LINK.value
        self._add(TreeEntry(where, kind, _MODES, mtime_ns=status.st_mtime_ns, target=target))

    def _file(self, held: int, name: str, where: str, status: os.stat_result) -> None:
        source = self._source
        if status.st_size > self._limits.file:
            self.omitted.append(Omitted(where, OmitReason.LARGE))
            return
        known = source.seen.get(where, status)
        if known is None or known.hash in source.distrust:
            read = self._read(held, name, where)
            if isinstance(read, OmitReason):
                self.omitted.append(Omitted(where, read))
                return
            known, status = read
        elif known.is_secret and not source.rules.keeps_secrets:
            self.omitted.append(Omitted(where, OmitReason.SECRET))
            return
        self._add(file_entry(where, status, known))

    def _read(
        self, held: int, name: str, where: str
    ) -> tuple[SeenFile, os.stat_result] | OmitReason:
        """Read a file until it stays the same meanwhile; a secret is not read unless it is kept."""
        is_secret = is_secret_name(name)
        if is_secret and not self._source.rules.keeps_secrets:
            return OmitReason.SECRET
        try:
            file = os.open(name, FILE, dir_fd=held)
        except OSError:
            return OmitReason.UNREADABLE
        try:
            for _ in range(_TRIES):
                before, now_ns = os.fstat(file), time.time_ns()
                if problem := self._problem(file, before):
                    return problem
                digest = self._digest(file, before.st_size)
                is_fresh = now_ns - max(before.st_mtime_ns, before.st_ctime_ns) < _TICK_NS
                is_same = not is_fresh or digest == hash_of(file, before.st_size)
                if is_same and state_of(os.fstat(file)) == state_of(before):
                    is_secret = is_secret or starts_with_key(file)
                    is_sparse = has_hole(file, before.st_size)
                    seen = SeenFile(*state_of(before), digest, is_secret, is_sparse)
                    self._source.seen.put(where, seen, now_ns=now_ns)
                    return seen, before
        except OSError:
            return OmitReason.UNREADABLE
        finally:
            os.close(file)
        return OmitReason.UNSTABLE

    def _problem(self, file: int, status: os.stat_result) -> OmitReason | None:
        """Return why an open file is left out; None if it is read."""
        if not stat.S_ISREG(status.st_mode):
            return OmitReason.SPECIAL
        if status.st_size > self._limits.file:
            return OmitReason.LARGE
        if not self._source.rules.keeps_secrets and starts_with_key(file):
            return OmitReason.SECRET
        return None

    def _digest(self, file: int, size: int) -> str:
        writer = self._source.writer
        return hash_of(file, size) if writer is None else writer.add(parts_of(file, size))

    def _add(self, entry: TreeEntry) -> None:
        self.entries.append(entry)
        self._size += entry[3]
        if self._size > self._limits.total:
            raise TreeTooLargeError(what="bytes", cap=self._limits.total)
        count = len(self.entries)
        if count > self._limits.entries:
            raise TreeTooLargeError(what="files and folders", cap=self._limits.entries)
        if not count % _STEP:
            self._source.progress(count, 0)


def folder_entry(path: str, status: os.stat_result) -> TreeEntry:
    """Return the entry of a folder."""
    mode = status.st_mode & _MODES
    return TreeEntry(path, EntryKind.FOLDER.value, mode, mtime_ns=status.st_mtime_ns)


def file_entry(path: str, status: os.stat_result, seen: SeenFile) -> TreeEntry:
    """Return the entry of a file."""
    size, changed = status.st_size, status.st_mtime_ns
    return TreeEntry(
        path, _FILE_KIND, status.st_mode & _MODES, size, seen.hash, changed, "", seen.is_sparse
    )
