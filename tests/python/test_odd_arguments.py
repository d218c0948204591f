"""Arguments that no store can hold are refused in words, wherever they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import MemoryStore
from holdfast.domain.errors import UnstorableTextError
from tests.adapters.test_repository import a_repository
from tests.requirements import requirement

HALF = "\ud800"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with holdfast.open(a_repository(tmp_path / "app"), home=tmp_path / "home") as opened:
        opened.remember("Tokens rotate hourly.", because="We decided it.")
        yield opened


HALVES: dict[str, Callable[[MemoryStore], Any]] = {
    "get": lambda hf: hf.get(HALF),
    "explain": lambda hf: hf.explain(HALF),
    "verify": lambda hf: hf.verify(HALF),
    "list tags": lambda hf: hf.list(tags=[HALF]),
    "list key": lambda hf: hf.list(key=HALF),
    "list source": lambda hf: hf.list(source=HALF),
    "list branch": lambda hf: hf.list(branch=HALF),
    "recall tags": lambda hf: hf.recall("tokens", tags=[HALF]),
    "review": lambda hf: hf.review(HALF),
    "review source": lambda hf: hf.review(source=HALF),
    "undo": lambda hf: hf.undo(HALF),
    "tasks": lambda hf: hf.tasks.show(HALF),
    "tasks graph": lambda hf: hf.tasks.graph(HALF),
    "agents": lambda hf: hf.agents.get(HALF),
    "agents cycles": lambda hf: hf.agents.cycles(HALF),
    "agents export": lambda hf: list(hf.agents.export(HALF)),
    "hydrate": lambda hf: hf.session_book.hydrate(branch=HALF),
}


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("call", HALVES.values(), ids=HALVES)
def test_half_a_character_is_refused_in_words(
    memory: MemoryStore, call: Callable[[MemoryStore], Any]
) -> None:
    with pytest.raises(UnstorableTextError):
        call(memory)
