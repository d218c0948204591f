from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind, Scope, Status
from holdfast.domain.memory.place import Place
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import RememberOutcome
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.wishes import a_wish, an_agents_wish, approve, given, now, proposed, said

HOURLY, DAILY = "Tokens rotate hourly.", "Tokens rotate daily."


@requirement("key.supersedes")
def test_the_same_key_with_another_claim_supersedes_and_says_so(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    old = said(holdfast, HOURLY, key="rotation")
    clock.advance(days=1)

    new = holdfast.memories.remember(a_wish(DAILY, key="rotation", source="cli"))

    assert (new.outcome, new.replaced) == (RememberOutcome.SUPERSEDED, old)
    fallen = now(holdfast, old).standing
    assert (fallen.status, fallen.superseded_by) == (Status.SUPERSEDED, new.record.memory.id)
    assert (fallen.decided_by, fallen.decided_at) == ("cli", clock.now())
    assert holdfast.memories.explain(new.record.memory.id).replaced[0].memory == old.memory


@requirement("key.superseding-can-be-undone")
def test_a_claim_that_superseded_another_can_be_undone(holdfast: Holdfast) -> None:
    old = said(holdfast, HOURLY, key="rotation")
    new = holdfast.memories.remember(a_wish(DAILY, key="rotation", by="ada"))

    undone = holdfast.review.undo(Undo(by="ada"))

    assert new.decision is not None
    assert [one.id for one in undone] == [new.decision.id]
    assert given(holdfast) == [old.memory.id]
    assert now(holdfast, new).standing.status is Status.DEPRECATED
    assert holdfast.memories.related(old.memory.id, limit=5) == []


@requirement("recall.superseded-never-returned")
def test_only_the_newest_claim_of_a_key_is_recalled(holdfast: Holdfast) -> None:
    said(holdfast, HOURLY, key="rotation", pinned=True)
    newest = said(holdfast, DAILY, key="rotation")

    assert given(holdfast) == [newest.memory.id]


@requirement("key.same-claim-adds-evidence")
def test_the_same_key_and_claim_adds_evidence(holdfast: Holdfast) -> None:
    first = said(holdfast, HOURLY, key="rotation")
    seen = Grounds(because="I saw it again.")

    again = holdfast.memories.remember(a_wish("tokens rotate hourly", key="rotation", grounds=seen))

    assert (again.outcome, again.record.memory.id) == (
        RememberOutcome.EVIDENCE_ADDED,
        first.memory.id,
    )
    assert [item.reference for item in again.record.added_evidence] == ["I saw it again."]


@requirement("key.supersedes")
@pytest.mark.parametrize("scope", [Scope.WORKSPACE, Scope.GLOBAL])
def test_a_key_of_another_scope_is_another_key(holdfast: Holdfast, scope: Scope) -> None:
    old = said(holdfast, HOURLY, key="rotation")

    new = holdfast.memories.remember(a_wish(DAILY, key="rotation", scope=scope))

    assert new.outcome is RememberOutcome.ADDED
    assert now(holdfast, old).standing.status is Status.ACCEPTED


@requirement("scope.reaches-its-place")
def test_a_key_of_another_repository_is_another_key(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    old = said(holdfast, HOURLY, key="rotation")
    surroundings.at = Place(repo="github.com/acme/other")

    new = holdfast.memories.remember(a_wish(DAILY, key="rotation"))

    assert new.outcome is RememberOutcome.ADDED
    assert now(holdfast, old).standing.status is Status.ACCEPTED


def test_what_was_superseded_can_come_back_as_a_new_memory(holdfast: Holdfast) -> None:
    first = said(holdfast, HOURLY, key="rotation")
    second = said(holdfast, DAILY, key="rotation")

    third = holdfast.memories.remember(a_wish(HOURLY, key="rotation"))

    assert third.record.memory.id != first.memory.id
    assert third.replaced is not None
    assert third.replaced.memory.id == second.memory.id
    assert given(holdfast) == [third.record.memory.id]


@requirement("mcp.agents-only-propose")
def test_an_agents_claim_under_a_persons_key_waits_and_replaces_nothing(holdfast: Holdfast) -> None:
    standing = said(holdfast, HOURLY, key="rotation")

    proposal = holdfast.memories.remember(an_agents_wish(DAILY, key="rotation"))

    assert (proposal.outcome, proposal.replaced) == (RememberOutcome.ADDED, None)
    assert given(holdfast) == [standing.memory.id]


@requirement("key.supersedes")
def test_a_person_saying_what_an_agent_proposed_still_supersedes_the_old_claim(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, HOURLY, key="rotation")
    proposed(holdfast, DAILY, key="rotation")

    own = holdfast.memories.remember(a_wish(DAILY, key="rotation"))

    assert own.outcome is RememberOutcome.SUPERSEDED
    assert now(holdfast, old).standing.status is Status.SUPERSEDED
    assert given(holdfast) == [own.record.memory.id]


@requirement("key.supersedes")
def test_many_proposals_under_a_key_do_not_hide_the_claim_that_stands(holdfast: Holdfast) -> None:
    standing = said(holdfast, HOURLY, key="rotation")
    candidates = [
        proposed(holdfast, f"Tokens rotate every {number} hours.", key="rotation")
        for number in range(2, 14)
    ]

    by_word = holdfast.memories.remember(a_wish(DAILY, key="rotation"))
    wish = Resolve(
        reference=candidates[0].memory.id,
        other=by_word.record.memory.id,
        by="ada",
        way=ResolutionWay.SUPERSEDE,
    )
    (approved,) = holdfast.review.resolve(wish).records

    assert by_word.replaced is not None
    assert by_word.replaced.memory.id == standing.memory.id
    assert now(holdfast, by_word).standing.superseded_by == approved.memory.id
    assert given(holdfast) == [approved.memory.id]


@requirement("key.same-claim-adds-evidence")
def test_an_agent_that_proposes_the_same_again_adds_to_its_proposal(holdfast: Holdfast) -> None:
    first = proposed(holdfast, HOURLY, key="rotation")
    for number in range(2, 14):
        proposed(holdfast, f"Tokens rotate every {number} hours.", key="rotation")

    again = holdfast.memories.remember(an_agents_wish(HOURLY, key="rotation"))

    assert (again.outcome, again.record.memory.id) == (
        RememberOutcome.EVIDENCE_ADDED,
        first.memory.id,
    )


@requirement("key.supersedes")
def test_a_correction_supersedes_every_claim_that_stands_under_the_key(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast, HOURLY, key="rotation")
    said(holdfast, HOURLY, key="rotation")
    approve(holdfast, candidate.memory.id, by="ada")

    corrected = said(holdfast, DAILY, key="rotation")

    assert given(holdfast) == [corrected.memory.id]


def test_superseding_leaves_a_link_between_the_two(holdfast: Holdfast) -> None:
    old = said(holdfast, HOURLY, key="rotation")
    new = said(holdfast, DAILY, key="rotation")

    (link, record), *others = holdfast.memories.related(old.memory.id)

    assert (link.src, link.dst, link.kind) == (new.memory.id, old.memory.id, LinkKind.SUPERSEDES)
    assert (record.memory, others) == (new.memory, [])


@requirement("claim.twin-is-told")
@pytest.mark.parametrize("other", [{"kind": Kind.GOTCHA}, {"key": "qs"}])
def test_the_same_claim_under_another_kind_or_key_is_told(
    holdfast: Holdfast, other: dict[str, Any]
) -> None:
    first = said(holdfast, "Never bump qs.", kind=Kind.RULE)

    again = holdfast.memories.remember(a_wish("Never bump qs.", **{"kind": Kind.RULE} | other))

    assert (again.outcome, again.twin) == (RememberOutcome.ADDED, first)
    assert holdfast.memories.remember(a_wish("Bump qs with care.", **other)).twin is None


@requirement("claim.twin-is-told")
def test_an_expired_claim_is_no_twin(holdfast: Holdfast, clock: FixedClock) -> None:
    said(holdfast, "Never bump qs.", kind=Kind.RULE, keep_for=timedelta(days=1))
    clock.advance(days=2)

    assert holdfast.memories.remember(a_wish("Never bump qs.", kind=Kind.GOTCHA)).twin is None
