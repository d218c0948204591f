from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.memory.entry import GENESIS, Event, Head, canonical_json, digest
from tests.requirements import requirement

TEXT = st.text(max_size=20)
EVENTS = st.builds(
    Event,
    sequence=st.integers(1, 2**40),
    at_millis=st.integers(0, 2**45),
    action=TEXT,
    subject=TEXT,
    digest=TEXT,
    previous=TEXT,
)


def another(value: object) -> object:
    return value + 1 if isinstance(value, int) else f"{value}x"


@requirement("event.chain-shows-tampering")
@given(event=EVENTS, name=st.sampled_from([field.name for field in fields(Event)]))
def test_any_change_to_any_field_breaks_the_chain(event: Event, name: str) -> None:
    changed: dict[str, Any] = {name: another(getattr(event, name))}

    altered = replace(event, **changed)

    assert altered.hash != event.hash


@requirement("event.chain-shows-tampering")
@given(one=EVENTS, other=EVENTS)
def test_two_events_share_a_hash_only_when_they_are_one(one: Event, other: Event) -> None:
    assert (one.hash == other.hash) is (one == other)


@given(event=EVENTS)
def test_text_cannot_move_from_one_field_to_the_next_unnoticed(event: Event) -> None:
    moved = replace(event, action=event.action + event.subject, subject="")

    assert (moved.hash == event.hash) is (event.subject == "")


def test_a_chain_begins_with_a_hash_nothing_has() -> None:
    assert Head() == Head(sequence=0, hash=GENESIS)
    assert set(GENESIS) == {"0"}


@given(value=st.dictionaries(TEXT, st.integers() | TEXT | st.lists(TEXT)))
def test_equal_values_have_one_text_whatever_order_they_came_in(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))

    assert canonical_json(turned) == canonical_json(value)
    assert digest(turned) == digest(value)


def test_even_a_lone_surrogate_can_be_hashed() -> None:
    assert digest("\ud800") != digest("\ud801")
