"""Spans by id, as rows of the store."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.anchor import Anchor
from holdfast.domain.memory.evidence import Span

SPAN, ANCHOR = "span", "anchor"
_SPAN_COLUMNS = 11
_MARKS = ("marks", "before", "after")


class SqliteSpans:
    """Spans by id."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, span: Span) -> None:
        """Write a span; an existing one gets the new label and pin."""
        self.work.moment()
        values = sealed(
            SPAN,
            (
                span.id,
                span.repo,
                span.path,
                span.first,
                span.last,
                span.text_hash,
                millis(span.captured_at),
                span.label,
                int(span.pinned),
            ),
        )
        self.work.run("put_span", *values)
        self.work.record("span.put", span.id, values[-1])
        self._put_anchor(span)

    def get(self, span_id: SpanId) -> Span:
        """Return a span."""
        row = self.work.row("get_span", span_id)
        if row is None:
            raise NoSuchError(noun="span", reference=span_id)
        return self._span(row)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans in the order of their ids, starting after ``beyond``."""
        rows = self.work.rows("spans_after", (beyond or "", limit))
        return tuple(self.work.sound(rows, self._span))

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository, by id."""
        return tuple(self.work.sound(self.work.rows("spans_pinned", (repo,)), self._span))

    def read(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Span]:
        """Return the spans that exist, by id."""
        rows = self.work.rows("spans_by_id", (as_json(list(span_ids)),))
        return {span.id: span for span in self.work.sound(rows, self._span)}

    def within(self, repo: str, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return the spans of a repository in the order of their ids, starting after ``beyond``."""
        rows = self.work.rows("spans_within", (repo, beyond or "", limit))
        return tuple(self.work.sound(rows, self._span))

    def citing(self, span_ids: Collection[SpanId]) -> Mapping[SpanId, Sequence[MemoryId]]:
        """Return the memories that cite each span, in the order they were added."""
        found: dict[SpanId, list[MemoryId]] = {span_id: [] for span_id in span_ids}
        for span_id, memory_id in self.work.rows("memories_citing", (as_json(list(found)),)):
            found[span_id].append(memory_id)
        return {span_id: tuple(memories) for span_id, memories in found.items()}

    def _put_anchor(self, span: Span) -> None:
        if span.anchor is not None:
            values = sealed(ANCHOR, (span.id, _body(span.anchor)))
            self.work.run("put_anchor", *values)
            self.work.record("anchor.put", span.id, values[-1])
        elif self.work.row("drop_anchor", span.id) is not None:
            self.work.record("anchor.removed", span.id)

    def _span(self, row: Row) -> Span:
        """Return the span of a row; if its anchor is lost, the span has none."""
        span, anchor = row[:_SPAN_COLUMNS], row[_SPAN_COLUMNS:]
        checked(SPAN, span, path=self.work.path, name=str(span[0]))
        if anchor[0] is None:
            return _span_of(span)
        checked(ANCHOR, anchor, path=self.work.path, name=f"of {anchor[0]}")
        return _span_of(span, _anchor_of(anchor[1]))


def _body(anchor: Anchor) -> str:
    """Return the stored text of an anchor: its many marks are joined, as none has a space."""
    shape = {name: getattr(anchor, name) for name in Anchor.__slots__}
    return as_json(shape | {name: " ".join(shape[name]) for name in _MARKS})


def _anchor_of(body: str) -> Anchor:
    shape = json.loads(body)
    return Anchor(**(shape | {name: tuple(shape[name].split()) for name in _MARKS}))


def _span_of(row: Row, anchor: Anchor | None = None) -> Span:
    return Span(
        id=SpanId(row[0]),
        repo=row[1],
        path=row[2],
        first=row[3],
        last=row[4],
        text_hash=row[5],
        captured_at=moment_of(row[6]),
        label=row[7],
        pinned=bool(row[8]),
        anchor=anchor,
    )
