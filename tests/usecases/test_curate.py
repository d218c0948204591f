from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Status
from holdfast.domain.errors import (
    AlreadyDecidedError,
    BadFieldError,
    ChangedSinceShownError,
    NoSuchError,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.wishes import (
    a_wish,
    an_agents_wish,
    approve,
    given,
    now,
    proposed,
    reject,
    said,
)


@requirement("curation.only-candidates-decided")
def test_an_approved_candidate_is_knowledge_with_the_name_of_who_decided(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    candidate = proposed(holdfast)
    clock.advance(hours=1)

    approved = approve(
        holdfast, candidate.memory.id, by="ada", shown_hash=candidate.memory.content_hash
    )

    assert approved.memory == candidate.memory
    assert (approved.standing.status, approved.standing.decided_by) == (Status.ACCEPTED, "ada")
    assert approved.standing.decided_at == clock.now()
    assert given(holdfast) == [candidate.memory.id]


@requirement("curation.only-candidates-decided")
def test_approval_binds_to_the_bytes_that_were_shown(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast)

    with pytest.raises(ChangedSinceShownError):
        approve(holdfast, candidate.memory.id, by="ada", shown_hash="0" * 64)

    assert now(holdfast, candidate) == candidate


@requirement("curation.only-candidates-decided")
def test_only_a_candidate_can_be_decided(holdfast: Holdfast) -> None:
    accepted, rejected = said(holdfast), proposed(holdfast, "Keys rotate daily.")
    reject(holdfast, rejected.memory.id, by="ada")

    for decided in (accepted, rejected):
        with pytest.raises(AlreadyDecidedError):
            approve(holdfast, decided.memory.id, by="ada")
        with pytest.raises(AlreadyDecidedError):
            reject(holdfast, decided.memory.id, by="ada")


@requirement("key.supersedes")
def test_a_decision_supersedes_what_stands_under_the_key_in_the_persons_name(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    old = said(holdfast, "Tokens rotate hourly.", key="rotation")
    candidate = proposed(holdfast, "Tokens rotate daily.", key="rotation", source="mcp")
    clock.advance(days=2)

    name = candidate.memory.id
    wish = Resolve(reference=name, other=old.memory.id, by="ada", way=ResolutionWay.SUPERSEDE)
    (approved,) = holdfast.review.resolve(wish).records

    fallen = now(holdfast, old).standing
    assert (fallen.status, fallen.superseded_by) == (Status.SUPERSEDED, approved.memory.id)
    assert (fallen.decided_by, fallen.decided_at) == ("ada", clock.now())


def test_approval_of_what_a_person_said_meanwhile_replaces_nothing(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast, key="rotation")
    own = said(holdfast, key="rotation")

    approve(holdfast, candidate.memory.id, by="ada")

    assert now(holdfast, own).standing.status is Status.ACCEPTED
    assert len(given(holdfast)) == 1


@requirement("recall.candidate-never-returned")
def test_a_rejected_claim_stays_readable_with_its_reason_and_is_never_given(
    holdfast: Holdfast,
) -> None:
    candidate = proposed(holdfast)

    rejected = reject(holdfast, candidate.memory.id, by="ada", reason="It is daily.")

    standing = now(holdfast, rejected).standing
    assert (standing.status, standing.reason) == (Status.REJECTED, "It is daily.")
    assert given(holdfast) == []


def test_a_rejected_claim_may_be_proposed_again_and_waits_anew(holdfast: Holdfast) -> None:
    rejected = proposed(holdfast)
    reject(holdfast, rejected.memory.id, by="ada")

    told = holdfast.memories.remember(an_agents_wish())
    again = told.record

    assert told.rejected == f"was rejected before as {rejected.memory.id}"
    assert again.memory.id != rejected.memory.id
    assert again.standing.status is Status.CANDIDATE
    assert now(holdfast, rejected).standing.status is Status.REJECTED


def test_a_person_may_say_themselves_what_they_rejected(holdfast: Holdfast) -> None:
    rejected = proposed(holdfast)
    reject(holdfast, rejected.memory.id, by="ada")

    own = holdfast.memories.remember(a_wish())

    assert own.rejected == ""
    assert given(holdfast) == [own.record.memory.id]


def test_a_pin_and_its_label_can_be_set_and_removed(holdfast: Holdfast) -> None:
    kept = said(holdfast)

    pinned = holdfast.memories.pin(kept.memory.id, label="DEC-001")
    freed = holdfast.memories.pin(kept.memory.id, pinned=False)

    assert (pinned.standing.pinned, pinned.standing.label) == (True, "DEC-001")
    assert (freed.standing.pinned, freed.standing.label) == (False, "DEC-001")


@requirement("span.pinned-found-again")
def test_a_span_can_be_pinned_under_a_label_and_unpinned(holdfast: Holdfast) -> None:
    kept = said(holdfast, grounds=Grounds(places=("src/app.py:1-2",)))
    (span,) = holdfast.memories.explain(kept.memory.id).spans

    pinned = holdfast.memories.pin_span(span.id, label="entry")
    freed = holdfast.memories.pin_span(span.id, pinned=False)

    assert (pinned.pinned, pinned.label) == (True, "entry")
    assert (freed.pinned, freed.label) == (False, "entry")


@requirement("link.unique-by-ends-and-kind")
def test_a_link_is_made_once_scored_anew_and_taken_away(holdfast: Holdfast) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    link = Link(src=one.memory.id, dst=other.memory.id, kind="supports", score=0.2)
    holdfast.memories.link(link)

    again = holdfast.memories.link(Link(src=link.src, dst=link.dst, kind="supports", score=0.9))

    assert [known for known, _ in holdfast.memories.related(one.memory.id)] == [again]
    assert holdfast.memories.unlink(link)
    assert not holdfast.memories.unlink(link)
    assert holdfast.memories.related(other.memory.id) == []


def test_the_strongest_neighbours_come_first_and_no_more_than_asked(holdfast: Holdfast) -> None:
    claims = ("Ports leak.", "Caches lie.", "Clocks drift.", "Queues fill.")
    hub, *others = [said(holdfast, claim) for claim in claims]
    for strength, other in enumerate(others, start=1):
        ends = {"src": other.memory.id, "dst": hub.memory.id}
        holdfast.memories.link(Link(**ends, kind="about", score=strength / 10))

    found = holdfast.memories.related(hub.memory.id, limit=2)

    assert [record.memory.id for _, record in found] == [others[2].memory.id, others[1].memory.id]


@requirement("input.refused-with-advice")
def test_a_link_to_nothing_or_to_itself_is_refused(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    name = kept.memory.id

    with pytest.raises(NoSuchError):
        holdfast.memories.link(Link(src=name, dst=MemoryId("m_nothing"), kind="about"))
    with pytest.raises(BadFieldError, match="itself"):
        holdfast.memories.link(Link(src=name, dst=MemoryId(name[:-1]), kind="about"))


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("limit", [0, -1, 1_001])
def test_a_limit_that_lists_nothing_or_too_much_is_refused(holdfast: Holdfast, limit: int) -> None:
    kept = said(holdfast)

    with pytest.raises(BadFieldError, match="1,000"):
        holdfast.memories.related(kept.memory.id, limit=limit)
