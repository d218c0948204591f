"""A memory without a disk, and the parts of it a test may want to turn."""

from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.usecases.plain_verifier import PlainHistory, PlainIndex, PlainVerifier


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
    return Holdfast(
        principal=ADA,
        store=store,
        clock=clock,
        counter=WordCounter(),
        surroundings=surroundings,
        heuristics=ENGLISH,
    )


@pytest.fixture
def verifier() -> PlainVerifier:
    return PlainVerifier()


@pytest.fixture
def seen(holdfast: Holdfast, verifier: PlainVerifier) -> Holdfast:
    """The same memory in a repository that can be asked."""
    return replace(
        holdfast, verifier=verifier, code_index=PlainIndex(), history_index=PlainHistory()
    )
