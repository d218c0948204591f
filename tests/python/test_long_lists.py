"""Lists that are cut say so, and a program can read them to their end."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import InvalidError, ListPart, MemoryStore
from tests.adapters.test_repository import a_repository
from tests.requirements import requirement


@pytest.fixture
def hf(tmp_path: Path) -> Iterator[MemoryStore]:
    with holdfast.open(a_repository(tmp_path / "app"), home=tmp_path / "home") as opened:
        opened.remember_all([f"Owl {number} hunts." for number in range(5)], because="Seen.")
        for number in range(5):
            opened.tasks.add(f"Task {number}")
            opened.session(tool=f"tool-{number}")
        yield opened


LISTS: dict[str, Callable[[Any], Callable[..., ListPart[Any]]]] = {
    "list": lambda hf: hf.list,
    "tasks": lambda hf: hf.tasks.list,
    "sessions": lambda hf: hf.sessions,
}


@requirement("list.goes-on")
@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_read_to_its_end(hf: MemoryStore, name: str) -> None:
    listed = LISTS[name](hf)
    whole = listed()
    part = listed(limit=2)
    parts = [part]
    while part.next:
        part = listed(limit=2, cursor=part.next)
        parts.append(part)

    assert [len(part) for part in parts] == [2, 2, 1]
    assert [one.id for part in parts for one in part] == [one.id for one in whole]
    assert whole.next is None
    assert (whole == tuple(whole), whole[:1] == (whole[0],)) == (True, True)
    with pytest.raises(InvalidError, match="cursor"):
        listed(cursor="made up")
    with pytest.raises(InvalidError, match="cursor must be"):
        listed(cursor=5)


@requirement("list.goes-on")
def test_a_list_of_memories_says_how_many_there_are(hf: MemoryStore) -> None:
    part = hf.list(limit=2)
    again = pickle.loads(pickle.dumps(ListPart(["a"], following="c", total=3)))  # noqa: S301

    assert (part.total, hf.list("owl", limit=2).total) == (5, 5)
    assert (hf.sessions(limit=2).total, hf.tasks.list(limit=2).total) == (None, None)
    assert (again, again.next, again.total) == (("a",), "c", 3)
    with pytest.raises(InvalidError, match="one page"):
        hf.list("owl", cursor=part.next)
