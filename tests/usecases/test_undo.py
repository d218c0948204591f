"""Undo: every decision can be taken back, the newest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Scope, Status
from holdfast.domain.errors import BadFieldError, ForgottenError, NoSuchError
from holdfast.domain.ids import DecisionId, MemoryId
from holdfast.domain.memory.decision import Action, Decision, Withdrawn
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review_errors import DecidedSinceError, NothingToUndoError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.exchange.exchange import bring_in
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.revert import Revert
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.curating import a_turn_of, approved, curation, resolved, status, torn, trap
from tests.usecases.wishes import given, now, proposed, said


def undo(holdfast: Holdfast, **changes: Any) -> list[str]:
    return [one.id for one in curation(holdfast).undo(Undo(by="ada", **changes))]


def everything(holdfast: Holdfast) -> list[object]:
    """All memories with how they stand, and all links, but for what decisions made."""
    with holdfast.store.reading() as tx:
        records = tx.memories.find(Selection(), Page(limit=99, oldest_first=True))
        links = tx.links.page(beyond=None, limit=99)
    return [*(record for record in records if record.memory.source != "review"), *links]


DECISIONS: dict[str, Callable[[Holdfast, str, str], object]] = {
    "approve": lambda app, _old, _new: approved(app, trap(app)),
    "reject": lambda app, _old, new: curation(app).reject(
        Reject(references=(new,), by="ada", reason="no")
    ),
    "edit": lambda app, _old, _new: curation(app).edit(
        Edit(reference=trap(app).memory.id, claim="Replay is fatal.", by="ada")
    ),
    "keep old": lambda app, old, new: _resolved(app, old, new, ResolutionWay.KEEP_OLD),
    "supersede": lambda app, old, new: _resolved(app, old, new, ResolutionWay.SUPERSEDE),
    "keep both": lambda app, old, new: _resolved(app, old, new, ResolutionWay.KEEP_BOTH),
    "merge": lambda app, old, new: _resolved(app, old, new, ResolutionWay.MERGE),
    "revert": lambda app, _old, _new: curation(app).revert(Revert(source="bot:1", by="ada")),
}


def _resolved(holdfast: Holdfast, old: str, new: str, way: ResolutionWay) -> object:
    scopes = (
        {"scope_new": "in tests", "scope_old": "live"} if way is ResolutionWay.KEEP_BOTH else {}
    )
    wish = Resolve(reference=new, other=old, by="ada", way=way, text="Tokens rotate.", **scopes)
    return curation(holdfast).resolve(wish)


@requirement("curation.undo")
@pytest.mark.parametrize("name", DECISIONS)
def test_any_decision_can_be_taken_back(holdfast: Holdfast, clock: FixedClock, name: str) -> None:
    old, new = torn(holdfast)
    trap(holdfast)
    before = everything(holdfast)
    clock.advance(minutes=1)
    DECISIONS[name](holdfast, old.memory.id, new.memory.id)
    changed = everything(holdfast)
    clock.advance(minutes=1)

    rehearsed = undo(holdfast, dry_run=True)
    unchanged = everything(holdfast)
    done = undo(holdfast)

    assert unchanged == changed != before
    assert rehearsed == done
    assert everything(holdfast) == before
    (decision,) = curation(holdfast).decisions()
    assert decision.undone_at == clock.now()
    with pytest.raises(NothingToUndoError):
        undo(holdfast)


@requirement("curation.undo")
def test_what_a_decision_made_is_deprecated_and_not_recalled(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)
    wish = Edit(reference=candidate.memory.id, claim="Replay is fatal.", by="ada")
    (made,) = curation(holdfast).edit(wish).records

    undo(holdfast)

    standing = now(holdfast, made).standing
    assert standing.status is Status.DEPRECATED
    assert standing.reason is not None
    assert "was undone" in standing.reason
    assert given(holdfast, "replay is fatal") == []


@requirement("curation.undo")
def test_undo_goes_back_step_by_step_and_only_over_ones_own(holdfast: Holdfast) -> None:
    first, second, third = (
        trap(holdfast),
        proposed(holdfast, "The port is open."),
        proposed(holdfast, "Deploys happen on Tuesdays."),
    )
    approved(holdfast, first)
    approved(holdfast, second)
    approved(holdfast, third, by="grace")

    undo(holdfast)
    one_step = [status(holdfast, one) for one in (first, second, third)]
    undo(holdfast)

    accepted, candidate = Status.ACCEPTED, Status.CANDIDATE
    assert one_step == [accepted, candidate, accepted]
    assert [status(holdfast, one) for one in (first, second, third)] == [
        candidate,
        candidate,
        accepted,
    ]


def test_several_steps_happen_together_or_not_at_all(holdfast: Holdfast) -> None:
    one, other = trap(holdfast), proposed(holdfast, "The port is open.")
    approved(holdfast, one)
    approved(holdfast, other)

    with pytest.raises(NothingToUndoError, match="only 2 decisions of ada .*to undo, not 3"):
        undo(holdfast, steps=3)
    still = status(holdfast, other)
    undo(holdfast, steps=2)
    approved(holdfast, one)
    with pytest.raises(NothingToUndoError, match="is only 1 decision of ada"):
        undo(holdfast, steps=2)
    undo(holdfast)

    assert still is Status.ACCEPTED
    assert status(holdfast, one) is status(holdfast, other) is Status.CANDIDATE


def test_a_memory_or_a_decision_can_be_named_whoever_decided(holdfast: Holdfast) -> None:
    one, other = trap(holdfast), proposed(holdfast, "The port is open.")
    approved(holdfast, one, by="grace")
    decided = approved(holdfast, other, by="grace")
    assert decided.decision is not None

    undo(holdfast, reference=one.memory.id)
    undo(holdfast, reference=decided.decision.id[:28], steps=1)

    assert status(holdfast, one) is status(holdfast, other) is Status.CANDIDATE
    for reference in (one.memory.id, decided.decision.id):
        with pytest.raises(NothingToUndoError):
            undo(holdfast, reference=reference)
    with pytest.raises(NoSuchError, match="No decision has the id d_none"):
        undo(holdfast, reference="d_none")


@requirement("curation.undo")
def test_what_was_decided_on_top_must_be_taken_back_first(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    first = resolved(holdfast, new, ResolutionWay.SUPERSEDE).decision
    wish = Edit(reference=new.memory.id, claim="Tokens rotate at noon.", by="grace")
    curation(holdfast).edit(wish)
    assert first is not None

    with pytest.raises(DecidedSinceError, match="later decision by grace"):
        undo(holdfast, reference=first.id)
    kept = status(holdfast, old)
    undo(holdfast, reference=new.memory.id)
    undo(holdfast, reference=first.id)

    assert kept is Status.SUPERSEDED
    assert now(holdfast, old) == old


def test_a_pin_and_a_label_that_came_since_stay(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)
    approved(holdfast, candidate)
    holdfast.memories.pin(candidate.memory.id, label="GOT-001")

    undo(holdfast)

    standing = now(holdfast, candidate).standing
    assert (standing.status, standing.pinned, standing.label) == (
        Status.CANDIDATE,
        True,
        "GOT-001",
    )


@requirement("forget.leaves-tombstone")
def test_what_was_forgotten_since_stays_forgotten(holdfast: Holdfast) -> None:
    one, other = trap(holdfast), proposed(holdfast, "The port is open.")
    approved(holdfast, one, other)
    holdfast.memories.forget(Forget(reference=one.memory.id))

    undo(holdfast)

    assert status(holdfast, other) is Status.CANDIDATE
    with pytest.raises(ForgottenError):
        now(holdfast, one)


@pytest.mark.parametrize("steps", [0, 101])
def test_a_number_of_steps_that_makes_no_sense_is_refused(holdfast: Holdfast, steps: int) -> None:
    with pytest.raises(BadFieldError, match="steps"):
        undo(holdfast, steps=steps)


def test_decisions_can_be_listed_and_come_with_an_export(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    gone, kept = trap(holdfast), proposed(holdfast, "The port is open.")
    approved(holdfast, gone)
    approved(holdfast, kept)
    lines = list(holdfast.exchange.export())
    holdfast.memories.forget(Forget(reference=gone.memory.id))
    graves = [line for line in holdfast.exchange.export() if '"tombstone"' in line]
    copy = replace(holdfast, store=InMemoryStore())

    bring_in([lines[0], *graves, *lines[1:]], store=copy.store, clock=clock)
    again = bring_in(lines, store=copy.store, clock=clock)

    assert again.added == 0
    first, second = curation(copy).decisions(everywhere=True)
    assert first == curation(holdfast).decisions()[0]
    assert second.changes == ()
    undo(copy)
    assert status(copy, kept) is Status.CANDIDATE
    with pytest.raises(BadFieldError):
        curation(holdfast).decisions(limit=0)


def test_a_link_that_was_taken_away_by_hand_is_no_obstacle(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.KEEP_BOTH)
    link = next(
        one for one, _ in holdfast.memories.related(new.memory.id) if one.kind == "compatible"
    )
    holdfast.memories.unlink(link)

    undo(holdfast)

    assert now(holdfast, old) == old
    assert status(holdfast, new) is Status.CANDIDATE


def test_nobody_has_decided_anything_yet(holdfast: Holdfast) -> None:
    said(holdfast)

    with pytest.raises(NothingToUndoError, match="to undo"):
        undo(holdfast)


@requirement("curation.undo")
def test_reasons_that_a_revert_took_away_come_back(holdfast: Holdfast) -> None:
    own = said(holdfast)
    offer = proposed(holdfast, grounds=Grounds(given=(a_turn_of("bot:1"),)), source="bot:1")
    approved(holdfast, offer)
    before = now(holdfast, own)
    curation(holdfast).revert(Revert(source="bot:1", by="ada"))

    undo(holdfast)

    assert before.added_evidence
    assert now(holdfast, own) == before


def test_links_that_a_decision_took_away_come_back_where_both_ends_are_there(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    link = Link(src=one.memory.id, dst=other.memory.id, kind="related")
    nowhere = Link(src=one.memory.id, dst=MemoryId("m_none"), kind="related")
    reason = Withdrawn(memory_id=MemoryId("m_none"), evidence=a_turn_of("talk"))
    with holdfast.store.writing(clock.now()) as tx:
        tx.diary.decisions.put(
            Decision(
                id=DecisionId("d_1"),
                at=clock.now(),
                by="ada",
                action=Action.DEPRECATE,
                unlinked=(nowhere, link),
                withdrawn=(reason,),
            )
        )

    undo(holdfast)

    assert [known for known, _ in holdfast.memories.related(one.memory.id)] == [link]


@requirement("undo.stays-here")
def test_the_last_decision_of_another_repository_is_not_taken_back_from_here(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    waiting = proposed(holdfast)
    curation(holdfast).approve(Approve(references=(waiting.memory.id,), by="ada"))
    surroundings.at = Place(repo="github.com/acme/other")

    with pytest.raises(NothingToUndoError, match="about memories here"):
        curation(holdfast).undo(Undo(by="ada"))
    hidden, shown = curation(holdfast).decisions(), curation(holdfast).decisions(everywhere=True)
    taken = curation(holdfast).undo(Undo(by="ada", is_everywhere=True))

    assert (len(hidden), len(shown), len(taken)) == (0, 1, 1)


def test_a_decision_about_memories_of_no_repository_is_taken_back_anywhere(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    waiting = proposed(holdfast, scope=Scope.GLOBAL)
    curation(holdfast).approve(Approve(references=(waiting.memory.id,), by="ada"))
    surroundings.at = Place(repo="github.com/acme/other")

    assert len(curation(holdfast).undo(Undo(by="ada"))) == 1
