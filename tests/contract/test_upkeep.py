"""Maintenance of an intact store: it reports no fault, and changes no canonical data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Ability, Severity
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tombstone
from tests.contract.steps import found, hits, keep, memory_id, numbered, read, said_nothing
from tests.requirements import requirement

SOUND = {
    "rows": "Every row has the content that was written.",
    "log": "The chain of events is complete.",
    "history": "The log matches the rows.",
    "derived": "The derived data matches the memories.",
}
"""What every store with sealed rows says about itself, in the same words."""


def test_the_facts_name_the_end_of_the_chain(store: Store) -> None:
    keep(store, numbered(1), numbered(2))

    facts = store.upkeep.facts()

    with store.reading() as tx:
        head = tx.diary.events.head()
    assert (facts.events, facts.head) == (head.sequence, head.hash)
    assert facts.location
    assert facts.backend
    assert facts.engine
    assert facts.bytes_on_disk >= 0


@requirement("doctor.says-what-to-do")
def test_a_sound_store_is_found_sound(store: Store) -> None:
    keep(store, numbered(1), numbered(2), standing=Standing(label="DEC-001"))
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    findings = store.upkeep.check(said_nothing)

    assert findings
    assert {finding.severity for finding in findings} <= {Severity.OK, Severity.NOTE}
    said = {finding.check: finding.message for finding in findings if finding.check in SOUND}
    assert said in ({}, SOUND)  # a store in memory has no sealed rows


def test_a_long_task_tells_how_far_it_is(store: Store) -> None:
    keep(store, *(numbered(n) for n in range(5)))
    told: list[tuple[int, int]] = []

    store.upkeep.check(lambda done, total: told.append((done, total)))

    assert told
    assert all(0 <= done <= total for done, total in told)
    assert told[-1][0] == told[-1][1]


@requirement("doctor.says-what-is-not-offered")
def test_a_store_does_what_it_says_it_can_and_refuses_the_rest(store: Store) -> None:
    before = keep(store, numbered(1), numbered(2))
    upkeep = store.upkeep
    work: dict[Ability, Callable[[], object]] = {
        Ability.REPAIR: lambda: upkeep.repair(said_nothing),
        Ability.REBUILD: lambda: upkeep.rebuild(said_nothing),
        Ability.SCRUB: upkeep.scrub,
        Ability.COPY: lambda: upkeep.copying,
    }

    for ability, does in work.items():
        if ability in upkeep.abilities:
            does()
        else:
            with pytest.raises(NotOfferedError, match=ability.value):
                does()

    assert set(work) == set(Ability)
    assert [read(store, record.memory.id) for record in before] == before


@requirement("store.derived-can-be-rebuilt")
def test_what_is_derived_can_be_made_anew(store: Store) -> None:
    keep(store, numbered(1, claim="A walrus."), numbered(2))
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    assert store.upkeep.rebuild(said_nothing) == 1
    assert hits(store, "walrus") == [memory_id(1)]
    assert found(store, Selection()) == [memory_id(1)]


def test_scrubbing_leaves_what_was_not_forgotten(store: Store) -> None:
    before = keep(store, numbered(1), numbered(2))[0]
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    if Ability.SCRUB in store.upkeep.abilities:
        store.upkeep.scrub()

    assert read(store, memory_id(1)) == before
