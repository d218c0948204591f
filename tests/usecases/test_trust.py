from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Origin, least_trusted
from holdfast.domain.memory.evidence import Evidence
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement
from tests.usecases.wishes import a_wish, an_agents_wish, approve, bundle_about, now, proposed, said


@requirement("trust.never-rises")
def test_a_persons_claim_from_a_bundle_is_trusted_like_the_least_of_its_items(
    holdfast: Holdfast,
) -> None:
    said(holdfast, "Tokens rotate hourly.")
    from_web = proposed(holdfast, "Tokens are signed.", origin=Origin.WEB)
    approve(holdfast, from_web.memory.id, by="ada")
    bundle = bundle_about(holdfast)
    cited = Evidence(type=EvidenceType.BUNDLE, reference=bundle)

    named = said(holdfast, "Hourly it is.", grounds=Grounds(from_bundle=bundle))
    by_hand = said(holdfast, "Daily it is.", grounds=Grounds(given=(cited,)))

    assert {named.memory.origin, by_hand.memory.origin} == {Origin.HUMAN}
    assert {named.memory.trust, by_hand.memory.trust} == {Origin.WEB}


@requirement("trust.never-rises")
def test_approval_does_not_raise_trust(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast, origin=Origin.TOOL)

    approved = approve(holdfast, candidate.memory.id, by="ada")

    assert (approved.memory.origin, approved.memory.trust) == (Origin.TOOL, Origin.TOOL)


@requirement("trust.never-rises")
def test_what_derives_from_a_forgotten_memory_is_trusted_least(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    bundle = bundle_about(holdfast)
    holdfast.memories.forget(Forget(reference=kept.memory.id))

    derived = said(holdfast, "It was hourly.", grounds=Grounds(from_bundle=bundle))

    assert derived.memory.trust is Origin.WEB


@requirement("trust.never-rises")
def test_evidence_from_a_less_trusted_speaker_leaves_the_memory_as_it_was(
    holdfast: Holdfast,
) -> None:
    kept = said(holdfast)

    proposed(holdfast, origin=Origin.WEB)

    assert now(holdfast, kept).memory == kept.memory


@requirement("trust.never-rises")
@settings(max_examples=40)
@given(
    lineage=st.lists(
        st.tuples(st.sampled_from(list(Origin)), st.sets(st.integers(0, 11), max_size=4)),
        min_size=1,
        max_size=12,
    )
)
def test_trust_is_the_least_over_any_lineage(lineage: list[tuple[Origin, set[int]]]) -> None:
    holdfast = Holdfast(
        principal=ADA,
        store=InMemoryStore(),
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
    )
    trusts: list[Origin] = []
    ids: list[str] = []
    for number, (origin, chosen) in enumerate(lineage):
        parents = sorted(parent for parent in chosen if parent < number)
        grounds = Grounds(because="So.", derived_from=tuple(ids[parent] for parent in parents))
        base = a_wish() if origin is Origin.HUMAN else an_agents_wish(origin=origin)

        kept = holdfast.memories.remember(
            replace(base, claim=f"Claim {number}.", grounds=grounds)
        ).record

        expected = least_trusted([origin, *(trusts[parent] for parent in parents)])
        assert kept.memory.trust is expected
        trusts.append(kept.memory.trust)
        ids.append(kept.memory.id)


@requirement("explain.full-chain")
@pytest.mark.parametrize("many", [1, 30])
def test_every_parent_is_in_the_chain_however_many(holdfast: Holdfast, many: int) -> None:
    parents = tuple(said(holdfast, f"Fact {number}.").memory.id for number in range(many))

    child = said(holdfast, "All of it.", grounds=Grounds(because="So.", derived_from=parents))

    chain = holdfast.memories.explain(child.memory.id)
    assert {parent.record.memory.id for parent in chain.derived_from} == set(parents)
