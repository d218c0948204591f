"""Anchors: stored with their span, and the memories that cite a span can be listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Anchor
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON, a_reason, a_span, a_tombstone, an_anchor
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement


def put(store: Store, *spans: Span) -> None:
    with store.writing(NOON) as tx:
        for span in spans:
            tx.anchors.spans.put(span)


def kept(store: Store, span_id: str = "s_1") -> Span:
    with store.reading() as tx:
        return tx.anchors.spans.get(SpanId(span_id))


def citing(span_id: str) -> Evidence:
    return a_reason(type=EvidenceType.SPAN, reference=span_id, span=SpanId(span_id))


@requirement("anchor.kept-with-span")
@pytest.mark.parametrize(
    "anchor",
    [
        an_anchor(),
        an_anchor(symbol="Größe.wächst", branch="größe/neu", is_committed=False),
        Anchor(loose_hash="ef" * 32),
        an_anchor(marks=tuple(f"{number:010x}" for number in range(2_000))),
    ],
    ids=["full", "not ASCII", "bare", "long"],
)
def test_an_anchor_reads_back_exactly(store: Store, anchor: Anchor) -> None:
    span = a_span(anchor=anchor)

    put(store, span)

    assert kept(store) == span


@requirement("anchor.kept-with-span")
def test_every_way_to_read_a_span_gives_its_anchor(store: Store) -> None:
    span = a_span(anchor=an_anchor(), pinned=True)
    put(store, span)

    with store.reading() as tx:
        spans = tx.anchors.spans
        assert spans.page(beyond=None, limit=9) == (span,)
        assert spans.pinned(HERE.repo) == (span,)
        assert spans.read([span.id]) == {span.id: span}
        assert spans.within(str(HERE.repo), beyond=None, limit=9) == (span,)


@requirement("anchor.kept-with-span")
def test_a_label_leaves_the_anchor_as_it_was(store: Store) -> None:
    span = a_span(anchor=an_anchor())
    put(store, span)

    put(store, replace(kept(store), label="the rotation", pinned=True))

    assert kept(store) == replace(span, label="the rotation", pinned=True)


def test_a_span_may_get_another_anchor_or_lose_it(store: Store) -> None:
    put(store, a_span(anchor=an_anchor()))
    put(store, a_span(anchor=an_anchor(branch="other")))

    assert kept(store).anchor == an_anchor(branch="other")

    put(store, a_span())

    assert kept(store) == a_span()
    with store.reading() as tx:
        said = [event.action for event in tx.diary.events.about("s_1")]
    assert said == ["span.put", "anchor.put"] * 2 + ["span.put", "anchor.removed"]


@requirement("forget.leaves-no-bytes")
def test_an_anchor_goes_with_the_memory_that_alone_rests_on_it(store: Store) -> None:
    put(store, a_span(anchor=an_anchor()))
    keep(store, numbered(1, evidence=(citing("s_1"),)))

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.anchors.spans.page(beyond=None, limit=9) == ()
    put(store, a_span())
    assert kept(store).anchor is None


def test_those_that_are_here_are_read_and_the_others_left_out(store: Store) -> None:
    put(store, a_span(id=SpanId("s_1")), a_span(id=SpanId("s_2"), anchor=an_anchor()))

    with store.reading() as tx:
        found = tx.anchors.spans.read([SpanId("s_2"), SpanId("s_9"), SpanId("s_1"), SpanId("s_2")])
        nothing = tx.anchors.spans.read([])

    assert found == {
        "s_2": a_span(id=SpanId("s_2"), anchor=an_anchor()),
        "s_1": a_span(id=SpanId("s_1")),
    }
    assert nothing == {}


@requirement("store.pages-never-overlap")
def test_the_spans_of_a_repository_come_by_id_a_page_at_a_time(store: Store) -> None:
    put(store, *(a_span(id=SpanId(f"s_{number}")) for number in (2, 5, 1, 4, 3)))
    put(store, a_span(id=SpanId("s_0"), repo=None), a_span(id=SpanId("s_6"), repo="other"))

    with store.reading() as tx:
        within = tx.anchors.spans.within
        first = within(str(HERE.repo), beyond=None, limit=3)
        second = within(str(HERE.repo), beyond=first[-1].id, limit=3)
        elsewhere = within("nowhere", beyond=None, limit=3)

    assert [span.id for span in first] == ["s_1", "s_2", "s_3"]
    assert [span.id for span in second] == ["s_4", "s_5"]
    assert elsewhere == ()


@requirement("anchor.who-rests-on-it")
def test_the_memories_on_a_span_come_in_the_order_they_came(store: Store) -> None:
    put(store, *(a_span(id=SpanId(f"s_{number}")) for number in range(3)))
    keep(
        store,
        numbered(3, evidence=(citing("s_1"), citing("s_2"))),
        numbered(1, evidence=(citing("s_1"),)),
        numbered(2),
    )
    with store.writing(NOON) as tx:
        tx.anchors.reasons.add(memory_id(2), citing("s_1"))

    with store.reading() as tx:
        found = tx.anchors.spans.citing([SpanId("s_0"), SpanId("s_1"), SpanId("s_2")])

    assert found == {
        "s_0": (),
        "s_1": (memory_id(3), memory_id(1), memory_id(2)),
        "s_2": (memory_id(3),),
    }


@requirement("anchor.who-rests-on-it")
def test_a_forgotten_memory_rests_on_nothing(store: Store) -> None:
    put(store, a_span(pinned=True))
    keep(store, numbered(1, evidence=(citing("s_1"),)), numbered(2, evidence=(citing("s_1"),)))

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.anchors.spans.citing([SpanId("s_1")]) == {"s_1": (memory_id(2),)}
