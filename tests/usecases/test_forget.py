from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.inmemory.upkeep import InMemoryUpkeep
from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.errors import (
    ForgottenError,
    NeedsPersonError,
    NoSuchError,
    StoreBusyError,
)
from holdfast.domain.link import Link
from holdfast.usecases.forget import Forget
from holdfast.usecases.gather import Grounds
from tests.builders import FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement
from tests.usecases.wishes import bundle_about, given, now, proposed, said


@requirement("forget.leaves-no-bytes")
def test_no_word_of_a_forgotten_claim_stays_anywhere(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    kept = said(holdfast, "The zebra sleeps.", key="zebra-sleep", label="Z-1")
    bundle_about(holdfast, "who sleeps?")

    gone = holdfast.forget(Forget(reference=kept.memory.id, by="ada", reason="asked to"))

    assert (gone.record.memory, gone.dry_run) == (kept.memory, False)
    for word in ("zebra", "Z-1"):
        assert word not in repr(store)


@requirement("forget.leaves-tombstone")
def test_a_forgotten_memory_is_not_recalled_shown_or_explained_but_said_to_be_gone(
    holdfast: Holdfast,
) -> None:
    kept = said(holdfast)
    name = kept.memory.id
    holdfast.forget(Forget(reference=name))

    assert given(holdfast) == []
    for reference in (name, name[:-1]):
        with pytest.raises(ForgottenError, match="2026-11-15"):
            holdfast.show(reference)
        with pytest.raises(ForgottenError):
            holdfast.explain(reference)
        with pytest.raises(ForgottenError):
            holdfast.forget(Forget(reference=reference))


@requirement("forget.leaves-tombstone")
def test_a_bundle_that_gave_it_can_be_shown_replayed_rated_and_explained(
    holdfast: Holdfast,
) -> None:
    kept, other = said(holdfast), said(holdfast, "Tokens are signed.")
    bundle = bundle_about(holdfast)
    holdfast.forget(Forget(reference=kept.memory.id))

    shown, replay = holdfast.shown(bundle), holdfast.replay(bundle)
    holdfast.feedback(bundle, good=True)

    assert "forgotten since" in shown.markdown()
    assert replay.lost == (kept.memory.id,)
    assert now(holdfast, other).usage.good == 1
    with pytest.raises(ForgottenError):
        holdfast.explain_in_bundle(bundle, kept.memory.id)


@requirement("explain.full-chain")
def test_what_a_claim_derived_from_is_named_as_gone(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    bundle = bundle_about(holdfast)
    child = said(holdfast, "Hourly it is.", grounds=Grounds(from_bundle=bundle))
    holdfast.forget(Forget(reference=kept.memory.id))

    chain = holdfast.explain(child.memory.id)

    assert (chain.gone, chain.derived_from) == ((kept.memory.id,), ())
    assert [cited.id for cited in chain.bundles] == [bundle]


@requirement("forget.dry-run-changes-nothing")
def test_a_dry_run_shows_what_would_go_and_changes_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    holdfast.link(Link(src=one.memory.id, dst=other.memory.id, kind="about"))
    before = repr(store)

    would = holdfast.forget(Forget(reference=one.memory.id, dry_run=True))

    assert (would.record.memory, would.links, would.dry_run) == (one.memory, 1, True)
    assert repr(store) == before


def test_its_links_go_with_it(holdfast: Holdfast) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")
    holdfast.link(Link(src=one.memory.id, dst=other.memory.id, kind="about"))

    holdfast.forget(Forget(reference=one.memory.id))

    assert holdfast.related(other.memory.id) == []


@requirement("mcp.agents-only-propose")
def test_an_agent_may_take_back_a_proposal_and_nothing_else(holdfast: Holdfast) -> None:
    candidate, accepted = proposed(holdfast), said(holdfast, "Keys rotate daily.")
    rejected = proposed(holdfast, "Locks rotate weekly.")
    holdfast.reject(rejected.memory.id, by="ada")

    holdfast.forget(Forget(reference=candidate.memory.id, origin=Origin.AGENT))

    for decided in (accepted, rejected):
        for dry_run in (False, True):
            with pytest.raises(NeedsPersonError, match="an agent cannot delete it"):
                holdfast.forget(
                    Forget(reference=decided.memory.id, origin=Origin.AGENT, dry_run=dry_run)
                )


def test_what_superseded_it_stays_when_the_old_claim_is_forgotten(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    old = said(holdfast, "Tokens rotate hourly.", key="rotation")
    new = said(holdfast, "Tokens rotate daily.", key="rotation")

    holdfast.forget(Forget(reference=old.memory.id))

    assert given(holdfast) == [new.memory.id]
    assert holdfast.explain(new.memory.id).replaced == ()


def test_forgetting_the_newer_claim_does_not_bring_the_old_one_back(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.", key="rotation")
    new = said(holdfast, "Tokens rotate daily.", key="rotation")

    holdfast.forget(Forget(reference=new.memory.id))

    assert given(holdfast) == []


@requirement("input.refused-with-advice")
def test_forgetting_what_is_not_there_says_so(holdfast: Holdfast) -> None:
    with pytest.raises(NoSuchError, match="m_nothing"):
        holdfast.forget(Forget(reference="m_nothing"))


class WatchedUpkeep(InMemoryUpkeep):
    def scrub(self) -> None:
        raise StoreBusyError


class WatchedStore(InMemoryStore):
    """A store that somebody keeps reading, so its log cannot be emptied now."""

    @property
    def upkeep(self) -> InMemoryUpkeep:
        return WatchedUpkeep(super().upkeep.state)


@requirement("forget.leaves-no-bytes")
def test_what_stands_in_the_way_of_the_last_bytes_is_said(clock: FixedClock) -> None:
    watched = Holdfast(
        store=WatchedStore(), clock=clock, counter=WordCounter(), surroundings=PlainSurroundings()
    )
    kept = said(watched)

    gone = watched.forget(Forget(reference=kept.memory.id))

    assert "kept the store locked for too long" in gone.not_yet
    assert given(watched) == []
