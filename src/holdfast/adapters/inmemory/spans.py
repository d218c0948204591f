"""Spans by id."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.evidence import Span


@dataclass(frozen=True, slots=True)
class InMemorySpans:
    """The spans that evidence cites."""

    state: InMemoryState

    def put(self, span: Span) -> None:
        """Write a span; an existing one gets the new label and pin."""
        self.state.moment()
        before = self.state.spans.get(span.id)
        self.state.spans[span.id] = span
        self.state.record("span.put", span.id, span)
        was = None if before is None else before.anchor
        self.state.record_part("anchor", span.id, span.anchor, was)

    def get(self, span_id: SpanId) -> Span:
        """Return a span."""
        try:
            return self.state.spans[span_id]
        except KeyError:
            raise NoSuchError(noun="span", reference=span_id) from None

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans in the order of their ids, starting after ``beyond``."""
        ids = sorted(span_id for span_id in self.state.spans if span_id > (beyond or ""))
        return tuple(self.state.spans[span_id] for span_id in ids[:limit])

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository, by id."""
        spans = [span for span in self.state.spans.values() if span.pinned and span.repo == repo]
        return tuple(sorted(spans, key=lambda span: span.id))

    def read(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Span]:
        """Return the spans that exist, by id."""
        found = {span_id: self.state.spans.get(span_id) for span_id in span_ids}
        return {span_id: span for span_id, span in found.items() if span is not None}

    def within(self, repo: str, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return the spans of a repository in the order of their ids, starting after ``beyond``."""
        spans = [span for span in self.state.spans.values() if span.repo == repo]
        after = [span for span in spans if span.id > (beyond or "")]
        return tuple(sorted(after, key=lambda span: span.id)[:limit])

    def citing(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Sequence[MemoryId]]:
        """Return the memories that cite each span, in the order they were added."""
        records = self.state.memories.values()
        named = [(each.memory.id, {item.span for item in each.evidence}) for each in records]
        return {
            span_id: tuple(memory_id for memory_id, spans in named if span_id in spans)
            for span_id in span_ids
        }
