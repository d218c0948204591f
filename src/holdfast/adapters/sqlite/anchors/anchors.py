"""Spans, histories and added evidence; each part is imported on first use.

What the store knows about the git histories of repositories.

The spans that evidence cites.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.database.standpoint_rows import branch_point_of, put_branch_point
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.anchor import Anchor, BranchPoint, Rewrite, RewriteHow
from holdfast.domain.memory.evidence import Span
from holdfast.domain.memory.selection import Supersession

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.memory.reasons import SqliteReasons


class SqliteAnchors:
    """The anchor ports of one transaction."""

    def __init__(self, work: Work) -> None:
        self._work = work

    @cached_property
    def spans(self) -> SqliteSpans:
        """The spans in files."""
        return SqliteSpans(self._work)

    @cached_property
    def past(self) -> SqlitePast:
        """The git histories."""
        return SqlitePast(self._work)

    @cached_property
    def reasons(self) -> SqliteReasons:
        """The evidence that was added later."""
        from holdfast.adapters.sqlite.memory.reasons import SqliteReasons

        return SqliteReasons(self._work)


REWRITE = "rewrite"
_POINT_COLUMNS = 8
_HEAD = 3


class SqlitePast:
    """Standpoints of memories and branches, and rewrites by repository and old commit."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._rewritten: dict[tuple[str, str], Row] = {}

    def branch_points(self, repo: str, *, aside_only: bool) -> Sequence[BranchPoint]:
        """Return where memories of a repository were written, and the tips of its branches."""
        rows = self.work.rows("standpoints_aside" if aside_only else "standpoints_of", (repo,))
        found = [(row[:_POINT_COLUMNS], row[_POINT_COLUMNS:]) for row in rows]
        if not self.work.may_write:
            # Rewrites of these commits are asked for next: they come with the points.
            self._rewritten |= {(repo, point[_HEAD]): rewrite for point, rewrite in found}
        points = self.work.sound(
            [point for point, _ in found], lambda row: branch_point_of(self.work.path, *row)
        )
        return tuple(dict.fromkeys(points))

    def accepted_aside(self, repo: str) -> frozenset[str]:
        """Return the side branches on which accepted memories of a repository were written."""
        return frozenset(str(name) for (name,) in self.work.rows("accepted_aside", (repo,)))

    def supersessions(self, repo: str) -> Sequence[Supersession]:
        """Return superseding pairs of memories where at least one is from a side branch."""
        rows = self.work.rows("supersessions_aside", {"repo": repo})
        return tuple(self.work.sound(rows, self._supersession))

    def put_tip(self, repo: str, point: BranchPoint) -> None:
        """Store the newest commit of a branch; it replaces the one before."""
        self.work.moment()
        subject = _tip(repo, point.branch)
        row = self.work.row("get_standpoint", subject)
        if row is not None and branch_point_of(self.work.path, *row) == point:
            return
        self.work.row("drop_standpoint", subject)
        put_branch_point(subject, repo, point, self.work)

    def put_rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        """Store which commit replaced which."""
        self.work.moment()
        for rewrite in rewrites:
            values = sealed(
                REWRITE,
                (rewrite.repo, rewrite.old, rewrite.new, rewrite.how.value, millis(rewrite.at)),
            )
            self.work.run("put_rewrite", *values)
            self.work.record("rewrite.put", f"{rewrite.repo} {rewrite.old}", values[-1])

    def rewrites_of(self, repo: str, commits: Collection[str]) -> Mapping[str, Rewrite]:
        """Return the commit that directly replaced each commit, where that is known."""
        known = {
            one: self._rewritten[repo, one] for one in commits if (repo, one) in self._rewritten
        }
        rows = [row for row in known.values() if row[0] is not None]
        if unknown := [one for one in commits if one not in known]:
            rows += self.work.rows("rewrites_of", {"repo": repo, "commits": as_json(unknown)})
        return {one.old: one for one in self.work.sound(rows, self._rewrite)}

    def rewrites(self, *, beyond: Rewrite | None, limit: int) -> Sequence[Rewrite]:
        """Return rewrites ordered by repository and old commit, starting after ``beyond``."""
        after = ("", "") if beyond is None else (beyond.repo, beyond.old)
        rows = self.work.rows("rewrites_after", (*after, limit))
        return tuple(self.work.sound(rows, self._rewrite))

    def _supersession(self, row: Row) -> Supersession:
        newer, older, is_linked, stands, is_stored, *point = row
        return Supersession(
            newer=newer,
            older=older,
            point=None if point[0] is None else branch_point_of(self.work.path, *point),
            stands=bool(stands),
            is_linked=bool(is_linked),
            is_stored=bool(is_stored),
        )

    def _rewrite(self, row: Row) -> Rewrite:
        checked(REWRITE, row, path=self.work.path, name=f"{row[0]} {row[1]}")
        return Rewrite(
            repo=row[0], old=row[1], new=row[2], how=RewriteHow(row[3]), at=moment_of(row[4])
        )


def _tip(repo: str, branch: str | None) -> str:
    """Return the key of a branch's row, a hash: events hold it, but must not hold the name."""
    named = "\0".join([repo, *([] if branch is None else [branch])])
    return f"t_{hashlib.sha256(named.encode()).hexdigest()[:32]}"


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
