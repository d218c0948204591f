from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, Place
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.values import replace
from tests.builders import PlainSurroundings, a_turn
from tests.requirements import requirement
from tests.usecases.wishes import asked, bundle_about, now, said


@requirement("bundle.replayable")
def test_asked_again_at_once_the_answer_is_the_same(holdfast: Holdfast) -> None:
    said(holdfast)
    said(holdfast, "Tokens are signed.")

    replay = holdfast.answers.replay(bundle_about(holdfast))

    assert replay.is_same
    assert (replay.gained, replay.lost, replay.reordered) == ((), (), False)


@requirement("bundle.replayable")
def test_a_replay_shows_what_was_gained_and_lost(holdfast: Holdfast) -> None:
    old = said(holdfast, "Tokens rotate hourly.", key="rotation")
    bundle = bundle_about(holdfast)
    new = said(holdfast, "Tokens rotate daily.", key="rotation")

    replay = holdfast.answers.replay(bundle)

    assert (replay.gained, replay.lost) == ((new.memory.id,), (old.memory.id,))
    assert not replay.reordered
    assert not replay.is_same


@requirement("bundle.replayable")
def test_a_replay_shows_that_the_order_changed(holdfast: Holdfast) -> None:
    first, second = said(holdfast, "Tokens alpha."), said(holdfast, "Tokens gamma.")
    bundle = bundle_about(holdfast)
    holdfast.memories.pin(second.memory.id)

    replay = holdfast.answers.replay(bundle)

    assert (replay.gained, replay.lost, replay.reordered) == ((), (), True)
    assert not replay.is_same
    assert [item.memory_id for item in replay.before.bundle.items] == [
        first.memory.id,
        second.memory.id,
    ]


@requirement("bundle.replayable")
def test_a_replay_asks_from_the_place_of_the_first_question_and_leaves_no_trace(
    holdfast: Holdfast, surroundings: PlainSurroundings, store: InMemoryStore
) -> None:
    said(holdfast)
    bundle = bundle_about(holdfast)
    surroundings.at = Place(repo="github.com/acme/other")
    before = repr(store)

    assert holdfast.answers.replay(bundle).is_same
    assert repr(store) == before


@requirement("bundle.replayable")
def test_a_kept_bundle_is_shown_with_what_it_gave_and_left_out(holdfast: Holdfast) -> None:
    said(holdfast)
    said(holdfast, "Tokens are signed.")
    recalled = asked(holdfast, limit=1)

    shown = holdfast.answers.shown(recalled.bundle.id[:-1])

    assert shown.bundle == recalled.bundle == holdfast.memories.show(recalled.bundle.id)
    assert set(shown.records) == set(recalled.records)
    assert shown.nonce != recalled.nonce


@requirement("feedback.kept")
@pytest.mark.parametrize("verdict", [True, False])
def test_a_verdict_is_kept_with_the_bundle_its_turns_and_its_memories(
    holdfast: Holdfast, *, verdict: bool
) -> None:
    kept, bundle = said(holdfast), bundle_about(holdfast)
    session = holdfast.sessions.start(tool="cli", user="ada")
    holdfast.sessions.add_turn(session.id, a_turn(bundle_id=bundle))

    assert holdfast.answers.feedback(bundle, good=verdict) == bundle

    shown = holdfast.memories.show(bundle)
    assert isinstance(shown, Bundle)
    assert shown.good is verdict
    usage = now(holdfast, kept).usage
    assert (usage.good, usage.bad) == (int(verdict), int(not verdict))
    with holdfast.store.reading() as tx:
        assert [turn.satisfied for turn in tx.sessions.turns(session.id)] == [verdict]


@requirement("feedback.kept")
def test_the_same_verdict_twice_counts_once_and_a_changed_mind_moves_it(
    holdfast: Holdfast,
) -> None:
    kept, bundle = said(holdfast), bundle_about(holdfast)

    counts = []
    for verdict in (True, True, False, False, True):
        holdfast.answers.feedback(bundle, good=verdict)
        usage = now(holdfast, kept).usage
        counts.append((usage.good, usage.bad))

    assert counts == [(1, 0), (1, 0), (0, 1), (0, 1), (1, 0)]


@requirement("feedback.persons-stand")
def test_an_agents_rating_does_not_count_for_what_a_person_wrote(
    holdfast: Holdfast,
) -> None:
    kept, bundle = said(holdfast), bundle_about(holdfast)
    agent = replace(holdfast, principal=Principal.of(PrincipalKind.AGENT, space=DEFAULT_SPACE))

    agent.answers.feedback(bundle, good=False)
    by_agent = now(holdfast, kept).usage
    holdfast.answers.feedback(bundle, good=False)
    by_person = now(holdfast, kept).usage

    assert (by_agent.good, by_agent.bad) == (0, 0)
    assert (by_person.good, by_person.bad) == (0, 1)


def test_two_bundles_are_two_verdicts(holdfast: Holdfast) -> None:
    kept = said(holdfast)

    for verdict in (True, False):
        holdfast.answers.feedback(bundle_about(holdfast), good=verdict)

    usage = now(holdfast, kept).usage
    assert (usage.good, usage.bad, usage.access_count) == (1, 1, 2)


@requirement("input.refused-with-advice")
def test_a_bundle_that_does_not_exist_is_said_to_be_missing(holdfast: Holdfast) -> None:
    for ask in (holdfast.answers.replay, holdfast.answers.shown):
        with pytest.raises(NoSuchError, match="No bundle has the id c_nothing"):
            ask("c_nothing")
    with pytest.raises(NoSuchError):
        holdfast.answers.feedback("m_nothing", good=True)
