"""Every noun reads back from its JSON into an equal value."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.anchor_shape import (
    anchor_from_json,
    anchor_json,
    branch_point_from_json,
    branch_point_json,
    rewrite_from_json,
    rewrite_json,
)
from holdfast.domain.exchange.bundle_reading import bundle_from_json
from holdfast.domain.exchange.bundle_shape import bundle_json
from holdfast.domain.exchange.session_shapes import (
    session_from_json,
    session_json,
    turn_from_json,
    turn_json,
)
from holdfast.domain.exchange.shapes import (
    link_from_json,
    link_json,
    record_from_json,
    record_json,
    span_from_json,
    span_json,
    tombstone_from_json,
    tombstone_json,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.anchor import Anchor, BranchPoint, Rewrite, RewriteHow
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, Reason, StageRank
from holdfast.domain.recall.question import Question
from holdfast.domain.sessions.session import Interaction, Session
from tests.builders import (
    a_branch_point,
    a_bundle,
    a_record,
    a_rewrite,
    a_session,
    a_span,
    an_anchor,
    an_item,
    one_left_out,
)
from tests.requirements import requirement

TEXT = st.text(max_size=12)
SAID = TEXT.filter(str.strip)
MAYBE = st.none() | TEXT
MOMENTS = st.datetimes(timezones=st.just(UTC))
WHOLE = st.integers(0, 10_000)
SHARE = st.floats(0, 1)
NAMES: Any = st.text(alphabet="abc-", min_size=1, max_size=8)
EVIDENCE = st.builds(
    Evidence,
    type=st.sampled_from(EvidenceType),
    reference=SAID,
    span=st.none() | NAMES,
    facts=st.dictionaries(TEXT, TEXT, max_size=2),
)
HASHES = st.text(alphabet="0123456789abcdef", min_size=4, max_size=64)
MARKS = st.lists(HASHES, max_size=3).map(tuple)
BRANCH_POINTS = st.builds(
    BranchPoint, branch=MAYBE, head=HASHES, is_aside=st.booleans(), is_shared=st.booleans()
)
ANCHORS = st.builds(
    Anchor,
    loose_hash=HASHES,
    marks=MARKS,
    before=MARKS,
    after=MARKS,
    is_all_marked=st.booleans(),
    symbol=MAYBE,
    blob=st.none() | HASHES,
    is_committed=st.booleans(),
    head=st.none() | HASHES,
    branch=MAYBE,
    touched_by=st.none() | HASHES,
    patch=st.none() | HASHES,
)
REWRITES = st.builds(
    Rewrite, repo=TEXT, old=HASHES, new=HASHES, how=st.sampled_from(RewriteHow), at=MOMENTS
)
MEMORIES = st.builds(
    Memory,
    id=NAMES,
    claim=SAID,
    kind=st.sampled_from(Kind),
    scope=st.sampled_from(Scope),
    created_at=MOMENTS,
    evidence=st.lists(EVIDENCE, min_size=1, max_size=2).map(tuple),
    origin=st.sampled_from(Origin),
    trust=st.sampled_from(Origin),
    source=TEXT,
    space=NAMES,
    workspace=TEXT,
    repo=MAYBE,
    branch=MAYBE,
    key=st.none() | NAMES,
    weight=st.floats(0, 10),
    importance=SHARE,
    tags=st.lists(NAMES, max_size=3).map(tuple),
    expires_at=st.none() | MOMENTS,
    metadata=st.dictionaries(TEXT, TEXT | st.integers() | st.none(), max_size=2),
    branch_point=st.none() | BRANCH_POINTS,
)
RECORDS = st.builds(
    MemoryRecord,
    sequence=WHOLE,
    memory=MEMORIES,
    standing=st.builds(
        Standing,
        status=st.sampled_from(Status),
        pinned=st.booleans(),
        label=MAYBE,
        superseded_by=st.none() | NAMES,
        decided_by=MAYBE,
        decided_at=st.none() | MOMENTS,
        reason=MAYBE,
    ),
    usage=st.builds(
        Usage, access_count=WHOLE, last_accessed=st.none() | MOMENTS, good=WHOLE, bad=WHOLE
    ),
    added_evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
)
REASONS = st.lists(st.builds(Reason, leg=TEXT, amount=st.floats(-1, 1), note=TEXT), max_size=2).map(
    tuple
)
RANKS = st.lists(st.builds(StageRank, stage=TEXT, rank=WHOLE), max_size=2).map(tuple)
BUNDLES = st.builds(
    Bundle,
    id=NAMES,
    question=st.builds(
        Question,
        text=TEXT,
        budget=st.integers(1, 5_000),
        include=st.sampled_from([("memory",), ("memory", "code")]),
        limit=st.integers(1, 200),
        kinds=st.lists(st.sampled_from(Kind), max_size=2).map(tuple),
        scopes=st.lists(st.sampled_from(Scope), max_size=2).map(tuple),
        tags=st.lists(NAMES, max_size=2).map(tuple),
    ),
    asked_at=MOMENTS,
    place=st.builds(Place, space=NAMES, workspace=TEXT, repo=MAYBE, branch=MAYBE),
    items=st.lists(
        st.builds(
            BundleItem,
            memory_id=NAMES,
            content_hash=TEXT,
            score=SHARE,
            tokens=WHOLE,
            reasons=REASONS,
            ranks=RANKS,
            superseded_by=st.none() | NAMES,
        ),
        max_size=2,
    ).map(tuple),
    left_out=st.lists(
        st.builds(
            LeftOut,
            memory_id=NAMES,
            score=SHARE,
            tokens=WHOLE,
            reasons=REASONS,
            why=TEXT,
            ranks=RANKS,
        ),
        max_size=2,
    ).map(tuple),
    tokens=WHOLE,
    counter=TEXT,
    notes=st.lists(TEXT, max_size=2).map(tuple),
    good=st.none() | st.booleans(),
)
SPANS = st.builds(
    Span,
    id=NAMES,
    repo=MAYBE,
    path=TEXT,
    first=WHOLE,
    last=WHOLE,
    text_hash=TEXT,
    captured_at=MOMENTS,
    label=MAYBE,
    pinned=st.booleans(),
    anchor=st.none() | ANCHORS,
)
LINKS = st.builds(
    Link,
    src=st.just(MemoryId("m_1")),
    dst=st.just(MemoryId("m_2")),
    kind=st.sampled_from(["about", "blocks"]),
    score=SHARE,
)
SESSIONS = st.builds(
    Session,
    id=NAMES,
    tool=TEXT,
    user=TEXT,
    repo=MAYBE,
    branch=MAYBE,
    started_at=MOMENTS,
    finished_at=st.none() | MOMENTS,
    branch_point=st.none() | BRANCH_POINTS,
)
TURNS = st.builds(
    Interaction,
    id=WHOLE,
    session_id=NAMES,
    at=MOMENTS,
    query=TEXT,
    bundle_id=st.none() | NAMES,
    satisfied=st.none() | st.booleans(),
    notes=TEXT,
)
TOMBSTONES = st.builds(
    Tombstone, memory_id=NAMES, forgotten_at=MOMENTS, forgotten_by=TEXT, reason=TEXT
)


def through_json(shape: dict[str, object] | None) -> object:
    return json.loads(json.dumps(shape))


@requirement("export.lossless")
@given(record=RECORDS)
def test_a_memory_reads_back_with_all_that_is_kept_beside_it(record: MemoryRecord) -> None:
    assert record_from_json(through_json(record_json(record))) == record


@requirement("export.lossless")
@given(bundle=BUNDLES)
def test_a_bundle_reads_back(bundle: Bundle) -> None:
    assert bundle_from_json(through_json(bundle_json(bundle))) == bundle


@requirement("export.lossless")
def test_a_bundle_from_before_ranks_were_kept_still_reads() -> None:
    bundle = a_bundle(items=(an_item(),), left_out=(one_left_out(),))
    shape: Any = through_json(bundle_json(bundle))
    for item in (*shape["items"], *shape["left_out"]):
        del item["ranks"]
    del shape["items"][0]["superseded_by"]

    assert bundle_from_json(shape) == bundle


@requirement("export.lossless")
@given(span=SPANS, link=LINKS, session=SESSIONS, turn=TURNS, grave=TOMBSTONES)
def test_every_other_noun_reads_back(
    span: Span, link: Link, session: Session, turn: Interaction, grave: Tombstone
) -> None:
    assert span_from_json(through_json(span_json(span))) == span
    assert link_from_json(through_json(link_json(link))) == link
    assert session_from_json(through_json(session_json(session))) == session
    assert turn_from_json(through_json(turn_json(turn))) == turn
    assert tombstone_from_json(through_json(tombstone_json(grave))) == grave


@requirement("export.lossless")
@given(anchor=ANCHORS, point=BRANCH_POINTS, rewrite=REWRITES)
def test_what_evidence_is_anchored_in_reads_back(
    anchor: Anchor, point: BranchPoint, rewrite: Rewrite
) -> None:
    assert anchor_from_json(through_json(anchor_json(anchor))) == anchor
    assert branch_point_from_json(through_json(branch_point_json(point))) == point
    assert rewrite_from_json(through_json(rewrite_json(rewrite))) == rewrite


@requirement("export.lossless")
def test_no_field_of_an_anchor_a_standpoint_or_a_rewrite_is_left_out() -> None:
    for value, shape in (
        (an_anchor(), anchor_json(an_anchor())),
        (a_branch_point(), branch_point_json(a_branch_point())),
        (a_rewrite(), rewrite_json(a_rewrite())),
    ):
        assert len(shape or {}) == len(fields(value))


@requirement("export.lossless")
def test_nouns_from_before_anchors_and_standpoints_were_kept_still_read() -> None:
    span, record, session = span_json(a_span()), record_json(a_record()), session_json(a_session())
    del span["anchor"], record["standpoint"], session["standpoint"]

    assert span_from_json(span) == a_span()
    assert record_from_json(record) == a_record()
    assert session_from_json(session) == a_session()


@pytest.mark.parametrize("hash_", ["", "abc", "HEAD", "--output=x", "ABCDEF", "ab" * 33, "abcd\n"])
def test_only_a_hash_may_stand_where_git_will_be_asked_about_one(hash_: str) -> None:
    for name in ("loose_hash", "blob", "head", "touched_by", "patch"):
        with pytest.raises(BadFieldError, match="must be hexadecimal digits"):
            anchor_from_json({**(anchor_json(an_anchor()) or {}), name: hash_})
    for name in ("marks", "before", "after"):
        with pytest.raises(BadFieldError, match=f"anchor's {name} must be at most 2,000 hashes"):
            anchor_from_json({**(anchor_json(an_anchor()) or {}), name: ["abcdef", hash_]})
    with pytest.raises(BadFieldError, match="must be hexadecimal digits"):
        branch_point_from_json({**(branch_point_json(a_branch_point()) or {}), "head": hash_})
    for name in ("old", "new"):
        with pytest.raises(BadFieldError, match="must be hexadecimal digits"):
            rewrite_from_json({**rewrite_json(a_rewrite()), name: hash_})


def test_more_marks_than_are_ever_made_are_refused() -> None:
    shape = {**(anchor_json(an_anchor()) or {}), "marks": ["abcdef"] * 2_001}

    with pytest.raises(BadFieldError, match="at most 2,000"):
        anchor_from_json(shape)


def test_a_claim_that_was_altered_on_the_way_is_refused() -> None:
    shape = record_json(a_record()) | {"claim": "Tokens never rotate."}

    with pytest.raises(BadFieldError, match="content_hash does not fit its claim"):
        record_from_json(shape)


def test_metadata_that_is_no_object_is_left_out() -> None:
    shape = record_json(a_record()) | {"metadata": ["odd"]}

    assert record_from_json(shape).memory.metadata == {}
