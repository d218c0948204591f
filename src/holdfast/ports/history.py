"""What a repository remembers of itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.commits import Commit
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
