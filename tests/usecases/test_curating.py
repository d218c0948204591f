"""Curating: every trouble is found, named once, with a command."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.app.care import Care
from holdfast.domain.choices import Kind, Scope, Status
from holdfast.domain.errors import AlreadyDecidedError, BadFieldError
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.review.curation import Concern, HealthPoint, MemoryTrouble, Severity, TidyStep
from holdfast.domain.review.suspicion import SAME_KEY, Suspicion
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.surfaces.cli.advising.advice import command_of
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.curating import PLACE, curation, status, torn
from tests.usecases.plain_verifier import PlainVerifier, sighting
from tests.usecases.wishes import given, now, proposed, said

OFFSETS = "We keep feed offsets in Postgres because Redis lost them on a restart last May."
AGAIN = "We keep the feed offsets in Postgres because Redis lost them on restart last May."


class PlainLog:
    """Scores in a list."""

    def __init__(self) -> None:
        self.kept: list[HealthPoint] = []

    def add(self, point: HealthPoint) -> bool:
        self.kept.append(point)
        return True

    def points(self, place: str) -> Sequence[HealthPoint]:
        return [one for one in self.kept if one.place == place]


def care(holdfast: Holdfast, log: PlainLog | None = None) -> Care:
    return Care(holdfast, log=log or PlainLog())


def concerns(holdfast: Holdfast) -> tuple[Concern, ...]:
    return care(holdfast).survey()[0].concerns


def only(holdfast: Holdfast) -> Concern:
    (concern,) = concerns(holdfast)
    return concern


def doubled(holdfast: Holdfast, **changes: Any) -> tuple[MemoryRecord, MemoryRecord]:
    first = said(holdfast, OFFSETS, kind=Kind.DECISION)
    return first, said(holdfast, AGAIN, kind=Kind.FACT, **changes)


def test_nothing_is_wrong_with_an_empty_memory(holdfast: Holdfast) -> None:
    found, history = care(holdfast).survey()

    assert found.concerns == ()
    assert [point.score for point in history] == [100]


@requirement("curate.every-trouble-is-found")
@pytest.mark.parametrize(
    ("verdict", "command", "step"),
    [
        (Verdict.ORPHANED, "holdfast curate --deprecate {}", TidyStep.DEPRECATE),
        (Verdict.DRIFTED, "holdfast verify --diff {}", None),
    ],
)
def test_evidence_that_is_gone_or_changed_makes_a_memory_stale(
    seen: Holdfast, verifier: PlainVerifier, verdict: Verdict, command: str, step: TidyStep | None
) -> None:
    record = said(seen, "The first lines are magic.", grounds=PLACE)
    verifier.seen["src/app.py:1-2"] = sighting(verdict, "src/app.py", 1, 2)

    concern = only(seen)

    assert (concern.trouble, concern.step) == (MemoryTrouble.STALE, step)
    assert command_of(concern) == command.format(record.memory.id)
    assert concern.severity is Severity.WARNING
    assert "src/app.py:1-2" in concern.why


@requirement("curate.changed-evidence")
def test_changed_evidence_can_be_cited_again_where_it_has_one_place(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    said(seen, "The first lines are magic.", grounds=PLACE)
    changed = sighting(Verdict.DRIFTED, "src/app.py", 1, 2)
    verifier.seen["src/app.py:1-2"] = changed

    assert only(seen).places == ("src/app.py:1-2",)
    verifier.seen["src/app.py:1-2"] = replace(changed, places=changed.places * 2)
    assert only(seen).places == ()


def test_a_stale_candidate_is_refused_by_a_person(seen: Holdfast, verifier: PlainVerifier) -> None:
    record = proposed(seen, "The first lines are magic.", grounds=PLACE)
    verifier.seen["src/app.py:1-2"] = sighting(Verdict.ORPHANED, "src/app.py", 1, 2)

    concern = only(seen)

    assert concern.step is None
    assert command_of(concern).startswith(f"holdfast reject {record.memory.id} --reason")


def test_where_the_repository_cannot_be_read_a_note_says_so(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    said(seen, "The first lines are magic.", grounds=PLACE)
    verifier.is_broken = True

    found, _ = care(seen).survey()

    assert found.concerns == ()
    assert "evidence was not checked" in found.notes[0]


@requirement("curate.every-trouble-is-found")
def test_contradictions_are_found_noted_or_not(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    concern = only(holdfast)

    assert concern.trouble is MemoryTrouble.CONFLICT
    assert concern.memories == (new.memory.id, old.memory.id)
    assert command_of(concern) == f"holdfast review {new.memory.id}"


@requirement("curate.commands-run-as-printed")
def test_a_conflict_names_no_winner_whatever_the_claims_say(holdfast: Holdfast) -> None:
    said(holdfast, "Type checking is done with mypy.")
    new = proposed(holdfast, "We moved from mypy to pyright.")

    concern = only(holdfast)

    assert concern.trouble is MemoryTrouble.CONFLICT
    assert command_of(concern) == f"holdfast review {new.memory.id}"


def test_two_accepted_memories_that_nobody_linked_are_held_against_each_other(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, "Retries are capped at five for the payment gateway.")
    new = said(holdfast, "Retries are capped at eight for the payment gateway.", kind=Kind.RULE)
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        for link in tx.links.touching(new.memory.id):
            tx.links.remove(link)

    found = [one for one in concerns(holdfast) if one.trouble is MemoryTrouble.CONFLICT]

    assert [set(one.memories) for one in found] == [{old.memory.id, new.memory.id}]
    assert command_of(found[0]) == "holdfast conflicts"


@requirement("curate.every-trouble-is-found")
def test_junk_is_named_with_the_reason_and_a_pinned_memory_is_left_in_peace(
    holdfast: Holdfast,
) -> None:
    said(holdfast, "Tests are passing now.")
    candidate = proposed(holdfast, "Thanks, that works.")
    pinned = said(holdfast, "You are a helpful assistant.")
    holdfast.memories.pin(pinned.memory.id, pinned=True, label=None)

    found = concerns(holdfast)

    assert [one.trouble for one in found] == [MemoryTrouble.JUNK, MemoryTrouble.JUNK]
    assert [one.step for one in found] == [TidyStep.DEPRECATE, None]
    assert "it reports finished work" in found[0].why
    assert candidate.memory.id in command_of(found[1])


@requirement("curate.every-trouble-is-found")
def test_of_doubles_the_best_stays(holdfast: Holdfast) -> None:
    first, second = doubled(holdfast, grounds=PLACE)
    holdfast.memories.pin(second.memory.id, pinned=True, label=None)

    concern = only(holdfast)

    assert concern.trouble is MemoryTrouble.DUPLICATE
    assert concern.memories == (second.memory.id, first.memory.id)
    assert concern.step is TidyStep.CONSOLIDATE


class SuspectsAll:
    name = "suspects-all"

    def judged(self, _newer: str, _older: str, _found: Suspicion | None) -> Suspicion:
        return SAME_KEY


def test_what_seems_to_contradict_is_no_double(holdfast: Holdfast) -> None:
    doubled(holdfast)
    suspecting = replace(holdfast, heuristics=replace(ENGLISH, judge=SuspectsAll()))

    assert only(suspecting).trouble is MemoryTrouble.CONFLICT


def test_memories_of_different_scope_are_no_doubles(holdfast: Holdfast) -> None:
    doubled(holdfast, scope=Scope.GLOBAL)

    assert concerns(holdfast) == ()


@requirement("curate.every-trouble-is-found")
def test_sweeping_claims_and_rules_without_a_check_are_named(holdfast: Holdfast) -> None:
    said(holdfast, "Everything should stay nice everywhere.")
    rule = said(holdfast, "Commits are signed with the team's key.", kind=Kind.RULE)
    said(holdfast, "The public API is frozen.", kind=Kind.RULE, grounds=PLACE)
    checks = ("must not match `print` in src/**",)
    said(holdfast, "Payments write to the shop logger.", kind=Kind.RULE, checks=checks)

    found = concerns(holdfast)

    assert [one.trouble for one in found] == [
        MemoryTrouble.OVER_GENERAL,
        MemoryTrouble.UNCHECKED_RULE,
    ]
    assert command_of(found[1]) == f"holdfast explain {rule.memory.id}"


@requirement("curate.every-trouble-is-found")
def test_what_waits_expires_or_is_never_used_is_named_in_time(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    waiting = proposed(holdfast, "Sessions live in Postgres, not in Redis.")
    expired = said(holdfast, "Port 8080 is free on the build machine.", keep_for=timedelta(days=30))
    unused = said(holdfast, "The sitemap is split at 50,000 addresses.")
    used = said(holdfast, "Tokens rotate hourly.")
    given(holdfast, "tokens rotate")

    assert concerns(holdfast) == ()
    clock.advance(days=91)
    found = {one.trouble: one for one in concerns(holdfast)}

    assert command_of(found[MemoryTrouble.UNREVIEWED]) == f"holdfast review {waiting.memory.id}"
    assert found[MemoryTrouble.EXPIRED].memories == (expired.memory.id,)
    assert found[MemoryTrouble.EXPIRED].step is TidyStep.DEPRECATE
    assert found[MemoryTrouble.UNUSED].memories == (unused.memory.id,)
    assert used.memory.id not in {one.memories[0] for one in found.values()}


@requirement("curate.every-trouble-is-found")
def test_a_pinned_place_that_moved_or_is_gone_is_named(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    record = said(seen, "The first lines are the public contract.", grounds=PLACE)
    said(seen, "Tokens rotate hourly.")
    span = record.evidence[0].span
    assert span is not None
    seen.memories.pin_span(span, pinned=True, label="contract")

    assert concerns(seen) == ()
    verifier.seen["src/app.py:1-2"] = sighting(Verdict.MOVED, "src/app.py", 5, 6)
    moved = only(seen)
    verifier.seen["src/app.py:1-2"] = sighting(Verdict.DRIFTED, "src/app.py", 1, 2)
    gone = next(one for one in concerns(seen) if one.trouble is MemoryTrouble.MOVED_PIN)

    assert (moved.step, command_of(moved)) == (None, f"holdfast show {span}")
    assert (gone.step, command_of(gone)) == (TidyStep.UNPIN, f"holdfast unpin --span {span}")
    tidied = care(seen).tidy([gone], by="ada")
    assert tidied.unpinned == (span,)
    assert [one.trouble for one in concerns(seen)] == [MemoryTrouble.STALE]


@requirement("curate.health-over-time")
def test_every_look_is_noted_and_the_score_falls_with_trouble(holdfast: Holdfast) -> None:
    log = PlainLog()
    said(holdfast, "Tokens rotate hourly.", grounds=PLACE)
    care(holdfast, log).survey()
    said(holdfast, "Tests are passing now.")

    found, history = care(holdfast, log).survey()

    assert [point.score for point in history] == [100, 50]
    assert found.health.counts == {"junk": 1}
    assert care(holdfast, log).history() == list(history)


@requirement("curate.only-what-can-be-undone")
def test_what_is_applied_can_be_taken_back_whole(holdfast: Holdfast, clock: FixedClock) -> None:
    first, second = doubled(holdfast, grounds=PLACE)
    junk = said(holdfast, "Tests are passing now.")
    plan = concerns(holdfast)
    before = [now(holdfast, one) for one in (first, second, junk)]

    done = care(holdfast).tidy(plan, by="ada")

    stays, gone = sorted((first, second), key=lambda one: status(holdfast, one))
    assert status(holdfast, junk) is Status.DEPRECATED
    assert status(holdfast, gone) is Status.SUPERSEDED
    assert len(now(holdfast, stays).evidence) == 2
    assert len(done.decisions) == 2
    clock.advance(hours=1)
    curation(holdfast).undo(Undo(by="ada", steps=2))
    assert [now(holdfast, one) for one in (first, second, junk)] == before


def test_what_was_decided_about_meanwhile_is_passed_by(holdfast: Holdfast) -> None:
    junk = said(holdfast, "Tests are passing now.")
    plan = concerns(holdfast)
    care(holdfast).deprecate([junk.memory.id], by="ada")

    done = care(holdfast).tidy(plan, by="ada")

    assert done.decisions == ()
    assert done.passed == plan


def test_what_has_no_step_changes_nothing(holdfast: Holdfast) -> None:
    torn(holdfast)

    assert care(holdfast).tidy(concerns(holdfast), by="ada").decisions == ()


def test_a_double_whose_twin_was_forgotten_is_not_joined(holdfast: Holdfast) -> None:
    _, second = doubled(holdfast)
    plan = concerns(holdfast)
    holdfast.memories.forget(Forget(reference=second.memory.id, by="ada", reason=""))

    assert care(holdfast).tidy(plan, by="ada").decisions == ()


@requirement("curate.only-what-can-be-undone")
def test_a_person_ends_a_memory_with_a_reason(holdfast: Holdfast) -> None:
    record = said(holdfast)

    decided = care(holdfast).deprecate([record.memory.id], by="ada", reason="out of date")

    standing = decided.records[0].standing
    assert (standing.status, standing.reason) == (Status.DEPRECATED, "out of date")
    assert given(holdfast) == []
    with pytest.raises(AlreadyDecidedError):
        care(holdfast).deprecate([record.memory.id], by="ada")


def test_a_person_lets_one_memory_stand_for_several(holdfast: Holdfast) -> None:
    first, second = doubled(holdfast, grounds=PLACE)

    decided = care(holdfast).consolidate([first.memory.id, second.memory.id], by="ada")

    assert decided.records[0].memory.id == first.memory.id
    assert len(decided.records[0].evidence) == 2
    assert decided.replaced[0].standing.superseded_by == first.memory.id


def test_a_person_says_it_in_words_of_their_own(holdfast: Holdfast) -> None:
    first, second = doubled(holdfast)
    names = [first.memory.id, second.memory.id]

    decided = care(holdfast).consolidate(names, by="ada", text="Offsets live in Postgres.")

    assert decided.records[0].memory.claim == "Offsets live in Postgres."
    assert {one.standing.status for one in decided.replaced} == {Status.SUPERSEDED}


def test_one_memory_alone_and_no_words_are_refused(holdfast: Holdfast) -> None:
    record = said(holdfast)
    name = record.memory.id

    with pytest.raises(BadFieldError):
        care(holdfast).consolidate([name, name], by="ada")
    with pytest.raises(BadFieldError):
        care(holdfast).consolidate([name], by="ada", text=" ")
    assert now(holdfast, record) == record


def test_the_digest_of_a_week_says_what_was_learned_used_and_went_wrong(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    said(holdfast, "The sitemap is split at 50,000 addresses.")
    clock.advance(days=10)
    fresh = said(holdfast, "Tokens rotate hourly.")
    waiting = proposed(holdfast, "Sessions live in Postgres, not in Redis.")
    given(holdfast, "tokens rotate")

    page = care(holdfast).digest(since=timedelta(days=7))

    assert [one.memory.id for one in page.learned] == [fresh.memory.id]
    assert [one.record.memory.id for one in page.waiting] == [waiting.memory.id]
    assert [one.memory.id for one in page.most_used] == [fresh.memory.id]
    assert (page.learned_total, page.waiting_total, page.never_used) == (1, 1, 1)
    assert page.stale_total == page.conflicts_total == 0
    assert len(page.health) == 1
