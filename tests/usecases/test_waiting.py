"""A program cannot flood the review: enough candidates of a source wait, and more are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.refusals import TooManyWaitingError
from holdfast.usecases.review.review import Review
from holdfast.usecases.review.waiting import full_note
from tests.builders import AN_AGENT
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
