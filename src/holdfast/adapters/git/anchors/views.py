"""The files in which spans are searched: those on disk, or those of a commit."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.adapters.git.reading.objects import (
    MOST_BYTES,
    Differing,
    differing,
    read_blobs,
)
from holdfast.adapters.git.reading.reading import (
    NotThereError,
    PlainFiles,
    read_content,
)
from holdfast.adapters.git.reading.worktree import (
    changed_on_disk,
    converters,
    read_index,
    untracked,
)
from holdfast.domain.errors import EvidenceUnreadableError, OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.adapters.git.reading.worktree import Index

MOST_FILES = 20_000
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


class Content(NamedTuple):
    """The content of a file, or why it is not known; neither if there is no such file."""

    held: bytes | None = None
    problem: str = ""

    @property
    def is_missing(self) -> bool:
        """Return whether there is no such file."""
        return self.held is None and not self.problem


class FileView(Protocol):
    """A set of files to search for spans."""

    @property
    def commit(self) -> str | None:
        """The commit of the files, or the one that is checked out."""
        ...

    @property
    def is_cut(self) -> bool:
        """Whether some files were not read because there are too many."""
        ...

    def contents(self, paths: Collection[str]) -> Mapping[str, Content]:
        """Read some files."""
        ...

    def paths(self) -> Sequence[str]:
        """Return every file that is not ignored."""
        ...

    def stream(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Read the files one after the other, up to the search limit."""
        ...

    def differing(self, commits: Collection[str]) -> Mapping[str, Sequence[Differing]]:
        """Return for each existing commit the files that have changed since."""
        ...

    def obscured(self, paths: Collection[str]) -> Mapping[str, str]:
        """Return the files whose text only a filter could produce, each with the reason."""
        ...


class DiskView:
    """The files on disk; files outside a sparse checkout are read from git."""

    def __init__(self, repository: Repository, commit: str | None) -> None:
        self.commit = commit
        self._repository = repository
        self._files = PlainFiles(repository.root)
        self.is_cut = False

    @cached_property
    def _index(self) -> Index:
        return read_index(self._repository)

    @cached_property
    def _untracked(self) -> list[str]:
        return untracked(self._repository)

    def contents(self, paths: Collection[str]) -> Mapping[str, Content]:
        """Read some files; git is asked only about those that are not on disk."""
        found = {path: self._content(path) for path in paths}
        missing = [path for path, content in found.items() if content.is_missing]
        with suppress(OutsideUnavailableError):
            found |= self._from_git(missing) if missing else {}
        return found

    def _content(self, path: str) -> Content:
        try:
            return Content(read_content(self._repository.root, Path(path)))
        except NotThereError:
            return Content()
        except EvidenceUnreadableError as error:
            return Content(problem=str(error))

    def _from_git(self, missing: Sequence[str]) -> dict[str, Content]:
        files, submodules, _ = self._index
        aside = {
            path: files[path].blob for path in missing if path in files and files[path].is_aside
        }
        held = read_blobs(self._repository, aside.values()) if aside else {}
        found = {path: Content(held[blob]) for path, blob in aside.items() if blob in held}
        return {**found, **inside_submodules(submodules, missing)}

    def paths(self) -> Sequence[str]:
        """Return the tracked files, and the untracked ones that are not ignored."""
        return [*self._index.files, *self._untracked]

    def stream(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Read the files; those that are not on disk may be in git."""
        missing, size = [], 0
        for path in paths:
            held = self._files.held(path)
            if held is None:
                missing.append(path)
                continue
            size += len(held)
            if size > MOST_BYTES:
                self.is_cut = True
                return
            yield path, held
        for path, content in (self._from_git(missing) if missing else {}).items():
            if content.held is not None:
                yield path, content.held

    def differing(self, commits: Collection[str]) -> Mapping[str, Sequence[Differing]]:
        """Return the committed and the uncommitted changes since each commit."""
        if self.commit is None:
            return {}
        on_disk = changed_on_disk(self._repository, self._index, self.commit, self._files.held)
        found = differing(self._repository, commits, since=self.commit)
        # Untracked files may have existed at any time; git cannot tell.
        new = [Differing(path, "") for path in self._untracked]
        return {commit: _together(those, [*on_disk, *new]) for commit, those in found.items()}

    def obscured(self, paths: Collection[str]) -> Mapping[str, str]:
        """Return the files of which only a pointer is on disk."""
        pointers = [
            path for path in paths if (self._files.held(path) or b"").startswith(_LFS_POINTER)
        ]
        problem = "it holds a Git LFS pointer instead of its text. Run 'git lfs pull' and try again"
        return dict.fromkeys(converters(self._repository, pointers), problem)


def _together(committed: Sequence[Differing], later: Iterable[Differing]) -> list[Differing]:
    """Join the differences since a commit; a file that was renamed twice has its first name."""
    found = {one.path: one for one in committed}
    names = {one.path: one.renamed_from for one in committed if one.renamed_from is not None}
    for one in later:
        old = one.renamed_from
        if old is not None:
            found[one.path] = one._replace(renamed_from=names.get(old, old))
        elif one.is_gone and one.path in found:
            found[one.path] = found[one.path]._replace(is_gone=True)
        else:
            found.setdefault(one.path, one)
    return list(found.values())


def inside_submodules(submodules: Collection[str], paths: Iterable[str]) -> dict[str, Content]:
    """Return that the content of files in missing submodules is unknown."""
    found = {}
    for path in paths:
        around = [f"{parent}" for parent in Path(path).parents if f"{parent}" in submodules]
        if around:
            problem = f"it is in the submodule {around[0]}, which is not checked out"
            found[path] = Content(problem=problem)
    return found
