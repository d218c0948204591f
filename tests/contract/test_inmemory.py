"""Promises of the reference store alone: correct answers without a file."""

from __future__ import annotations

import threading

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Severity
from tests.builders import NOON
from tests.contract.steps import found, keep, memory_id, numbered, said_nothing


def test_a_second_writer_is_told_that_the_store_is_busy_and_changes_nothing() -> None:
    store = InMemoryStore(longest_wait_seconds=0.01)
    refused: list[StoreBusyError] = []

    def write_beside() -> None:
        with pytest.raises(StoreBusyError) as refusal:
            keep(store, numbered(2))
        refused.append(refusal.value)

    with store.writing(NOON):
        beside = threading.Thread(target=write_beside)
        beside.start()
        beside.join()
    keep(store, numbered(1))

    assert len(refused) == 1
    assert found(store, Selection()) == [memory_id(1)]


def test_it_says_that_it_lives_in_memory() -> None:
    upkeep = InMemoryStore().upkeep

    assert upkeep.facts().backend == "memory"
    assert [finding.severity for finding in upkeep.check(said_nothing)] == [Severity.OK]
    with pytest.raises(NotOfferedError, match="'repair': it lives in memory"):
        upkeep.repair(said_nothing)
