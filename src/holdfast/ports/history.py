"""What a repository remembers of itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from holdfast.domain.commits import Commit, Story
from holdfast.domain.evidence import FilePlace


class History(Protocol):
    """The commits of the repository we stand in."""

    def commits(self) -> Sequence[Commit]:
        """Return the commits that lead to where we are, oldest first.

        Raises:
            NoHistoryError: There is no repository.
            NothingCommittedError: Nothing was committed yet.
            OutsideUnavailableError: Git is not there, or does not want to read it.
        """
        ...

    def touching(self, place: FilePlace) -> Sequence[Commit]:
        """Return the commits that changed these lines, oldest first; none where they are gone."""
        ...


class Chronicle(Protocol):
    """The commits of a repository, told one by one to whoever keeps them."""

    def head(self) -> str:
        """Return the commit that is checked out.

        Raises:
            NoHistoryError: There is no repository.
            NothingCommittedError: Nothing was committed yet.
        """
        ...

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        """Return the newest commits that lead to one, from a moment on, newest first."""
        ...

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        """Return the commits that lead to the old one only, and those that lead to the new one.

        None where the old one is not here any more.
        """
        ...

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        """Return those that no branch and no tag leads to, or that are gone."""
        ...

    def stories(self, commits: Sequence[str]) -> Sequence[Story]:
        """Return what commits tell, in that order."""
        ...

    def moment(self, since: str) -> int:
        """Return the moment that words mean, in seconds: ``2024-01-31``, ``2 years ago``."""
        ...
