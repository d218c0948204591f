"""Spans: the places in files that evidence cites."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import SpanId
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON, a_span
from tests.requirements import requirement


@requirement("store.reads-back-exactly")
def test_a_span_reads_back_exactly(store: Store) -> None:
    span = a_span(path="src/größe.py", repo=None, label="é", pinned=True)
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(span)

    with store.reading() as tx:
        assert tx.anchors.spans.get(span.id) == span


def test_a_label_and_a_pin_are_written_over_the_span(store: Store) -> None:
    pinned = replace(a_span(), label="the rotation", pinned=True)
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(a_span())
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(pinned)

    with store.reading() as tx:
        assert tx.anchors.spans.page(beyond=None, limit=9) == (pinned,)


def test_an_unknown_span_is_named_in_the_refusal(store: Store) -> None:
    with store.reading() as tx, pytest.raises(NoSuchError, match="No span has the id s_9"):
        tx.anchors.spans.get(SpanId("s_9"))


@requirement("store.pages-never-overlap")
def test_spans_come_by_id_a_page_at_a_time(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (2, 5, 1, 4, 3):
            tx.anchors.spans.put(a_span(id=SpanId(f"s_{number}")))

    with store.reading() as tx:
        first = tx.anchors.spans.page(beyond=None, limit=3)
        second = tx.anchors.spans.page(beyond=first[-1].id, limit=3)

    assert [span.id for span in first] == ["s_1", "s_2", "s_3"]
    assert [span.id for span in second] == ["s_4", "s_5"]


@requirement("span.pinned-found-again")
def test_the_pinned_spans_of_a_repository_are_found(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(a_span(id=SpanId("s_2"), pinned=True))
        tx.anchors.spans.put(a_span(id=SpanId("s_1"), pinned=True))
        tx.anchors.spans.put(a_span(id=SpanId("s_3")))
        tx.anchors.spans.put(a_span(id=SpanId("s_4"), repo="other", pinned=True))
        tx.anchors.spans.put(a_span(id=SpanId("s_5"), repo=None, pinned=True))

    with store.reading() as tx:
        assert [span.id for span in tx.anchors.spans.pinned(HERE.repo)] == ["s_1", "s_2"]
        assert [span.id for span in tx.anchors.spans.pinned(None)] == ["s_5"]
