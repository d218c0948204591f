"""The commits of a repository."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from holdfast.domain.code.commits import Commit, CommitRecord
from holdfast.domain.memory.evidence import FilePlace


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


class CommitReader(Protocol):
    """The commits of a repository, in the form that the commit index reads."""

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

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        """Return the commits that no branch or tag contains, or that no longer exist."""
        ...

    def stories(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return the message and changes of each commit, in the given order."""
        ...

    def moment(self, since: str) -> int:
        """Return the epoch seconds of a date text: ``2024-01-31``, ``2 years ago``."""
        ...
