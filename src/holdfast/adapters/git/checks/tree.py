"""Lists and reads the files of a checkout for checks, without following a link.

No git call runs a program that the repository configures: changed files are found by comparing
their bytes, as everywhere else.
"""

from __future__ import annotations

import os
import stat
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import git_answer, path_of, read_blobs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.adapters.git.reading.worktree import read_index
from holdfast.domain.lookup_errors import NoSuchRevisionError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.adapters.git.reading.worktree import Index

LARGEST_CHECKED = 1024 * 1024
TOO_LARGE = f"it is larger than {LARGEST_CHECKED // 1024:,} KiB"
LINK = "it is a symbolic link or no regular file"
GONE = "it is gone"
LINKED_FOLDER = "it is a link to a folder, which is not looked at"
NESTED = "it is a repository of its own, which is not looked at"
MOVED = "it changed while it was read"
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def folder_kind(path: str) -> str:
    """Return what a folder is that git lists like a file; empty for anything else."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return ""
    if stat.S_ISLNK(mode):
        return LINKED_FOLDER if os.path.isdir(path) else ""  # noqa: PTH112 - one of very many
    return NESTED if stat.S_ISDIR(mode) else ""


class StagedTree:
    """The files as the index holds them: what the next commit will contain."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._contents: dict[str, bytes] = {}

    @cached_property
    def _index(self) -> Index:
        return read_index(self._repository)

    def files(self, among: Collection[str] | None = None) -> Sequence[str]:
        """Return the files of the index, and its links to files, which cannot be read."""
        known = {*self._index.files, *self._index.links} - self.unseen().keys()
        return sorted(known if among is None else known.intersection(among))

    def unseen(self, among: Collection[str] | None = None) -> Mapping[str, str]:
        """Return links to folders, and submodules."""
        found = dict.fromkeys(sorted(self._index.submodules), NESTED)
        for path in sorted(self._index.links):
            if what := folder_kind(f"{self._repository.root}/{path}"):
                found[path] = what
        return {path: what for path, what in found.items() if among is None or path in among}

    def changed(self) -> Collection[str]:
        """Return the staged files, with those whose removal is staged."""
        base = head_of(self._repository) or _EMPTY_TREE
        options = ("--cached", "-z", "--name-only", "--no-renames", "--ignore-submodules=dirty")
        answer = git_answer(self._repository, "diff-index", *options, base, "--")
        return {path_of(name) for name in answer.split(b"\0")[:-1]}

    def want(self, paths: Iterable[str]) -> None:
        """Read the blobs of these files with one call of git."""
        files = self._index.files
        names = {files[path].blob for path in paths if path in files and path not in self._contents}
        read = read_blobs(self._repository, sorted(names)) if names else {}
        self._contents |= {
            path: read[file.blob] for path, file in files.items() if file.blob in read
        }

    def content(self, path: str) -> bytes | str:
        """Return the staged bytes of a file, or why they cannot be read."""
        file = self._index.files.get(path)
        if file is None:
            return LINK if path in self._index.links else GONE
        if file.is_unmerged:
            return "a merge left several versions of it"
        if path not in self._contents:
            self.want([path])
        content = self._contents.get(path)
        if content is None:
            return "its staged version cannot be read"
        return content if len(content) <= LARGEST_CHECKED else TOO_LARGE

    def exists(self, path: str) -> bool:
        """Tell whether a file, a link or a submodule is staged or committed."""
        index = self._index
        return path in index.files or path in index.links or path in index.submodules


def head_of(repository: Repository) -> str | None:
    """Return the commit that is checked out; None before the first one."""
    status, words, _ = ask_git(repository, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return words.strip() if status == 0 else None


def commit_of(repository: Repository, revision: str) -> str:
    """Return the commit that a revision means.

    Raises:
        NoSuchRevisionError: It is not a commit.
    """
    if revision.strip() and not revision.startswith("-") and "\0" not in revision:
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        status, name, _ = ask_git(repository, *words)
        if status == 0 and name.strip():
            return name.strip().splitlines()[-1]
    raise NoSuchRevisionError(revision)


def left_at(repository: Repository, commit: str, head: str) -> str:
    """Return where the history of HEAD left that of a commit; the commit if they share nothing.

    A branch did not change what the other one got later.
    """
    status, words, _ = ask_git(repository, "merge-base", commit, head)
    return words.strip().splitlines()[0] if status == 0 and words.strip() else commit
