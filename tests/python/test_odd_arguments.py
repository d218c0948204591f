"""Arguments that no store can hold are refused in words, wherever they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import HoldfastError, MemoryStore, WrongTypeError
from holdfast.domain.errors import BadFieldError, BadLifetimeError, UnstorableTextError
from tests.adapters.test_repository import a_repository
from tests.requirements import requirement

HALF = "\ud800"
LOOSE: Any = holdfast


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


FALSY: dict[str, Callable[[Any], Any]] = {
    "label": lambda hf: hf.pin("m_1", label=0),
    "directives": lambda hf: hf.agents.open("bot", directives=[]),
    "config": lambda hf: hf.agents.open("bot", config=0),
    "workspace": lambda hf: hf.agents.open("bot", workspace=0),
    "sensitive": lambda hf: hf.agents.open("bot").remember("Tabs fail.", sensitive="no"),
    "args": lambda hf: hf.agents.open("bot").cycle().propose(tool="ls", args=0),
    "store": lambda _: LOOSE.open(store=0),
    "home": lambda _: LOOSE.open(home=0),
    "folder": lambda _: LOOSE.open(folder=[]),
    "first": lambda _: LOOSE.span("a.py", []),
    "since": lambda hf: hf.run_checks(since=0),
    "commands": lambda hf: hf.session_book.did("i_1", "done", commands=5),
    "paths": lambda hf: hf.session_book.did("i_1", "done", paths=[None]),
    "folder of show": lambda hf: hf.workspaces.show("latest", folder=5),
    "folder of delete": lambda hf: hf.workspaces.delete("latest", folder=0),
    "folder of list": lambda hf: hf.workspaces.list(0),
    "folder as bytes": lambda hf: hf.workspaces.list(b"src"),
    "path": lambda hf: hf.workspaces.diff("latest", path=0),
    "paths of restore": lambda hf: hf.workspaces.restore("latest", paths=5),
    "largest_file": lambda hf: hf.workspaces.snapshot(largest_file=[]),
    "budget": lambda hf: hf.supervise("release", dry_run=True, budget=[]),
    "apply": lambda hf: hf.supervise("release", dry_run=True, apply="no"),
    "key": lambda hf: hf.keys.encrypt_store(0),
}
"""Wrong types that are false, and would pass for an argument that was left out."""


@requirement("python.types-said")
@pytest.mark.parametrize("name", FALSY)
def test_a_value_of_the_wrong_type_is_refused_even_if_it_is_false(
    memory: MemoryStore, name: str
) -> None:
    with pytest.raises(WrongTypeError, match=rf"\b{name.partition(' ')[0]} must be "):
        FALSY[name](memory)


ODD_PLACES = ("", "a\0b", HALF, "x" * 70_000, "~nobody-has-this-name/x")


@requirement("python.types-said")
@pytest.mark.parametrize("place", ODD_PLACES, ids=lambda place: repr(place)[:10])
def test_a_path_that_cannot_be_is_refused_by_its_name(memory: MemoryStore, place: str) -> None:
    calls: dict[str, Callable[[], object]] = {
        "home": lambda: holdfast.open(home=place),
        "folder": lambda: holdfast.open(place),
        "into": lambda: memory.workspaces.restore("latest", into=place),
        "file": lambda: memory.keys.create(file=place),
        "workspace": lambda: memory.agents.open("bot", workspace=place),
    }
    for name, call in calls.items():
        with pytest.raises(BadFieldError, match=f"^The {name} is"):
            call()
    with pytest.raises(HoldfastError):
        holdfast.MemoryService(place)


@requirement("python.types-said")
def test_several_texts_may_be_any_collection(memory: MemoryStore) -> None:
    session = memory.session(tool="bot")

    memory.session_book.did(session.id, "tested", commands=(word for word in ["make", "make test"]))
    memory.session_book.did(session.id, "tested again", commands="make test")

    turns: Any = memory.session_book.show(session.id)["turns"]
    assert [turn["commands"] for turn in turns] == [["make", "make test"], ["make test"]]


def test_numbers_that_cannot_be_are_refused(memory: MemoryStore) -> None:
    with pytest.raises(BadFieldError, match="largest_file must be at least 1"):
        memory.workspaces.snapshot(largest_file=-1)
    with pytest.raises(BadLifetimeError):
        memory.learn(since=timedelta.max)
    with pytest.raises(BadLifetimeError):
        memory.learn(since=timedelta(days=-1))
