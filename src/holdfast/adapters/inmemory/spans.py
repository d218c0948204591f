"""Spans by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import State
from holdfast.domain.errors import NoSuchError
from holdfast.domain.evidence import Span
from holdfast.domain.ids import SpanId


@dataclass(frozen=True, slots=True)
class InMemorySpans:
    """Places in files that evidence names."""

    state: State

    def put(self, span: Span) -> None:
        """Write a span, or its label and pin."""
        self.state.moment()
        self.state.spans[span.id] = span
        self.state.record("span.put", span.id, span)

    def get(self, span_id: SpanId) -> Span:
        """Return a span."""
        try:
            return self.state.spans[span_id]
        except KeyError:
            raise NoSuchError(noun="span", reference=span_id) from None

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans by id, after the one named."""
        ids = sorted(span_id for span_id in self.state.spans if span_id > (beyond or ""))
        return tuple(self.state.spans[span_id] for span_id in ids[:limit])

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository, by id."""
        spans = [span for span in self.state.spans.values() if span.pinned and span.repo == repo]
        return tuple(sorted(spans, key=lambda span: span.id))
