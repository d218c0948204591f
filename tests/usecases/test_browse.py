from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Kind, Origin, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Cursor, Page, Selection
from holdfast.domain.recall.bundle import BundleItem, LeftOut
from holdfast.domain.refusals import NotConsideredError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.browse import Browse, SessionPage
from tests.builders import NOON, FixedClock, PlainSurroundings, a_memory, a_turn
from tests.requirements import requirement
from tests.usecases.wishes import asked, bundle_about, proposed, said

RAN = Grounds(given=(Evidence(type=EvidenceType.COMMAND, reference="pytest -q"),))


def test_memories_are_listed_newest_first_page_by_page(holdfast: Holdfast) -> None:
    ids = [said(holdfast, f"Fact {number}.").memory.id for number in range(5)]

    first = holdfast.memories.browse(Browse(page=Page(limit=2)))
    rest = holdfast.memories.browse(Browse(page=Page(limit=9, beyond=first.beyond)))

    assert first.total == 5
    listed = [record.memory.id for record in (*first.records, *rest.records)]
    assert listed == ids[::-1]


def test_words_find_the_best_first_among_those_selected(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    candidate = proposed(holdfast, "Tokens rotate daily.")
    only = Selection(statuses=frozenset({Status.CANDIDATE}))

    found = holdfast.memories.browse(Browse(query="tokens", selection=only))

    assert ([record.memory.id for record in found.records], found.total) == (
        [candidate.memory.id],
        1,
    )


@requirement("list.total-counts-all")
@pytest.mark.parametrize("limit", [1, 3, 4, 50])
def test_the_total_of_a_search_by_words_does_not_depend_on_the_limit(
    holdfast: Holdfast, limit: int
) -> None:
    for day in ("Mondays", "Tuesdays", "Fridays", "Sundays"):
        said(holdfast, f"Tokens rotate on {day}.")

    found = holdfast.memories.browse(Browse(query="tokens", page=Page(limit=limit)))

    assert (len(found.records), found.total) == (min(limit, 4), 4)


@requirement("recall.stop-words-say-nothing")
@pytest.mark.parametrize("query", ["how do I bake the bread", "what is it", "the"])
def test_stop_words_find_nothing_in_a_list(holdfast: Holdfast, query: str) -> None:
    said(holdfast, "How the tokens rotate: what I do is in the runbook.")

    assert holdfast.memories.browse(Browse(query=query)).total == 0


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    ("page", "field"),
    [(Page(limit=2, oldest_first=True), "oldest first"), (Page(beyond=Cursor("2")), "cursor")],
)
def test_a_search_has_one_page_and_one_order(holdfast: Holdfast, page: Page, field: str) -> None:
    with pytest.raises(BadFieldError) as refused:
        holdfast.memories.browse(Browse(query="tokens", page=page))

    assert refused.value.facts["field"] == field


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("limit", [0, -5, 1_001])
def test_a_page_of_nothing_or_of_too_much_is_refused(holdfast: Holdfast, limit: int) -> None:
    with pytest.raises(BadFieldError, match="between 1 and 1,000"):
        holdfast.memories.browse(Browse(page=Page(limit=limit)))
    with pytest.raises(BadFieldError, match="between 1 and 1,000"):
        holdfast.sessions.latest(limit=limit)


def test_anything_is_shown_by_the_letter_of_its_id(holdfast: Holdfast) -> None:
    kept = said(holdfast, grounds=Grounds(places=("src/app.py:1",)))
    (span,) = holdfast.memories.explain(kept.memory.id).spans
    bundle = asked(holdfast).bundle
    session = holdfast.sessions.start(tool="cli", user="ada")
    turn = holdfast.sessions.add_turn(session.id, a_turn())

    assert holdfast.memories.show(span.id) == span
    assert holdfast.memories.show(bundle.id) == bundle
    page = SessionPage(session=session, turns=(replace(turn, number=0),))
    assert holdfast.memories.show(session.id) == page


@requirement("explain.full-chain")
def test_the_chain_leads_from_a_claim_through_its_bundle_to_its_sources(
    holdfast: Holdfast,
) -> None:
    root = said(holdfast, grounds=Grounds(places=("src/app.py:2",)))
    bundle = bundle_about(holdfast)
    middle = said(holdfast, "Hourly it is.", grounds=Grounds(from_bundle=bundle))
    leaf = said(
        holdfast, "So be it.", grounds=Grounds(because="So.", derived_from=(middle.memory.id,))
    )

    chain = holdfast.memories.explain(leaf.memory.id)

    (parent,) = chain.derived_from
    (grandparent,) = parent.derived_from
    assert [cited.id for cited in parent.bundles] == [bundle]
    assert grandparent.record.memory == root.memory
    assert [span.reference for span in grandparent.spans] == ["src/app.py:2"]
    assert [event.action for event in chain.events] == ["memory.added"]


@requirement("explain.full-chain")
def test_a_chain_of_fifty_is_followed_to_its_end(holdfast: Holdfast) -> None:
    parents: tuple[str, ...] = ()
    for number in range(50):
        grounds = Grounds(because="So.", derived_from=parents)
        parents = (said(holdfast, f"Step {number}.", grounds=grounds).memory.id,)

    chain, depth = holdfast.memories.explain(parents[0]), 1
    while chain.derived_from:
        (chain,) = chain.derived_from
        depth += 1

    assert depth == 50


@requirement("explain.full-chain")
def test_a_parent_met_twice_is_named_twice_and_a_circle_ends(holdfast: Holdfast) -> None:
    root = said(holdfast, "Root.")
    middle = said(
        holdfast, "Middle.", grounds=Grounds(because="So.", derived_from=(root.memory.id,))
    )
    both = (middle.memory.id, root.memory.id)
    leaf = said(holdfast, "Leaf.", grounds=Grounds(because="So.", derived_from=both))
    holdfast.memories.link(Link(src=root.memory.id, dst=leaf.memory.id, kind="derived-from"))

    chain = holdfast.memories.explain(leaf.memory.id)

    assert {parent.record.memory.id for parent in chain.derived_from} == set(both)


def test_evidence_that_leads_nowhere_does_not_hide_the_rest(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    broken = (
        Evidence(type=EvidenceType.BUNDLE, reference="c_"),
        Evidence(type=EvidenceType.BUNDLE, reference="m_1"),
        Evidence(type=EvidenceType.SPAN, reference="a.py:1", span=SpanId("s_gone")),
        Evidence(type=EvidenceType.SPAN, reference="a.py:1", span=SpanId("m_1")),
    )
    bundle_about(holdfast)
    with store.writing(NOON) as tx:
        tx.memories.add(a_memory(id=MemoryId("m_1"), evidence=broken), Standing())

    chain = holdfast.memories.explain("m_1")

    assert (chain.spans, chain.bundles) == ((), ())
    assert chain.record.evidence == broken


@requirement("bundle.left-out-explained")
def test_a_bundle_says_what_it_did_with_a_memory(holdfast: Holdfast) -> None:
    first, third = said(holdfast, "Tokens alpha."), said(holdfast, "Tokens gamma.")
    second = said(holdfast, "Tokens delta.")
    bundle = bundle_about(holdfast, limit=1)

    inside = holdfast.memories.explain_in_bundle(bundle, first.memory.id)
    outside = holdfast.memories.explain_in_bundle(bundle[:-1], second.memory.id)
    also_outside = holdfast.memories.explain_in_bundle(bundle, third.memory.id)

    assert isinstance(inside.item, BundleItem)
    assert (inside.rank, inside.record is not None) == (1, True)
    assert isinstance(outside.item, LeftOut)
    assert also_outside.rank is None
    assert (outside.rank, outside.item.why) == (None, "beyond the 1 items asked for")


def test_a_memory_the_bundle_did_not_consider_is_said_to_be_that(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    bundle = bundle_about(holdfast)
    clock.advance(seconds=1)
    later = said(holdfast)

    with pytest.raises(NotConsideredError, match="after the question was asked"):
        holdfast.memories.explain_in_bundle(bundle, later.memory.id)


@requirement("recall.silence-explained")
@pytest.mark.parametrize(
    ("changes", "question", "why"),
    [
        ({"origin": Origin.AGENT, "grounds": RAN}, {}, "it is candidate, and only accepted"),
        ({"keep_for": timedelta(seconds=1)}, {}, "it had ended by then"),
        ({}, {"kinds": (Kind.DECISION,)}, "other kinds, scopes or tags"),
        ({"claim": "Lunch is at noon."}, {}, "did not find it by its words, by its meaning"),
    ],
)
def test_a_memory_that_was_never_considered_says_why(
    holdfast: Holdfast,
    clock: FixedClock,
    changes: dict[str, Any],
    question: dict[str, Any],
    why: str,
) -> None:
    record = said(holdfast, **changes)
    clock.advance(minutes=1)
    bundle = bundle_about(holdfast, **question)

    with pytest.raises(NotConsideredError, match=why):
        holdfast.memories.explain_in_bundle(bundle, record.memory.id)


@requirement("recall.silence-explained")
def test_a_memory_of_another_place_says_that_it_does_not_reach_the_question(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    record = said(holdfast)
    surroundings.at = replace(surroundings.at, repo="github.com/acme/other")
    bundle = bundle_about(holdfast)

    with pytest.raises(NotConsideredError, match="does not reach the place"):
        holdfast.memories.explain_in_bundle(bundle, record.memory.id)
