"""Places in files that evidence names, and the histories they are in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.evidence import Evidence, Span
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.standpoint import Rewrite, Standpoint
from holdfast.domain.view import Supersession


class Spans(Protocol):
    """Places in files that evidence names."""

    def put(self, span: Span) -> None:
        """Write a span, or its label and pin."""
        ...

    def get(self, span_id: SpanId) -> Span:
        """Return a span.

        Raises:
            NoSuchError: No span has that id.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans by id, after the one named."""
        ...

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository."""
        ...

    def read(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Span]:
        """Return those of the spans that are here; an import may have refused some."""
        ...

    def within(self, repo: str, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return the spans of a repository by id, after the one named."""
        ...

    def citing(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Sequence[MemoryId]]:
        """Return the memories that rest on each span, in the order they came."""
        ...


class Past(Protocol):
    """What is known of the histories of repositories."""

    def standpoints(self, repo: str, *, aside_only: bool) -> Sequence[Standpoint]:
        """Return where the memories of a repository were written, each once, oldest first."""
        ...

    def supersessions(self, repo: str) -> Sequence[Supersession]:
        """Return who takes whose place in a repository where one of the two was written aside.

        Pairs with a link come last, and of each sort those of the newest memory; a pair without
        one must have the same key, and both must be accepted.
        """
        ...

    def put_tip(self, repo: str, point: Standpoint) -> None:
        """Note where a branch stands; it must be among the standpoints, a later one instead."""
        ...

    def put_rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        """Note that commits took others' places; the same old commit again must replace."""
        ...

    def rewrites_of(self, repo: str, commits: Collection[str]) -> Mapping[str, Rewrite]:
        """Return what took the place of each commit, where that is known, one step."""
        ...

    def rewrites(self, *, beyond: Rewrite | None, limit: int) -> Sequence[Rewrite]:
        """Return rewrites in the order of repository and old commit, after the one named."""
        ...


class Reasons(Protocol):
    """The reasons that came to a memory after it was written."""

    def add(self, memory_id: MemoryId, evidence: Evidence) -> None:
        """Put one more reason behind a memory; the same reason twice must be kept once.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...

    def withdraw(self, memory_id: MemoryId, evidence: Evidence) -> bool:
        """Take one away; tell whether it was there. What a memory was written with must stay."""
        ...


class Anchors(Protocol):
    """What evidence is anchored in."""

    @property
    def spans(self) -> Spans:
        """The places in files."""
        ...

    @property
    def past(self) -> Past:
        """The histories."""
        ...

    @property
    def reasons(self) -> Reasons:
        """The reasons that came later."""
        ...
