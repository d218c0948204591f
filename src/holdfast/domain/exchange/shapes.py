"""The JSON of memories, spans, links, sessions and tombstones, as shown, exported and stored.

Each JSON value reads back into an equal value; times are ISO 8601 in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from holdfast.domain.choices import Kind, Origin, Scope, Status, choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.anchor_shape import (
    anchor_from_json,
    anchor_json,
    branch_point_from_json,
    branch_point_json,
)
from holdfast.domain.fields import Fields, Shape, time_text
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.evidence import (
    RecordedSpan,
    Span,
    evidence_from_json,
    evidence_json,
)
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.memory.place import SpaceId

_TEXT_HASH = re.compile(r"[0-9a-f]{64}")


def record_json(record: MemoryRecord) -> dict[str, object]:
    """Return the JSON of a memory with everything stored beside it."""
    memory, usage = record.memory, record.usage
    return {
        "id": memory.id,
        "sequence": record.sequence,
        "space": memory.space,
        "scope": memory.scope.value,
        "workspace": memory.workspace,
        "repo": memory.repo,
        "branch": memory.branch,
        "standpoint": branch_point_json(memory.branch_point),
        "kind": memory.kind.value,
        "key": memory.key,
        "claim": memory.claim,
        "weight": memory.weight,
        "importance": memory.importance,
        "tags": list(memory.tags),
        "origin": memory.origin.value,
        "trust": memory.trust.value,
        "source": memory.source,
        "created_at": time_text(memory.created_at),
        "expires_at": time_text(memory.expires_at),
        "content_hash": memory.content_hash,
        "metadata": dict(memory.metadata),
        "evidence": [evidence_json(item) for item in memory.evidence],
        "added_evidence": [evidence_json(item) for item in record.added_evidence],
        **standing_json(record.standing),
        "access_count": usage.access_count,
        "last_accessed": time_text(usage.last_accessed),
        "good": usage.good,
        "bad": usage.bad,
    }


def record_from_json(shape: object) -> MemoryRecord:
    """Read a memory."""
    fields = Fields(shape, noun="memory")
    return MemoryRecord(
        sequence=fields.whole("sequence"),
        memory=_memory(fields),
        standing=standing_from_json(fields),
        usage=Usage(
            access_count=fields.whole("access_count"),
            last_accessed=fields.maybe_moment("last_accessed"),
            good=fields.whole("good"),
            bad=fields.whole("bad"),
        ),
        added_evidence=tuple(evidence_from_json(item) for item in fields.items("added_evidence")),
    )


def _memory(fields: Fields) -> Memory:
    metadata = fields.raw("metadata")
    memory = Memory(
        id=MemoryId(fields.text("id")),
        claim=fields.claim(),
        kind=choose(Kind, fields.text("kind"), what="kind"),
        scope=choose(Scope, fields.text("scope"), what="scope"),
        created_at=fields.moment("created_at"),
        evidence=tuple(evidence_from_json(item) for item in fields.items("evidence")),
        origin=choose(Origin, fields.text("origin"), what="origin"),
        trust=choose(Origin, fields.text("trust"), what="origin"),
        source=fields.text("source"),
        space=SpaceId(fields.text("space")),
        workspace=fields.text("workspace"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        key=fields.maybe_text("key"),
        weight=fields.number("weight"),
        importance=fields.number("importance"),
        tags=fields.words("tags"),
        expires_at=fields.maybe_moment("expires_at"),
        metadata=cast("Shape", metadata) if isinstance(metadata, Mapping) else {},
        branch_point=branch_point_from_json(fields.raw("standpoint")),
    )
    if memory.content_hash != fields.raw("content_hash"):
        raise BadFieldError(field="memory's content_hash", problem="does not fit its claim.")
    return memory


def standing_json(standing: Standing) -> dict[str, object]:
    """Return the JSON of a standing; in a record these fields are beside the memory's own."""
    return {
        "status": standing.status.value,
        "pinned": standing.pinned,
        "label": standing.label,
        "superseded_by": standing.superseded_by,
        "decided_by": standing.decided_by,
        "decided_at": time_text(standing.decided_at),
        "reason": standing.reason,
    }


def standing_from_json(fields: Fields) -> Standing:
    """Read a standing."""
    superseded_by = fields.maybe_text("superseded_by")
    return Standing(
        status=choose(Status, fields.text("status"), what="status"),
        pinned=bool(fields.maybe_bool("pinned")),
        label=fields.maybe_text("label"),
        superseded_by=None if superseded_by is None else MemoryId(superseded_by),
        decided_by=fields.maybe_text("decided_by"),
        decided_at=fields.maybe_moment("decided_at"),
        reason=fields.maybe_text("reason"),
    )


def span_json(span: Span) -> dict[str, object]:
    """Return the JSON of a span."""
    return {
        "id": span.id,
        "repo": span.repo,
        "path": span.path,
        "first": span.first,
        "last": span.last,
        "text_hash": span.text_hash,
        "captured_at": time_text(span.captured_at),
        "label": span.label,
        "pinned": span.pinned,
        "anchor": anchor_json(span.anchor),
    }


def span_from_json(shape: object) -> Span:
    """Read a span."""
    fields = Fields(shape, noun="span")
    return Span(
        id=SpanId(fields.text("id")),
        repo=fields.maybe_text("repo"),
        path=fields.text("path"),
        first=fields.whole("first"),
        last=fields.whole("last"),
        text_hash=fields.text("text_hash"),
        captured_at=fields.moment("captured_at"),
        label=fields.maybe_text("label"),
        pinned=bool(fields.maybe_bool("pinned")),
        anchor=anchor_from_json(fields.raw("anchor")),
    )


def recorded_span_json(span: RecordedSpan) -> dict[str, object]:
    """Return the JSON of lines that a caller read."""
    return {
        "path": span.path,
        "first": span.first,
        "last": span.last,
        "text_hash": span.text_hash,
        "anchor": anchor_json(span.anchor),
    }


def recorded_span_from_json(shape: object) -> RecordedSpan:
    """Read lines that a caller read.

    Raises:
        BadFieldError: A field is missing or wrong, or the lines have no order.
    """
    fields = Fields(shape, noun="span")
    first, last, text_hash = fields.whole("first"), fields.whole("last"), fields.text("text_hash")
    if not 1 <= first <= last:
        raise BadFieldError(field="span's lines", problem="must begin at 1 and be in order.")
    if _TEXT_HASH.fullmatch(text_hash) is None:
        raise BadFieldError(field="span's text_hash", problem="must be a SHA-256 hash.")
    return RecordedSpan(
        path=fields.text("path"),
        first=first,
        last=last,
        text_hash=text_hash,
        anchor=anchor_from_json(fields.raw("anchor")),
    )


def link_json(link: Link) -> dict[str, object]:
    """Return the JSON of a link."""
    return {"src": link.src, "dst": link.dst, "kind": link.kind, "score": link.score}


def link_from_json(shape: object) -> Link:
    """Read a link."""
    fields = Fields(shape, noun="link")
    return Link(
        src=MemoryId(fields.text("src")),
        dst=MemoryId(fields.text("dst")),
        kind=fields.text("kind"),
        score=fields.number("score"),
    )


def tombstone_json(grave: Tombstone) -> dict[str, object]:
    """Return the JSON of a tombstone."""
    return {
        "memory_id": grave.memory_id,
        "forgotten_at": time_text(grave.forgotten_at),
        "forgotten_by": grave.forgotten_by,
        "reason": grave.reason,
    }


def tombstone_from_json(shape: object) -> Tombstone:
    """Read a tombstone."""
    fields = Fields(shape, noun="tombstone")
    return Tombstone(
        memory_id=MemoryId(fields.text("memory_id")),
        forgotten_at=fields.moment("forgotten_at"),
        forgotten_by=fields.text("forgotten_by"),
        reason=fields.text("reason"),
    )
