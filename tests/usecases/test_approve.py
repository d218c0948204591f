"""Approving and rejecting: bound to what was shown, by people, all or nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, LinkKind, Status
from holdfast.domain.errors import AlreadyDecidedError, ChangedSinceShownError, NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.review_errors import OwnProposalError, UnresolvedConflictError
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.undo import Undo
from tests.requirements import requirement
from tests.usecases.curating import (
    DAILY,
    HOURLY,
    approved,
    curation,
    queue,
    status,
    torn,
    trap,
)
from tests.usecases.wishes import given, now, proposed, said

DAY = timedelta(days=1)


@requirement("curation.all-or-nothing")
def test_a_slip_in_the_last_candidate_decides_nothing(holdfast: Holdfast) -> None:
    good = trap(holdfast)

    with pytest.raises(NoSuchError):
        curation(holdfast).approve(Approve(references=(good.memory.id, "m_none"), by="ada"))
    with pytest.raises(NoSuchError):
        curation(holdfast).reject(Reject(references=(good.memory.id, "m_none"), by="ada"))

    assert now(holdfast, good) == good
    assert curation(holdfast).decisions() == ()


@requirement("curation.all-or-nothing")
def test_several_are_accepted_in_one_decision_each_once(holdfast: Holdfast) -> None:
    one, other = trap(holdfast), proposed(holdfast, "Deploys happen on Tuesdays.")

    decided = approved(holdfast, one, other, one)

    assert [record.standing.status for record in decided.records] == [Status.ACCEPTED] * 2
    (decision,) = curation(holdfast).decisions()
    assert decision == decided.decision
    assert (decision.action, decision.by) == (Action.APPROVE, "ada")
    assert decision.memories == (one.memory.id, other.memory.id)


@requirement("review.bound-to-what-was-shown")
def test_an_approval_holds_for_the_hash_of_the_claim_or_of_what_review_showed(
    holdfast: Holdfast,
) -> None:
    one, other = trap(holdfast), proposed(holdfast, "Deploys happen on Tuesdays.")
    (shown,) = [item.shown for item in queue(holdfast, references=(other.memory.id,)).items]

    approved(holdfast, one, shown={one.memory.id: one.memory.content_hash})
    approved(holdfast, other, shown={other.memory.id[:20]: shown[:12]})

    assert status(holdfast, one) is status(holdfast, other) is Status.ACCEPTED


@requirement("review.bound-to-what-was-shown")
def test_evidence_that_came_after_the_showing_needs_another_look(holdfast: Holdfast) -> None:
    one = trap(holdfast, source="")
    (item,) = queue(holdfast).items
    trap(holdfast, source="another bot", grounds=Grounds(places=("src/app.py:3",)))

    with pytest.raises(ChangedSinceShownError):
        approved(holdfast, one, shown={one.memory.id: item.shown})

    assert status(holdfast, one) is Status.CANDIDATE


@requirement("curation.proposer-never-approves")
@pytest.mark.parametrize("by", ["bot:1", "bot", "BOT "])
def test_the_proposer_cannot_approve(holdfast: Holdfast, by: str) -> None:
    candidate = trap(holdfast, source="bot:1")

    with pytest.raises(OwnProposalError, match="may not decide"):
        approved(holdfast, candidate, by=by)

    assert status(holdfast, candidate) is Status.CANDIDATE


@requirement("curation.conflicts-block")
def test_what_contradicts_something_that_stands_is_not_accepted(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    other = trap(holdfast)

    with pytest.raises(UnresolvedConflictError, match=f"{new.memory.id} contradicts"):
        approved(holdfast, other, new)

    assert status(holdfast, other) is Status.CANDIDATE
    assert given(holdfast) == [old.memory.id]


@requirement("curation.conflicts-block")
def test_where_it_is_wished_the_contradicting_ones_are_left_and_the_others_accepted(
    holdfast: Holdfast,
) -> None:
    old, new = torn(holdfast)
    other = trap(holdfast)

    decided = approved(holdfast, new, other, leaves_conflicts=True)

    assert [record.memory.id for record in decided.records] == [other.memory.id]
    assert [(one.candidate.memory.id, one.standing.memory.id) for one in decided.left] == [
        (new.memory.id, old.memory.id)
    ]
    assert status(holdfast, new) is Status.CANDIDATE


def test_where_everything_is_left_there_is_no_decision(holdfast: Holdfast) -> None:
    _, new = torn(holdfast)

    decided = approved(holdfast, new, leaves_conflicts=True)

    assert (decided.records, decided.decision) == ((), None)
    assert curation(holdfast).decisions() == ()


def test_a_candidate_that_says_what_it_replaces_supersedes_that(holdfast: Holdfast) -> None:
    old = said(holdfast, "We deploy from the branch called release.")
    new = proposed(holdfast, "Deploys start from a tag.")
    gone = said(holdfast, "Nobody deploys.")
    for record in (old, gone):
        link = Link(src=new.memory.id, dst=record.memory.id, kind=LinkKind.SUPERSEDES)
        holdfast.memories.link(link)
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        tx.memories.set_standing(gone.memory.id, Standing(status=Status.DEPRECATED))

    decided = approved(holdfast, new)

    assert [record.memory.id for record in decided.replaced] == [old.memory.id]
    assert now(holdfast, old).standing.superseded_by == new.memory.id
    assert status(holdfast, gone) is Status.DEPRECATED


def test_what_a_person_called_compatible_stays_beside_it(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    holdfast.memories.link(Link(src=new.memory.id, dst=old.memory.id, kind="compatible"))

    approved(holdfast, new)

    assert status(holdfast, old) is status(holdfast, new) is Status.ACCEPTED


def test_a_measurement_accepts_outright_and_supersedes_by_key(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    holdfast.measured.accept(new.memory.id)

    assert now(holdfast, old).standing.superseded_by == new.memory.id


def test_rejecting_keeps_the_reason_and_is_a_decision(holdfast: Holdfast) -> None:
    one = trap(holdfast)

    decided = curation(holdfast).reject(
        Reject(references=(one.memory.id,), by="ada", reason="wrong")
    )

    assert decided.records[0].standing.reason == "wrong"
    assert decided.decision is not None
    assert decided.decision.action is Action.REJECT
    with pytest.raises(AlreadyDecidedError):
        approved(holdfast, one)


@requirement("curation.conflicts-block")
def test_two_candidates_that_contradict_each_other_are_not_both_accepted(
    holdfast: Holdfast,
) -> None:
    one = proposed(holdfast, HOURLY, key="rotation")
    other = proposed(holdfast, DAILY, key="rotation")

    with pytest.raises(UnresolvedConflictError):
        approved(holdfast, one, other)
    decided = approved(holdfast, one, other, leaves_conflicts=True)

    assert [record.memory.id for record in decided.records] == [one.memory.id]
    assert status(holdfast, other) is Status.CANDIDATE


def test_a_name_that_fits_nothing_is_refused(holdfast: Holdfast) -> None:
    with pytest.raises(NoSuchError):
        curation(holdfast).approve(Approve(references=(MemoryId("m_9"),), by="ada"))


@requirement("curation.repetitions-are-folded")
def test_a_candidate_that_repeats_an_accepted_memory_gives_it_its_evidence(
    holdfast: Holdfast,
) -> None:
    first = proposed(holdfast)
    curation(holdfast).reject(Reject(references=(first.memory.id,), by="ada"))
    ran = Evidence(type=EvidenceType.COMMAND, reference="make test")
    again = proposed(holdfast, grounds=Grounds(given=(ran,)))
    curation(holdfast).undo(Undo(by="ada"))

    decided = approved(holdfast, first, again)

    assert [one.memory.id for one in decided.records] == [first.memory.id]
    assert {one.reference for one in decided.records[0].evidence} == {"pytest -q", "make test"}
    assert decided.replaced == (now(holdfast, again),)
    assert now(holdfast, again).standing.status is Status.DEPRECATED
    assert status(holdfast, first) is Status.ACCEPTED
    curation(holdfast).undo(Undo(by="ada"))
    assert now(holdfast, again).standing.status is Status.CANDIDATE


@requirement("curation.repetitions-are-folded")
def test_a_repetition_with_a_key_of_its_own_is_accepted_by_itself(holdfast: Holdfast) -> None:
    first = proposed(holdfast)
    curation(holdfast).reject(Reject(references=(first.memory.id,), by="ada"))
    again = proposed(holdfast, key="rotation")
    curation(holdfast).undo(Undo(by="ada"))

    decided = approved(holdfast, first, again)

    assert [one.memory.id for one in decided.records] == [first.memory.id, again.memory.id]


@requirement("curation.repetitions-are-folded")
@pytest.mark.parametrize(
    ("known", "again", "accepted"),
    [
        ({"keep_for": DAY}, {}, 2),
        ({"keep_for": DAY}, {"keep_for": 2 * DAY}, 2),
        ({"keep_for": DAY}, {"keep_for": DAY}, 1),
        ({"keep_for": 2 * DAY}, {"keep_for": DAY}, 1),
        ({}, {"keep_for": DAY}, 1),
        ({}, {"importance": 0.9}, 2),
        ({}, {"weight": 2.0}, 2),
        ({"importance": 0.9, "weight": 2.0}, {}, 1),
    ],
)
def test_a_repetition_that_lasts_longer_or_counts_for_more_is_accepted_by_itself(
    holdfast: Holdfast, known: dict[str, Any], again: dict[str, Any], accepted: int
) -> None:
    first = proposed(holdfast, **known)
    curation(holdfast).reject(Reject(references=(first.memory.id,), by="ada"))
    second = proposed(holdfast, **again)
    curation(holdfast).undo(Undo(by="ada"))

    decided = approved(holdfast, first, second)

    assert len(decided.records) == accepted
    assert (status(holdfast, second) is Status.ACCEPTED) is (accepted > 1)
