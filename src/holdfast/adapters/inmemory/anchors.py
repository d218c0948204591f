"""Git histories in dicts, with the spans and added evidence.

Spans by id.

Evidence that was added to a memory after it was written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.memories import InMemoryMemories
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.anchor import BranchPoint, Rewrite
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.domain.memory.link import alone_on
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.selection import Supersession
from holdfast.domain.values import replace


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


@dataclass(frozen=True, slots=True)
class InMemoryReasons:
    """Added evidence, by memory."""

    state: InMemoryState

    def add(self, memory_id: MemoryId, evidence: Evidence) -> None:
        """Add evidence to a memory, once."""
        record = InMemoryMemories(self.state).get(memory_id)
        if evidence in record.evidence:
            return
        self.state.moment()
        more = replace(record, added_evidence=(*record.added_evidence, evidence))
        self.state.memories[memory_id] = more
        self.state.record("memory.evidence", memory_id, more)

    def withdraw(self, memory_id: MemoryId, evidence: Evidence) -> bool:
        """Remove evidence; return whether it existed."""
        self.state.moment()
        record = InMemoryMemories(self.state).get(memory_id)
        if evidence not in record.added_evidence:
            return False
        left = tuple(item for item in record.added_evidence if item != evidence)
        self.state.memories[memory_id] = replace(record, added_evidence=left)
        self.state.record("evidence.removed", memory_id)
        return True


@dataclass(frozen=True, slots=True)
class InMemoryPast:
    """What the store knows about the git histories of repositories."""

    state: InMemoryState

    def branch_points(self, repo: str, *, aside_only: bool) -> Sequence[BranchPoint]:
        """Return where memories of a repository were written, and the tips of its branches."""
        memories = [record.memory for record in self.state.memories.values()]
        written = [memory.branch_point for memory in memories if memory.repo == repo]
        tips = [point for (of, _), point in self.state.tips.items() if of == repo]
        met = dict.fromkeys(point for point in [*written, *tips] if point is not None)
        return tuple(point for point in met if point.is_aside or not aside_only)

    def accepted_aside(self, repo: str) -> frozenset[str]:
        """Return the side branches on which accepted memories of a repository were written."""
        records = self.state.memories.values()
        own = (one for one in records if one.memory.repo == repo)
        names = (alone_on(one.memory) for one in own if one.standing.status is Status.ACCEPTED)
        return frozenset(name for name in names if name is not None)

    def supersessions(self, repo: str) -> Sequence[Supersession]:
        """Return superseding pairs of memories where at least one is from a side branch."""
        own = [one for one in self.state.memories.values() if one.memory.repo == repo]
        aside = [one for one in own if one.memory.branch_point and one.memory.branch_point.is_aside]
        names = {one.memory.id for one in aside}
        linked = [
            (self.state.memories[link.src], self.state.memories[link.dst])
            for link in self.state.links.values()
            if link.kind == LinkKind.SUPERSEDES and not names.isdisjoint({link.src, link.dst})
        ]
        same_key = [(one, other) for one in aside for other in own if self._is_rival(one, other)]
        return tuple(
            _supersession(newer, older, is_linked=is_linked)
            for pairs, is_linked in ((same_key, False), (linked, True))
            for newer, older in sorted(pairs, key=lambda two: (two[0].sequence, two[1].sequence))
        )

    def _is_rival(self, one: MemoryRecord, other: MemoryRecord) -> bool:
        """Return whether two accepted memories have the same key and no link resolves that."""
        mine, theirs = one.memory, other.memory
        point = theirs.branch_point
        is_beside = point is not None and point.is_aside and point.branch == _branch(mine)
        told = {
            frozenset((link.src, link.dst))
            for link in self.state.links.values()
            if link.kind in {LinkKind.SUPERSEDES, LinkKind.COMPATIBLE}
        }
        return (
            mine.key is not None
            and (mine.key, mine.space, mine.scope) == (theirs.key, theirs.space, theirs.scope)
            and mine.id != theirs.id
            and one.standing.status is other.standing.status is Status.ACCEPTED
            and not is_beside
            and frozenset((mine.id, theirs.id)) not in told
        )

    def put_tip(self, repo: str, point: BranchPoint) -> None:
        """Store the newest commit of a branch; it replaces the one before."""
        self.state.moment()
        if self.state.tips.get((repo, point.branch)) != point:
            self.state.tips.pop((repo, point.branch), None)
            self.state.tips[repo, point.branch] = point
            self.state.record("standpoint.put", _tip(repo, point.branch), point)

    def put_rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        """Store which commit replaced which."""
        self.state.moment()
        for rewrite in rewrites:
            self.state.rewrites[rewrite.repo, rewrite.old] = rewrite
            self.state.record("rewrite.put", f"{rewrite.repo} {rewrite.old}", rewrite)

    def rewrites_of(self, repo: str, commits: Collection[str]) -> Mapping[str, Rewrite]:
        """Return the commit that directly replaced each commit, where that is known."""
        found = {commit: self.state.rewrites.get((repo, commit)) for commit in commits}
        return {commit: rewrite for commit, rewrite in found.items() if rewrite is not None}

    def rewrites(self, *, beyond: Rewrite | None, limit: int) -> Sequence[Rewrite]:
        """Return rewrites ordered by repository and old commit, starting after ``beyond``."""
        after = ("", "") if beyond is None else (beyond.repo, beyond.old)
        names = sorted(name for name in self.state.rewrites if name > after)
        return tuple(self.state.rewrites[name] for name in names[:limit])


def _branch(memory: Memory) -> str | None:
    return None if memory.branch_point is None else memory.branch_point.branch


def _supersession(newer: MemoryRecord, older: MemoryRecord, *, is_linked: bool) -> Supersession:
    return Supersession(
        newer=newer.memory.id,
        older=older.memory.id,
        point=newer.memory.branch_point,
        stands=newer.standing.status in {Status.ACCEPTED, Status.SUPERSEDED},
        is_linked=is_linked,
        is_stored=older.standing.status is Status.SUPERSEDED
        and older.standing.superseded_by == newer.memory.id,
    )


def _tip(repo: str, branch: str | None) -> str:
    """Return the key of a branch in events, a hash: events must not hold its name."""
    named = "\0".join([repo, *([] if branch is None else [branch])])
    return f"t_{hashlib.sha256(named.encode()).hexdigest()[:32]}"


class InMemoryAnchors:
    """The anchor ports of one transaction."""

    def __init__(self, state: InMemoryState) -> None:
        self.spans = InMemorySpans(state)
        self.past = InMemoryPast(state)
        self.reasons = InMemoryReasons(state)
