"""Places in files that evidence names."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.adapters.sqlite.rows import Row, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.evidence import Span
from holdfast.domain.ids import SpanId

SPAN = "span"


class SqliteSpans:
    """Spans by id."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, span: Span) -> None:
        """Write a span, or its label and pin."""
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

    def get(self, span_id: SpanId) -> Span:
        """Return a span."""
        row = self.work.row("get_span", span_id)
        if row is None:
            raise NoSuchError(noun="span", reference=span_id)
        return self._span(row)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Span]:
        """Return spans by id, after the one named."""
        rows = self.work.rows("spans_after", (beyond or "", limit))
        return tuple(self._span(row) for row in rows)

    def pinned(self, repo: str | None) -> Sequence[Span]:
        """Return the pinned spans of a repository, by id."""
        return tuple(self._span(row) for row in self.work.rows("spans_pinned", (repo,)))

    def _span(self, row: Row) -> Span:
        checked(SPAN, row, path=self.work.path, name=str(row[0]))
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
        )
