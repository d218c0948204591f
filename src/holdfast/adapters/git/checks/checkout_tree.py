"""The files of a checkout as checks read them from the disk."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import differing, git_answer, path_of
from holdfast.adapters.git.reading.reading import PlainFiles
from holdfast.adapters.git.reading.repository import with_proposed_index
from holdfast.adapters.git.reading.worktree import changed_on_disk, read_index, untracked
from holdfast.domain.checks.change import Change, ChangeRange
from holdfast.domain.lookup_errors import NoHistoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository
from holdfast.adapters.git.checks.tree import (
    GONE,
    LARGEST_CHECKED,
    LINK,
    MOVED,
    TOO_LARGE,
    StagedTree,
    commit_of,
    folder_kind,
    head_of,
    left_at,
)

_PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KNOWN = ("--cached", "--others", "--exclude-standard", "--deduplicate")
_MOST_NAMED = 200
"""How many paths git is given by name; more of them are looked for among all."""


class GitTrees:
    """Finds the repository when the first check runs."""

    def __init__(self, find: Callable[[], Repository | None]) -> None:
        self._find = find

    def tree(self, change: Change) -> GitTree | StagedTree:
        """Return the files that a run of checks looks at.

        Raises:
            NoHistoryError: There is no repository.
        """
        repository = self._find()
        if repository is None:
            raise NoHistoryError
        if change.kind is ChangeRange.STAGED:
            return StagedTree(with_proposed_index(repository))
        return GitTree(repository, change)


class GitTree:
    """The files on disk."""

    def __init__(self, repository: Repository, change: Change) -> None:
        self._repository = repository
        self._change = change
        self._root = str(repository.root)
        self._plain: dict[str, bool] = {}

    def files(self, among: Collection[str] | None = None) -> Sequence[str]:
        """Return the tracked and the untracked, unignored files that are on disk."""
        entries = self._entries if among is None else self._among(among)
        return [path for path in entries if not path.endswith("/")]

    def _among(self, paths: Collection[str]) -> Sequence[str]:
        """Return those of the entries that have one of these paths."""
        inside = [path for path in paths if _is_inside(path)]
        if len(inside) > _MOST_NAMED or "_entries" in self.__dict__:
            entries = self._entries
        elif inside:
            named = ("--", *(f":(top,literal){path}" for path in inside))
            gone = set(self._listed("--deleted", *named))
            entries = [path for path in self._listed(*_KNOWN, *named) if path not in gone]
        else:
            return []
        wanted = frozenset(inside)
        return [path for path in entries if path.removesuffix("/") in wanted]

    @cached_property
    def _entries(self) -> Sequence[str]:
        """The files, submodules and links; a nested repository ends with a slash."""
        gone = set(self._listed("--deleted"))
        return [path for path in self._listed(*_KNOWN) if path not in gone]

    def _listed(self, *words: str) -> list[str]:
        answer = git_answer(self._repository, "ls-files", "-z", *words)
        return [path_of(name) for name in answer.split(b"\0")[:-1]]

    def unseen(self, among: Collection[str] | None = None) -> Mapping[str, str]:
        """Return links to folders, submodules, and nested repositories."""
        found: dict[str, str] = {}
        folders: dict[str, set[str]] = {}
        for entry in self._entries if among is None else self._among(among):
            folder, _, name = entry.removesuffix("/").rpartition("/")
            folders.setdefault(folder, set()).add(name)
        for folder, names in folders.items():
            for name in sorted(_no_files(f"{self._root}/{folder}", names)):
                path = f"{folder}/{name}" if folder else name
                if what := folder_kind(f"{self._root}/{path}"):
                    found[path] = what
        return found

    def changed(self) -> Collection[str] | None:
        """Return the files that differ from HEAD or from a revision, with those that are gone.

        Raises:
            NoSuchRevisionError: The revision is not a commit.
        """
        if self._change.is_whole:
            return None
        head = head_of(self._repository)
        index = read_index(self._repository)
        read = PlainFiles(self._repository.root).held
        nested = {path.removesuffix("/") for path in self._entries if path.endswith("/")}
        found = {*untracked(self._repository), *nested}
        if head is None:
            return found | set(index.files)
        for one in changed_on_disk(self._repository, index, head, read):
            found |= {one.path, *(() if one.renamed_from is None else (one.renamed_from,))}
        found.update(path for path in index.links if not Path(self._root, path).is_symlink())
        if self._change.since is not None:
            found |= self._since(self._change.since, head)
        return found

    def _since(self, revision: str, head: str) -> set[str]:
        base = left_at(self._repository, commit_of(self._repository, revision), head)
        changes = differing(self._repository, [base], since=head).get(base, [])
        old = {one.renamed_from for one in changes if one.renamed_from is not None}
        return {one.path for one in changes} | old

    def want(self, paths: Iterable[str]) -> None:
        """Files on disk are read one by one."""

    def content(self, path: str) -> bytes | str:
        """Return the bytes of a file, or why it cannot be read."""
        if not self._is_plain(path.rpartition("/")[0]):
            return LINK
        try:
            handle = os.open(f"{self._root}/{path}", _PLAIN)
        except FileNotFoundError:
            return GONE
        except (OSError, ValueError):
            return LINK
        try:
            return _read(handle)
        except OSError as error:
            return str(error.strerror)
        finally:
            os.close(handle)

    def exists(self, path: str) -> bool:
        """Tell whether something has this path; a link out of the repository does not count."""
        folder = path.rpartition("/")[0]
        return self._is_plain(folder) and os.path.lexists(f"{self._root}/{path}")

    def _is_plain(self, folder: str) -> bool:
        """Return whether a folder exists and no part of its path is a link."""
        known = self._plain.get(folder)
        if known is None:
            whole = f"{self._root}/{folder}" if folder else self._root
            known = self._plain[folder] = os.path.realpath(whole) == whole
        return known


def _is_inside(path: str) -> bool:
    """Tell whether git accepts a path as one of the repository; another one ends the command."""
    return "\0" not in path and not {"", ".", ".."}.intersection(path.split("/"))


def _no_files(folder: str, names: Collection[str]) -> Collection[str]:
    """Return which of the names in a folder may not be plain files; all if it cannot be listed.

    A folder lists the kinds of its entries: a repository of many files needs no call for each.
    """
    try:
        with os.scandir(folder) as listed:
            return [
                one.name
                for one in listed
                if not one.is_file(follow_symlinks=False) and one.name in names
            ]
    except OSError:
        return names


def _read(handle: int) -> bytes | str:
    before = os.fstat(handle)
    if not stat.S_ISREG(before.st_mode):
        return LINK
    if before.st_size > LARGEST_CHECKED:
        return TOO_LARGE
    content = _all_of(handle, LARGEST_CHECKED + 1)
    return content if _is_same(before, os.fstat(handle), len(content)) else MOVED


def _all_of(handle: int, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while size < most and (part := os.read(handle, most - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _is_same(before: os.stat_result, after: os.stat_result, size: int) -> bool:
    told = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return told and size == before.st_size
