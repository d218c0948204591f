"""The files of a commit in which spans are searched."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import (
    MOST_BYTES,
    Differing,
    differing,
    listed_at,
    read_blobs,
)
from holdfast.adapters.git.reading.reading import (
    LARGEST_FILE,
)
from holdfast.adapters.git.reading.worktree import (
    converters,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.objects import TreeListing
    from holdfast.adapters.git.reading.repository import Repository
from holdfast.adapters.git.anchors.views import Content, inside_submodules

_MOST_KEPT = 64 * 1024 * 1024


class TreeView:
    """The files of a commit; each is read from git once, unless they are very large."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self.commit = commit
        self._repository = repository
        self._kept: dict[str, bytes] = {}
        self.is_cut = False

    @cached_property
    def _listing(self) -> TreeListing:
        return listed_at(self._repository, self.commit)

    def contents(self, paths: Collection[str]) -> Mapping[str, Content]:
        """Read some files of the commit."""
        files, submodules = self._listing
        blobs = {path: files[path] for path in paths if path in files}
        held = self._read(blobs.values())
        unread = "the commit's file is not here, or too large"
        found = {
            path: Content(held[blob]) if blob in held else Content(problem=unread)
            for path, blob in blobs.items()
        }
        missing = [path for path in paths if path not in files]
        return {
            **dict.fromkeys(missing, Content()),
            **inside_submodules(submodules, missing),
            **found,
        }

    def _read(self, blobs: Collection[str]) -> Mapping[str, bytes]:
        missing = [blob for blob in blobs if blob not in self._kept]
        if not missing:
            return self._kept
        read = read_blobs(self._repository, missing)
        found = {blob: self._kept[blob] for blob in blobs if blob in self._kept} | read
        if sum(map(len, self._kept.values())) + sum(map(len, read.values())) <= _MOST_KEPT:
            self._kept |= read
        return found

    def paths(self) -> Sequence[str]:
        """Return the files of the commit."""
        return list(self._listing.blobs)

    def stream(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Read the files of the commit."""
        size = 0
        for path, content in self.contents(list(paths)).items():
            if content.held is not None:
                size += len(content.held)
                yield path, content.held
        self.is_cut = self.is_cut or size > MOST_BYTES - LARGEST_FILE

    def differing(self, commits: Collection[str]) -> Mapping[str, Sequence[Differing]]:
        """Return what differs from the commit."""
        return differing(self._repository, commits, since=self.commit)

    def obscured(self, paths: Collection[str]) -> Mapping[str, str]:
        """Return the files that git stores converted: a commit does not have their text."""
        return {
            path: f"git keeps this file converted ({said}), and no filter is run to read it"
            for path, said in converters(self._repository, paths).items()
        }
