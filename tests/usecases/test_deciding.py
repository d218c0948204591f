"""The ledger: whatever changes is noted, what does not is no decision."""

from __future__ import annotations

from holdfast.app import Holdfast
from holdfast.domain.choices import Status
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.link import Link
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.review.deciding import DecisionLedger
from tests.builders import FixedClock, a_reason
from tests.usecases.curating import a_turn_of
from tests.usecases.wishes import said


def test_what_was_so_already_is_no_decision(holdfast: Holdfast, clock: FixedClock) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    link = Link(src=one.memory.id, dst=other.memory.id, kind="compatible")
    holdfast.memories.link(link)

    with holdfast.store.writing(clock.now()) as tx:
        ledger = DecisionLedger(by="ada", at=clock.now(), tx=tx, heuristics=ENGLISH)
        ledger.link(link)
        ledger.withdraw(one, [a_turn_of("talk")])
        decision = ledger.close(Action.DEPRECATE, entropy=clock.entropy())

    assert decision is None


def test_a_memory_that_is_settled_twice_was_before_as_it_was_at_first(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    one = said(holdfast, "One.")

    with holdfast.store.writing(clock.now()) as tx:
        ledger = DecisionLedger(by="ada", at=clock.now(), tx=tx, heuristics=ENGLISH)
        once = ledger.settle(one, Status.CANDIDATE)
        ledger.settle(once, Status.DEPRECATED, reason="old")
        decision = ledger.close(Action.DEPRECATE, entropy=clock.entropy())

    assert decision is not None
    (change,) = decision.changes
    assert change.before == one.standing
    assert (change.after.status, change.after.reason) == (Status.DEPRECATED, "old")


def test_a_reason_a_memory_has_already_strengthens_it_no_further(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    known = said(holdfast)
    more = a_reason(reference="Measured again.")
    with holdfast.store.writing(clock.now()) as tx:
        ledger = DecisionLedger(by="ada", at=clock.now(), tx=tx, heuristics=ENGLISH)
        ledger.strengthen(known, (*known.evidence, more))
        decision = ledger.close(Action.CONSOLIDATE, entropy=1)

    assert decision is not None
    assert [one.evidence for one in decision.strengthened] == [more]
