"""A memory without a disk, and the parts of it a test may want to turn."""

from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from tests.builders import FixedClock, PlainSurroundings, WordCounter


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def surroundings() -> PlainSurroundings:
    return PlainSurroundings(files={"src/app.py": "one\ntwo\nthree\n"})


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


@pytest.fixture
def holdfast(store: InMemoryStore, clock: FixedClock, surroundings: PlainSurroundings) -> Holdfast:
    return Holdfast(store=store, clock=clock, counter=WordCounter(), surroundings=surroundings)
