"""The current folder, its repository, and the files that can be evidence.

The commits of a repository.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.code.commits import Commit, CommitRecord
from holdfast.domain.memory.anchor import Anchor, BranchPoint, FoundLines
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.memory.place import Place


class SpanText(Protocol):
    """Lines that were read, and where they are."""

    @property
    def path(self) -> str:
        """The path relative to the repository's root, or absolute outside a repository."""
        ...

    @property
    def first(self) -> int:
        """The first line."""
        ...

    @property
    def last(self) -> int:
        """The last line."""
        ...

    @property
    def text_hash(self) -> str:
        """The hash of the lines, with normalised line endings."""
        ...

    @property
    def anchor(self) -> Anchor | None:
        """The anchor of the lines in the repository's content; None outside a repository."""
        ...


class Surroundings(Protocol):
    """The environment in which a command runs."""

    def place(self) -> Place:
        """Return the current space, workspace, repository and branch."""
        ...

    def branch_point(self) -> BranchPoint | None:
        """Return the branch and commit that are checked out; None if there is no commit."""
        ...

    def main_branch(self) -> str | None:
        """Return the branch from which others start; None if nothing tells which one that is."""
        ...

    def names_now(self, branches: Collection[str]) -> Mapping[str, str]:
        """Return those of the branches that were renamed, with their names now.

        A branch that exists, or went without a rename, must be left out.
        """
        ...

    def read_span(self, place: FilePlace) -> SpanText:
        """Read the lines that evidence names, as they are on disk now.

        The path must be relative to the current folder, or to the root of the repository if the
        place is marked so.

        Raises:
            EvidenceUnreadableError: The file or the lines do not exist, the file is not text or is
                too large, a link leads elsewhere, or the path is outside the repository.
        """
        ...

    def read_lines(self, found: FoundLines) -> Sequence[str]:
        """Return some lines of a file as they are on disk now.

        The path must be relative to the root of the repository, or to the current folder if there
        is no repository. Lines that the file does not have must be left out.

        Raises:
            EvidenceUnreadableError: The file cannot be read, as for ``read_span``.
        """
        ...


class History(Protocol):
    """The commits of the current repository."""

    def commits(self) -> Sequence[Commit]:
        """Return the commits that lead to HEAD, oldest first.

        Raises:
            NoHistoryError: There is no repository.
            NothingCommittedError: Nothing was committed yet.
            OutsideUnavailableError: Git is missing, or refuses to read the repository.
        """
        ...

    def touching(self, place: FilePlace) -> Sequence[Commit]:
        """Return the commits that changed these lines, oldest first; none if the lines are gone."""
        ...


class CommitRanges(Protocol):
    """Which commits lead to which."""

    def head(self) -> str:
        """Return the commit that is checked out.

        Raises:
            NoHistoryError: There is no repository.
            NothingCommittedError: Nothing was committed yet.
        """
        ...

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        """Return the newest commits that lead to ``head`` since a moment, newest first."""
        ...

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        """Return the commits reachable only from the old one, and those only from the new one.

        None if the old commit is no longer in the repository.
        """
        ...


class CommitReader(CommitRanges, Protocol):
    """The commits of a repository, in the form that the commit index reads."""

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        """Return the commits that no branch or tag contains, or that no longer exist."""
        ...

    def stories(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return the message and changes of each commit, in the given order."""
        ...
