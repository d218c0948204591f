"""The port that finds out from git what happened to anchored spans and commits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import (
    Arrivals,
    BranchPoint,
    CommitFate,
    CommitName,
    LossHow,
    Revision,
    Rewrite,
    Sighting,
)
from holdfast.domain.memory.evidence import Span
from holdfast.ports.workspaces.contents import Contents


class Verifier(Protocol):
    """The verifier of the current repository.

    It reports only what git's objects and the files on disk prove, and marks every doubt as such.
    The number of git processes must not grow with the number of spans or commits.
    """

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Return the verdict on each span: in the files on disk, or in the tree of a commit.

        A span of another repository, or outside any repository, must be unverifiable. If an equal
        text exists in two places, one of them must never be chosen silently. Without ``is_noted``,
        nothing about the spans must be written anywhere: they belong to sensitive memories.
        """
        ...

    def identify(self, commits: Collection[str]) -> Mapping[str, CommitName]:
        """Return the full id and the patch-id of each commit that exists, by the requested name.

        A commit that does not exist, or whose abbreviated name is ambiguous, must be left out.
        """
        ...

    def fates(
        self, commits: Collection[CommitName], known: Mapping[str, Rewrite]
    ) -> Mapping[str, CommitFate]:
        """Return what happened to each commit, seen from HEAD; known rewrites are used first."""
        ...

    def arrived(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
        home: str | None = None,
    ) -> Arrivals:
        """Return the standpoints whose work is part of a commit, by default of HEAD.

        Their commit is reachable, was rewritten by commits with the same patch, or is contained in
        a squash. Standpoints of the branch ``home``, which points at the commit, must be included
        too, unless they belong to an earlier branch of the same name. Newly found rewrites must be
        returned, so that they can be stored before git deletes the old commits.
        """
        ...

    def losses(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
    ) -> Mapping[str, LossHow]:
        """Return the commits of points that are not part of a commit, by default of HEAD, and how.

        A commit that was rewritten, whose change is contained, or whose lines are all there, must
        not be returned. Names of branches must not count, only commits.
        """
        ...

    def resolve(self, revision: str) -> Revision:
        """Return the commit that a git name refers to.

        Raises:
            NoSuchRevisionError: The name refers to no commit here.
            NoHistoryError: There is no repository.
            OutsideUnavailableError: Git is missing, or refuses to read the repository.
        """
        ...

    def contents(self) -> Contents | None:
        """Return the content of snapshots that this machine keeps; None if it keeps none."""
        ...
