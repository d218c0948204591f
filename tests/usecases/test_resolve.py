"""Resolving: four ways in which a contradiction ends."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.errors import BadFieldError, ChangedSinceShownError
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.review_errors import (
    NoConflictError,
    OwnProposalError,
    SeveralConflictsError,
    UnresolvedConflictError,
    WordsContradictError,
)
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.resolve import ResolutionWay
from holdfast.usecases.review.undo import Undo
from tests.requirements import requirement
from tests.usecases.curating import DAILY, HOURLY, approved, curation, resolved, status, torn, trap
from tests.usecases.wishes import given, now, proposed, reject, said


def kinds_between(holdfast: Holdfast, one: MemoryRecord, other: MemoryRecord) -> set[str]:
    return {
        link.kind
        for link, record in holdfast.memories.related(one.memory.id)
        if record.memory.id == other.memory.id
    }


def both_accepted(holdfast: Holdfast) -> tuple[MemoryRecord, MemoryRecord]:
    """Two accepted memories of one key, as only an import or two branches leave them."""
    old, new = torn(holdfast)
    holdfast.memories.link(Link(src=new.memory.id, dst=old.memory.id, kind="compatible"))
    approved(holdfast, new)
    holdfast.memories.unlink(Link(src=new.memory.id, dst=old.memory.id, kind="compatible"))
    return old, now(holdfast, new)


@requirement("curation.conflicts-block")
def test_the_old_one_is_kept_and_the_candidate_refused_with_a_reason(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    decided = resolved(holdfast, new, ResolutionWay.KEEP_OLD)

    standing = now(holdfast, new).standing
    assert (standing.status, standing.reason) == (
        Status.REJECTED,
        f"{old.memory.id} was kept",
    )
    assert now(holdfast, old) == old
    assert decided.decision is not None
    assert decided.decision.action is Action.RESOLVE
    assert curation(holdfast).conflicts() == []


def test_a_reason_may_be_given_for_keeping_the_old_one(holdfast: Holdfast) -> None:
    _, new = torn(holdfast)

    resolved(holdfast, new, ResolutionWay.KEEP_OLD, reason="measured")

    assert now(holdfast, new).standing.reason == "measured"


@requirement("curation.conflicts-block")
def test_the_new_one_takes_the_old_ones_place(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    resolved(holdfast, new, ResolutionWay.SUPERSEDE)

    assert now(holdfast, old).standing.superseded_by == new.memory.id
    assert LinkKind.SUPERSEDES in kinds_between(holdfast, new, old)
    assert given(holdfast) == [new.memory.id]
    assert curation(holdfast).conflicts() == []


@requirement("curation.key-stays")
def test_what_replaces_a_memory_keeps_its_key(holdfast: Holdfast) -> None:
    old = said(holdfast, "Use ruff for linting.", key="lint-tool")
    new = proposed(holdfast, "Use flake8 for linting.")

    decided = resolved(holdfast, new, ResolutionWay.SUPERSEDE)

    (kept,) = decided.records
    assert (kept.memory.key, kept.memory.claim) == ("lint-tool", new.memory.claim)
    assert kept.standing.status is Status.ACCEPTED
    assert kept.memory.origin is new.memory.origin
    assert kept.memory.trust is new.memory.trust
    assert [one.reference for one in kept.evidence] == [
        *(one.reference for one in new.evidence),
        f"accepted by ada in place of {old.memory.id}, with its key",
    ]
    assert [one.memory.id for one in decided.replaced] == [old.memory.id, new.memory.id]
    assert now(holdfast, new).standing.superseded_by == kept.memory.id
    assert holdfast.memories.explain("lint-tool").record == kept
    assert given(holdfast, "linting") == [kept.memory.id]

    curation(holdfast).undo(Undo(by="ada"))

    assert holdfast.memories.explain("lint-tool").record.memory.id == old.memory.id
    assert [status(holdfast, one) for one in (old, new, kept)] == [
        Status.ACCEPTED,
        Status.CANDIDATE,
        Status.DEPRECATED,
    ]


@requirement("forget.earlier-versions")
def test_who_forgets_a_candidate_forgets_its_copy_with_the_key_too(holdfast: Holdfast) -> None:
    said(holdfast, "Use ruff for linting.", key="lint-tool")
    new = proposed(holdfast, "Use flake8 for linting.")
    (kept,) = resolved(holdfast, new, ResolutionWay.SUPERSEDE).records

    gone = holdfast.memories.forget(Forget(reference=new.memory.id, by="ada"))

    assert gone.record.memory.id == kept.memory.id
    assert [one.memory.id for one in gone.earlier] == [new.memory.id]
    assert given(holdfast, "linting") == []


@requirement("curation.key-stays")
def test_an_approved_successor_keeps_the_key(holdfast: Holdfast) -> None:
    said(holdfast, "Use ruff for linting.", key="lint-tool")
    old = holdfast.memories.explain("lint-tool").record.memory.id
    new = proposed(holdfast, "Nightly builds publish wheels.")
    holdfast.memories.link(Link(src=new.memory.id, dst=old, kind=LinkKind.SUPERSEDES))

    decided = approved(holdfast, new)

    assert [one.memory.key for one in decided.records] == ["lint-tool"]
    assert [one.memory.id for one in decided.replaced] == [old, new.memory.id]


@requirement("curation.key-stays")
def test_a_key_that_another_valid_memory_has_is_not_inherited(holdfast: Holdfast) -> None:
    beside, first = both_accepted(holdfast)
    beside_too = Link(src=beside.memory.id, dst=first.memory.id, kind="compatible")
    holdfast.memories.link(beside_too)
    new = proposed(holdfast, "Staging lives in Frankfurt.")
    holdfast.memories.link(Link(src=new.memory.id, dst=first.memory.id, kind=LinkKind.CONTRADICTS))

    decided = resolved(holdfast, new, ResolutionWay.SUPERSEDE, other=first.memory.id)

    assert [one.memory.key for one in decided.records] == [None]
    assert status(holdfast, beside) is Status.ACCEPTED


@requirement("curation.conflicts-block")
def test_both_are_kept_beside_each_other(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    decided = resolved(holdfast, new, ResolutionWay.KEEP_BOTH)

    assert {record.memory.id for record in decided.records} == {old.memory.id, new.memory.id}
    assert status(holdfast, old) is status(holdfast, new) is Status.ACCEPTED
    assert "compatible" in kinds_between(holdfast, new, old)
    assert curation(holdfast).conflicts() == []


@requirement("memory.never-changes")
def test_words_for_where_each_holds_make_new_memories_that_say_so(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    decided = resolved(
        holdfast, new, ResolutionWay.KEEP_BOTH, scope_new="in tests:", scope_old="in production"
    )

    claims = [record.memory.claim for record in decided.records]
    assert claims == [f"In tests: {DAILY}", f"In production: {HOURLY}"]
    assert {record.memory.origin for record in decided.records} == {Origin.HUMAN}
    assert status(holdfast, old) is status(holdfast, new) is Status.SUPERSEDED
    assert "compatible" in kinds_between(holdfast, decided.records[0], decided.records[1])
    assert len(given(holdfast)) == 2


def test_words_for_the_old_one_alone_leave_the_new_one_as_it_is(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    decided = resolved(holdfast, new, ResolutionWay.KEEP_BOTH, scope_old="in production")

    assert decided.records[0].memory == new.memory
    assert status(holdfast, new) is Status.ACCEPTED
    assert status(holdfast, old) is Status.SUPERSEDED


@requirement("curation.conflicts-block")
def test_both_become_one_claim(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    text = "Tokens rotate every hour, those of tests every day."

    (made,) = resolved(holdfast, new, ResolutionWay.MERGE, text=text).records

    assert (made.memory.claim, made.memory.key) == (text, "rotation")
    assert status(holdfast, old) is status(holdfast, new) is Status.SUPERSEDED
    for parent in (old, new):
        assert {LinkKind.DERIVED_FROM, LinkKind.SUPERSEDES} <= kinds_between(holdfast, made, parent)


def test_a_merge_without_words_is_refused(holdfast: Holdfast) -> None:
    _, new = torn(holdfast)

    with pytest.raises(BadFieldError, match="missing"):
        resolved(holdfast, new, ResolutionWay.MERGE, text=" ")


def test_the_two_may_be_named_in_any_order_or_by_what_stands_alone(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    resolved(holdfast, old, ResolutionWay.KEEP_OLD, other=new.memory.id)
    assert status(holdfast, new) is Status.REJECTED

    again = proposed(holdfast, "Tokens rotate every week.", key="rotation")
    resolved(holdfast, old, ResolutionWay.SUPERSEDE)
    assert status(holdfast, again) is Status.ACCEPTED


def test_two_that_do_not_contradict_each_other_are_told_so(holdfast: Holdfast) -> None:
    one, other = said(holdfast, "We deploy on Tuesdays."), trap(holdfast)
    gone = proposed(holdfast, "Nobody deploys.")
    reject(holdfast, gone.memory.id, by="ada")

    with pytest.raises(NoConflictError, match="an accepted memory"):
        resolved(holdfast, other, ResolutionWay.SUPERSEDE)
    with pytest.raises(NoConflictError, match=gone.memory.id):
        resolved(holdfast, other, ResolutionWay.KEEP_BOTH, other=gone.memory.id)
    with pytest.raises(NoConflictError):
        resolved(holdfast, gone, ResolutionWay.SUPERSEDE, other=gone.memory.id)
    with pytest.raises(NoConflictError):
        resolved(holdfast, one, ResolutionWay.SUPERSEDE, other=gone.memory.id)
    with pytest.raises(NoConflictError):
        resolved(holdfast, one, ResolutionWay.SUPERSEDE, other=one.memory.id)


@requirement("conflict.named-pair-replaced")
def test_a_person_may_replace_an_older_claim_that_no_rule_compares(holdfast: Holdfast) -> None:
    old = said(holdfast, "Sentry collects errors.")
    new = said(holdfast, "Failures are sent to Rollbar.")

    decided = resolved(holdfast, old, ResolutionWay.SUPERSEDE, other=new.memory.id)

    assert [one.memory.id for one in decided.records] == [new.memory.id]
    assert status(holdfast, old) is Status.SUPERSEDED
    holdfast.review.undo(Undo(by="ada"))
    assert status(holdfast, old) is Status.ACCEPTED


@requirement("conflict.named-pair-replaced")
def test_a_candidate_that_a_person_names_replaces_an_accepted_claim(holdfast: Holdfast) -> None:
    new = proposed(holdfast, "Failures are sent to Rollbar.")
    old = said(holdfast, "Sentry collects errors.")

    resolved(holdfast, new, ResolutionWay.SUPERSEDE, other=old.memory.id)

    assert status(holdfast, new) is Status.ACCEPTED
    assert status(holdfast, old) is Status.SUPERSEDED


@requirement("conflict.named-pair-replaced")
def test_a_person_may_keep_two_claims_that_no_rule_compares(holdfast: Holdfast) -> None:
    old = said(holdfast, "Sentry collects errors.")
    new = proposed(holdfast, "Failures are sent to Rollbar.")

    resolved(holdfast, new, ResolutionWay.KEEP_BOTH, other=old.memory.id)

    assert status(holdfast, old) is status(holdfast, new) is Status.ACCEPTED
    assert "compatible" in kinds_between(holdfast, new, old)
    holdfast.review.undo(Undo(by="ada"))
    assert status(holdfast, new) is Status.CANDIDATE
    assert kinds_between(holdfast, new, old) == set()


@requirement("conflict.named-pair-replaced")
def test_a_person_may_keep_the_older_of_two_claims_that_no_rule_compares(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, "Sentry collects errors.")
    new = said(holdfast, "Failures are sent to Rollbar.")

    resolved(holdfast, new, ResolutionWay.KEEP_OLD, other=old.memory.id)

    assert status(holdfast, old) is Status.ACCEPTED
    assert status(holdfast, new) is Status.DEPRECATED


def test_two_candidates_do_not_replace_each_other(holdfast: Holdfast) -> None:
    one = proposed(holdfast, "Failures are sent to Rollbar.")
    other = proposed(holdfast, "Sentry collects errors.")

    with pytest.raises(NoConflictError):
        resolved(holdfast, one, ResolutionWay.SUPERSEDE, other=other.memory.id)


def several(holdfast: Holdfast) -> tuple[MemoryRecord, MemoryRecord, MemoryRecord]:
    """Two that stand beside each other, and a candidate that contradicts both."""
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.KEEP_BOTH)
    third = proposed(holdfast, "Tokens rotate every week.", key="rotation", source="bot:1")
    return old, now(holdfast, new), third


def test_where_there_are_several_the_one_that_is_meant_must_be_named(holdfast: Holdfast) -> None:
    _, _, third = several(holdfast)

    with pytest.raises(SeveralConflictsError, match="Name one of them"):
        resolved(holdfast, third, ResolutionWay.KEEP_BOTH)
    with pytest.raises(SeveralConflictsError):
        resolved(holdfast, third, ResolutionWay.MERGE, text="x")


def test_one_that_contradicts_several_may_replace_all_of_them(holdfast: Holdfast) -> None:
    one, other, third = several(holdfast)

    decided = resolved(holdfast, third, ResolutionWay.SUPERSEDE)

    assert {record.memory.id for record in decided.replaced} == {one.memory.id, other.memory.id}
    assert given(holdfast) == [third.memory.id]


def test_one_that_is_compatible_with_the_first_still_waits_for_the_second(
    holdfast: Holdfast,
) -> None:
    one, other, third = several(holdfast)

    first = resolved(holdfast, third, ResolutionWay.KEEP_BOTH, other=one.memory.id)
    waits = status(holdfast, third)
    second = resolved(holdfast, third, ResolutionWay.KEEP_BOTH, other=other.memory.id)

    assert [left.standing.memory.id for left in first.left] == [other.memory.id]
    assert waits is Status.CANDIDATE
    assert second.left == ()
    assert status(holdfast, third) is Status.ACCEPTED


def test_a_standing_one_with_several_candidates_needs_one_to_be_named(holdfast: Holdfast) -> None:
    old, _ = torn(holdfast)
    proposed(holdfast, "Tokens rotate every week.", key="rotation")

    with pytest.raises(SeveralConflictsError):
        resolved(holdfast, old, ResolutionWay.KEEP_OLD)


def test_a_candidate_that_was_decided_meanwhile_is_no_conflict(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    reject(holdfast, new.memory.id, by="ada")

    with pytest.raises(NoConflictError):
        resolved(holdfast, old, ResolutionWay.KEEP_OLD)


def test_of_two_accepted_ones_the_newer_is_deprecated_or_takes_over(holdfast: Holdfast) -> None:
    old, new = both_accepted(holdfast)

    resolved(holdfast, new, ResolutionWay.KEEP_OLD, other=old.memory.id)

    assert status(holdfast, new) is Status.DEPRECATED
    assert status(holdfast, old) is Status.ACCEPTED


def test_of_two_accepted_ones_the_newer_may_stand_alone_or_both(holdfast: Holdfast) -> None:
    old, new = both_accepted(holdfast)

    resolved(holdfast, new, ResolutionWay.KEEP_BOTH, other=old.memory.id)

    assert status(holdfast, old) is status(holdfast, new) is Status.ACCEPTED
    assert "compatible" in kinds_between(holdfast, new, old)


@requirement("curation.conflicts-block")
def test_one_that_also_contradicts_another_cannot_take_the_place_of_the_first(
    holdfast: Holdfast,
) -> None:
    one = said(holdfast, "We deploy on Tuesdays.")
    other = said(holdfast, "The cache lives in memory.")
    third = proposed(holdfast, "Nobody deploys.")
    for standing in (one, other):
        link = Link(src=third.memory.id, dst=standing.memory.id, kind=LinkKind.CONTRADICTS)
        holdfast.memories.link(link)

    with pytest.raises(
        UnresolvedConflictError, match=f"{third.memory.id} contradicts {other.memory.id}"
    ):
        resolved(holdfast, third, ResolutionWay.SUPERSEDE, other=one.memory.id)

    assert now(holdfast, one) == one


@requirement("curation.conflicts-block")
def test_the_refusal_names_all_that_the_claim_contradicts(holdfast: Holdfast) -> None:
    one = said(holdfast, "Tokens rotate on every use.")
    other = said(holdfast, "Tokens always rotate on each use by clients.")
    third = proposed(holdfast, "Tokens never rotate on use.")
    names = [one.memory.id, other.memory.id]

    for standing in (one, other):
        with pytest.raises(UnresolvedConflictError) as refused:
            resolved(holdfast, third, ResolutionWay.SUPERSEDE, other=standing.memory.id)
        facts = refused.value.facts
        others = facts["others"]
        assert isinstance(others, list)
        assert {facts["standing"], *others} == set(names)
        assert all(name in str(refused.value) for name in names)


@requirement("curation.conflicts-block")
def test_an_accepted_claim_with_a_newer_rival_names_the_newer_one(holdfast: Holdfast) -> None:
    oldest, middle = both_accepted(holdfast)
    newest = said(holdfast, "The cache lives in memory.")
    link = Link(src=newest.memory.id, dst=middle.memory.id, kind=LinkKind.CONTRADICTS)
    holdfast.memories.link(link)

    with pytest.raises(UnresolvedConflictError) as refused:
        resolved(holdfast, middle, ResolutionWay.SUPERSEDE, other=oldest.memory.id)

    facts = refused.value.facts
    assert (facts["memory_id"], facts["standing"], facts["others"]) == (
        newest.memory.id,
        middle.memory.id,
        [],
    )


@pytest.mark.parametrize("named", ["both", "one"])
def test_of_two_accepted_ones_the_older_may_be_named_first(holdfast: Holdfast, named: str) -> None:
    old, new = both_accepted(holdfast)

    resolved(
        holdfast, old, ResolutionWay.KEEP_OLD, other=new.memory.id if named == "both" else None
    )

    assert status(holdfast, new) is Status.DEPRECATED
    assert status(holdfast, old) is Status.ACCEPTED


def test_an_older_one_with_several_newer_ones_needs_one_to_be_named(holdfast: Holdfast) -> None:
    old, _ = both_accepted(holdfast)
    proposed(holdfast, "Tokens rotate every week.", key="rotation")

    with pytest.raises(SeveralConflictsError):
        resolved(holdfast, old, ResolutionWay.KEEP_OLD)


@requirement("curation.conflicts-block")
def test_a_merged_claim_that_contradicts_a_third_is_refused(holdfast: Holdfast) -> None:
    one, other, third = several(holdfast)

    with pytest.raises(WordsContradictError) as refused:
        resolved(
            holdfast,
            third,
            ResolutionWay.MERGE,
            other=one.memory.id,
            text="Tokens rotate every month.",
        )

    assert refused.value.standing == other.memory.id
    named = {word for word in str(refused.value).split() if word.startswith("m_")}
    assert {word.rstrip(",:.") for word in named} == {other.memory.id}

    assert now(holdfast, one) == one
    assert now(holdfast, other) == other


@requirement("curation.proposer-never-approves")
def test_the_proposer_cannot_resolve(holdfast: Holdfast) -> None:
    _, new = torn(holdfast)

    with pytest.raises(OwnProposalError):
        resolved(holdfast, new, ResolutionWay.SUPERSEDE, by="bot")


@requirement("review.bound-to-what-was-shown")
def test_a_resolution_is_bound_to_what_was_shown(holdfast: Holdfast) -> None:
    _, new = torn(holdfast)

    with pytest.raises(ChangedSinceShownError):
        resolved(holdfast, new, ResolutionWay.SUPERSEDE, shown_hash="0" * 12)
