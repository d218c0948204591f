"""The repository we stand in, asked what became of what was anchored in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.anchor import Sighting
from holdfast.domain.evidence import Span
from holdfast.domain.ids import SpanId
from holdfast.domain.standpoint import Arrivals, CommitName, Fate, Revision, Rewrite, Standpoint


class Witness(Protocol):
    """Claims only what git's objects and the files on disk prove; when in doubt, it says so.

    The number of git processes must not grow with the number of spans or commits.
    """

    def examine(self, spans: Sequence[Span], *, at: str | None = None) -> Mapping[SpanId, Sighting]:
        """Say what became of each span: in the files on disk, or in the tree of a commit.

        A span of another repository, or where there is none, must be unverifiable.
        An equal text in two places must never be resolved to one of them silently.
        """
        ...

    def identify(self, commits: Collection[str]) -> Mapping[str, CommitName]:
        """Return the whole name and the patch-id of each commit that is here, by what was asked.

        One that is not here, or that several could be, must be left out.
        """
        ...

    def fates(
        self, commits: Collection[CommitName], known: Mapping[str, Rewrite]
    ) -> Mapping[str, Fate]:
        """Say what became of each commit, seen from HEAD; rewrites that are known come first."""
        ...

    def arrived(
        self,
        points: Collection[Standpoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
        home: str | None = None,
    ) -> Arrivals:
        """Return those whose work is part of a commit, HEAD if none is named.

        Reachable, rewritten by others of the same patch, or contained in a squash. Points of
        the branch ``home``, which stands at the commit, must be there too, unless they belong
        to an earlier branch that had the same name. Rewrites that are not known yet must be
        returned, so that they can be noted before git forgets them.
        """
        ...

    def resolve(self, revision: str) -> Revision:
        """Return the commit that a name means.

        Raises:
            NoSuchRevisionError: The name means no commit here.
            NoHistoryError: There is no repository.
            OutsideUnavailableError: Git is not there, or does not want to read it.
        """
        ...
