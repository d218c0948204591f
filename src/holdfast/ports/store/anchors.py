"""Ports for spans in files, for git histories, and for evidence added later."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.anchor import BranchPoint, Rewrite
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.domain.memory.selection import Supersession


class Spans(Protocol):
    """The spans that evidence cites."""

    def put(self, span: Span) -> None:
        """Write a span; an existing one gets the new label and pin."""
        ...

    def get(self, span_id: SpanId) -> Span:
        """Return a span.

        Raises:
            NoSuchError: No span has that id.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans in the order of their ids, starting after ``beyond``."""
        ...

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository."""
        ...

    def read(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Span]:
        """Return the spans that exist, by id; an import may have refused some."""
        ...

    def within(self, repo: str, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return the spans of a repository in the order of their ids, starting after ``beyond``."""
        ...

    def citing(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Sequence[MemoryId]]:
        """Return the memories that cite each span, in the order they were added."""
        ...


class Past(Protocol):
    """What the store knows about the git histories of repositories."""

    def branch_points(self, repo: str, *, aside_only: bool) -> Sequence[BranchPoint]:
        """Return the branch and commit where memories of a repository were written.

        Each branch point is returned once, the oldest first.
        """
        ...

    def accepted_aside(self, repo: str) -> frozenset[str]:
        """Return the side branches on which accepted memories of a repository were written."""
        ...

    def supersessions(self, repo: str) -> Sequence[Supersession]:
        """Return the pairs of superseding memories where at least one was written on a side branch.

        Pairs without a link come first, then pairs with one; within each group the pair of the
        newest memory comes last. The two memories of a pair without a link must have the same key,
        and both must be accepted.
        """
        ...

    def put_tip(self, repo: str, point: BranchPoint) -> None:
        """Store the newest commit of a branch.

        It must be among the standpoints, and a later one of the same branch must replace it.
        """
        ...

    def put_rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        """Store which commit replaced which; the same old commit again must replace its entry."""
        ...

    def rewrites_of(self, repo: str, commits: Collection[str]) -> Mapping[str, Rewrite]:
        """Return the commit that directly replaced each commit, where that is known."""
        ...

    def rewrites(self, *, beyond: Rewrite | None, limit: int) -> Sequence[Rewrite]:
        """Return rewrites ordered by repository and old commit, starting after ``beyond``."""
        ...


class Reasons(Protocol):
    """Evidence that was added to a memory after it was written."""

    def add(self, memory_id: MemoryId, evidence: Evidence) -> None:
        """Add evidence to a memory; the same evidence added twice must be stored once.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...

    def withdraw(self, memory_id: MemoryId, evidence: Evidence) -> bool:
        """Remove added evidence and return whether it existed.

        Evidence that the memory was written with must stay.
        """
        ...


class Anchors(Protocol):
    """The ports for everything that evidence refers to."""

    @property
    def spans(self) -> Spans:
        """The spans in files."""
        ...

    @property
    def past(self) -> Past:
        """The git histories."""
        ...

    @property
    def reasons(self) -> Reasons:
        """The evidence that was added later."""
        ...
