"""A program cannot flood the review: enough candidates of a source wait, and more are refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.refusals import ProposedTooFastError, TooManyWaitingError
from holdfast.usecases.review import waiting
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.waiting import full_note
from tests.builders import AN_AGENT, FixedClock
from tests.requirements import requirement
from tests.usecases.wishes import said


@pytest.fixture
def agent(holdfast: Holdfast) -> Holdfast:
    """The same memory, for an agent, with a low limit."""
    return replace(holdfast, principal=AN_AGENT, most_waiting=3)


def flood(agent: Holdfast, source: str, count: int) -> None:
    for number in range(count):
        said(agent, f"{source} claim number {number}.", origin=Origin.AGENT, source=source)


@requirement("review.no-flood")
def test_a_source_with_enough_waiting_candidates_is_refused(
    agent: Holdfast, store: InMemoryStore
) -> None:
    flood(agent, "one", 3)

    with pytest.raises(TooManyWaitingError, match="3 or more candidates of one wait"):
        said(agent, "One too many.", origin=Origin.AGENT, source="one")

    said(agent, "Another source may speak.", origin=Origin.AGENT, source="two")
    assert agent.review.review(Review()).total == 4
    assert agent.upkeep.status().full == ("one",)
    assert "no more candidates of one are taken" in agent.review.review(Review()).notes[0]


@requirement("review.no-flood")
def test_all_sources_together_have_a_limit_too(agent: Holdfast) -> None:
    for number in range(10):
        flood(agent, f"s{number}", 3)

    with pytest.raises(TooManyWaitingError):
        said(agent, "A new name does not help.", origin=Origin.AGENT, source="new")

    assert agent.upkeep.status().full[-1] == "every agent"


@requirement("review.no-flood")
def test_evidence_that_is_only_offered_counts_too(agent: Holdfast, holdfast: Holdfast) -> None:
    accepted = said(holdfast, "Tokens rotate.")
    flood(agent, "one", 3)

    with pytest.raises(TooManyWaitingError):
        said(agent, accepted.memory.claim, origin=Origin.AGENT, source="one")


@requirement("review.no-flood")
def test_a_person_is_not_limited_and_a_decision_makes_room(
    agent: Holdfast, holdfast: Holdfast
) -> None:
    flood(agent, "one", 3)
    person = replace(holdfast, most_waiting=3)
    for number in range(5):
        said(person, f"A note {number}.", origin=Origin.AGENT, source="one")
    unlimited = replace(agent, most_waiting=0)
    said(unlimited, "No limit is set.", origin=Origin.AGENT, source="one")

    assert unlimited.upkeep.status().full == ()
    assert full_note((), 3) == ""


@requirement("review.hourly")
def test_a_source_that_proposes_too_much_within_an_hour_is_refused(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    agent = replace(holdfast, principal=AN_AGENT, most_waiting=0, most_hourly=3)
    flood(agent, "one", 3)
    said(replace(agent, principal=holdfast.principal), "A person may.", origin=Origin.AGENT)

    with pytest.raises(ProposedTooFastError, match="3 wait for a person"):
        said(agent, "One too many.", origin=Origin.AGENT, source="one")

    clock.moment += timedelta(minutes=61)
    said(agent, "One an hour later.", origin=Origin.AGENT, source="one")


@requirement("review.hourly")
def test_new_names_do_not_help_within_an_hour(holdfast: Holdfast) -> None:
    agent = replace(holdfast, principal=AN_AGENT, most_waiting=0, most_hourly=3)
    for number in range(3):
        flood(agent, f"s{number}", 3)

    with pytest.raises(ProposedTooFastError):
        said(agent, "A new name does not help.", origin=Origin.AGENT, source="new")


@requirement("review.hourly")
def test_many_pages_of_candidates_are_counted(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_AT_ONCE", 2)
    agent = replace(holdfast, principal=AN_AGENT, most_waiting=0, most_hourly=5)
    flood(agent, "one", 5)

    with pytest.raises(ProposedTooFastError):
        said(agent, "One too many.", origin=Origin.AGENT, source="one")
