from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryUpkeep
from holdfast.app import Holdfast
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.checks.outcome import CheckOutcome, CheckState
from holdfast.domain.errors import (
    ForgottenError,
    NeedsPersonError,
    NoSuchError,
    StoreBusyError,
)
from holdfast.domain.memory.link import Link
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Ability, Severity
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from tests.builders import ADA, AN_AGENT, FixedClock, PlainSurroundings, WordCounter
from tests.contract.steps import said_nothing
from tests.requirements import requirement
from tests.usecases.wishes import asked, bundle_about, given, now, proposed, reject, said


@requirement("forget.leaves-no-bytes")
def test_no_word_of_a_forgotten_claim_stays_anywhere(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    kept = said(holdfast, "The zebra sleeps.", key="zebra-sleep", label="Z-1")
    bundle_about(holdfast, "who sleeps?")

    gone = holdfast.memories.forget(Forget(reference=kept.memory.id, by="ada", reason="asked to"))

    assert (gone.record.memory, gone.dry_run) == (kept.memory, False)
    for word in ("zebra", "Z-1"):
        assert word not in repr(store)


@requirement("forget.leaves-no-bytes")
def test_no_word_of_the_checks_of_a_forgotten_memory_stays_in_answers_and_questions(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    check = "must not match `zebra-stripes` in src/**"
    kept = said(holdfast, "Animals sleep.", checks=(check,))
    other = said(holdfast, "Animals eat.")
    bundle = asked(holdfast, "What do animals do?").bundle
    outcome = CheckOutcome(text=check, state=CheckState.BROKEN)
    items = tuple(replace(one, outcomes=(outcome,)) for one in bundle.items)
    assert {one.memory_id for one in items} == {kept.memory.id, other.memory.id}
    with store.writing(kept.memory.created_at) as tx:
        tx.bundles.put(replace(bundle, items=items))
    bundle_about(holdfast, f"Which animals {check}?")

    holdfast.memories.forget(Forget(reference=kept.memory.id, by="ada"))

    with store.reading() as tx:
        found = {one.memory_id: one.outcomes for one in tx.bundles.get(bundle.id).items}
        questions = [one.question.text for one in tx.bundles.page(beyond=None, limit=9)]
    assert found == {kept.memory.id: (), other.memory.id: (outcome,)}
    assert [one for one in questions if "zebra" in one] == []


@requirement("forget.leaves-tombstone")
def test_a_forgotten_memory_is_not_recalled_shown_or_explained_but_said_to_be_gone(
    holdfast: Holdfast,
) -> None:
    kept = said(holdfast)
    name = kept.memory.id
    holdfast.memories.forget(Forget(reference=name))

    assert given(holdfast) == []
    for reference in (name, name[:-1]):
        with pytest.raises(ForgottenError, match="2026-11-15"):
            holdfast.memories.show(reference)
        with pytest.raises(ForgottenError):
            holdfast.memories.explain(reference)
        with pytest.raises(ForgottenError):
            holdfast.memories.forget(Forget(reference=reference))


@requirement("forget.leaves-tombstone")
def test_a_bundle_that_gave_it_can_be_shown_replayed_rated_and_explained(
    holdfast: Holdfast,
) -> None:
    kept, other = said(holdfast), said(holdfast, "Tokens are signed.")
    bundle = bundle_about(holdfast)
    holdfast.memories.forget(Forget(reference=kept.memory.id))

    shown, replay = holdfast.answers.shown(bundle), holdfast.answers.replay(bundle)
    holdfast.answers.feedback(bundle, good=True)

    assert "forgotten since" in shown.markdown()
    assert replay.lost == (kept.memory.id,)
    assert now(holdfast, other).usage.good == 1
    with pytest.raises(ForgottenError):
        holdfast.memories.explain_in_bundle(bundle, kept.memory.id)


@requirement("explain.full-chain")
def test_what_a_claim_derived_from_is_named_as_gone(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    bundle = bundle_about(holdfast)
    child = said(holdfast, "Hourly it is.", grounds=Grounds(from_bundle=bundle))
    holdfast.memories.forget(Forget(reference=kept.memory.id))

    chain = holdfast.memories.explain(child.memory.id)

    assert (chain.gone, chain.derived_from) == ((kept.memory.id,), ())
    assert [cited.id for cited in chain.bundles] == [bundle]


@requirement("forget.dry-run-changes-nothing")
def test_a_dry_run_shows_what_would_go_and_changes_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    holdfast.memories.link(Link(src=one.memory.id, dst=other.memory.id, kind="about"))
    before = repr(store)

    would = holdfast.memories.forget(Forget(reference=one.memory.id, dry_run=True))

    assert (would.record.memory, would.links, would.dry_run) == (one.memory, 1, True)
    assert repr(store) == before


def test_its_links_go_with_it(holdfast: Holdfast) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    holdfast.memories.link(Link(src=one.memory.id, dst=other.memory.id, kind="about"))

    holdfast.memories.forget(Forget(reference=one.memory.id))

    assert holdfast.memories.related(other.memory.id) == []


@requirement("mcp.agents-only-propose")
def test_an_agent_may_take_back_a_proposal_and_nothing_else(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast, source="mcp:bot")
    accepted = said(holdfast, "Keys rotate daily.")
    rejected = proposed(holdfast, "Locks rotate weekly.")
    reject(holdfast, rejected.memory.id, by="ada")

    agent = replace(holdfast, principal=AN_AGENT)
    agent.memories.withdraw(Forget(reference=candidate.memory.id, by="mcp:bot"))

    for decided in (accepted, rejected):
        for dry_run in (False, True):
            with pytest.raises(NeedsPersonError, match="an agent cannot delete it"):
                agent.memories.withdraw(Forget(reference=decided.memory.id, dry_run=dry_run))
        with pytest.raises(MayNotError, match="only a person may forget"):
            agent.memories.forget(Forget(reference=decided.memory.id))
        assert agent.memories.forget(Forget(reference=decided.memory.id, dry_run=True)).dry_run


def test_what_superseded_it_stays_when_the_old_claim_is_forgotten(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    old = said(holdfast, "Tokens rotate hourly.", key="rotation")
    new = said(holdfast, "Tokens rotate daily.", key="rotation")

    holdfast.memories.forget(Forget(reference=old.memory.id))

    assert given(holdfast) == [new.memory.id]
    assert holdfast.memories.explain(new.memory.id).replaced == ()


def test_forgetting_the_newer_claim_does_not_bring_the_old_one_back(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.", key="rotation")
    new = said(holdfast, "Tokens rotate daily.", key="rotation")

    holdfast.memories.forget(Forget(reference=new.memory.id))

    assert given(holdfast) == []


@requirement("input.refused-with-advice")
def test_forgetting_what_is_not_there_says_so(holdfast: Holdfast) -> None:
    with pytest.raises(NoSuchError, match="m_nothing"):
        holdfast.memories.forget(Forget(reference="m_nothing"))


class WatchedUpkeep(InMemoryUpkeep):
    def scrub(self) -> None:
        raise StoreBusyError


class WatchedStore(InMemoryStore):
    """A store that somebody keeps reading, so its log cannot be emptied now."""

    @property
    def upkeep(self) -> InMemoryUpkeep:
        return WatchedUpkeep(super().upkeep.state)


def opened(store: InMemoryStore, clock: FixedClock) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store,
        clock=clock,
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
    )


@requirement("forget.leaves-no-bytes")
def test_what_stands_in_the_way_of_the_last_bytes_is_said(clock: FixedClock) -> None:
    watched = opened(WatchedStore(), clock)
    kept = said(watched)

    gone = watched.memories.forget(Forget(reference=kept.memory.id))

    assert "kept the store locked for too long" in gone.not_yet
    assert given(watched) == []


class ServedUpkeep(InMemoryUpkeep):
    """The upkeep of a store whose files somebody else looks after."""

    @property
    def abilities(self) -> frozenset[Ability]:
        return frozenset()

    def scrub(self) -> None:
        raise NotOfferedError(Ability.SCRUB, backend="server", why="whoever runs it does that.")


class ServedStore(InMemoryStore):
    @property
    def upkeep(self) -> InMemoryUpkeep:
        return ServedUpkeep(super().upkeep.state)


@requirement("doctor.says-what-is-not-offered")
def test_a_store_that_cannot_scrub_says_that_bytes_may_stay(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    kept = said(holdfast)
    served = opened(ServedStore(), clock)
    served.exchange.bring_in(list(holdfast.exchange.export()))
    holdfast.memories.forget(Forget(reference=kept.memory.id))

    brought = served.exchange.bring_in(list(holdfast.exchange.export()))
    gone = served.memories.forget(
        Forget(reference=said(served, "Deploys need a review.").memory.id)
    )

    assert brought.forgotten == 1
    assert "ask its operator" in gone.not_yet
    assert given(served) == []


@requirement("doctor.says-what-is-not-offered")
def test_a_check_notes_each_sort_of_upkeep_that_is_not_offered(clock: FixedClock) -> None:
    served = opened(ServedStore(), clock)

    findings = served.upkeep.check(said_nothing)

    assert [one.check for one in findings[1:]] == [ability.value for ability in Ability]
    assert {one.severity for one in findings[1:]} == {Severity.NOTE}
