"""A store in a file whose folder is not there any more, as with a disk that was taken away."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.surfaces.http.options import ServeOptions
from tests.builders import NOON, a_memory
from tests.http.conftest import Home, client, running
from tests.requirements import requirement


@requirement("store.open-store-made-once")
def test_a_server_whose_home_is_gone_makes_no_other_store(tmp_path: Path) -> None:
    home, aside = tmp_path / "home", tmp_path / "aside"
    token = Home(home).token(PrincipalKind.PERSON)
    claim = {"claim": "Tokens rotate hourly.", "because": "Seen."}
    with running(ServeOptions(home=str(home), address="")) as url, client(url, token) as caller:
        before = caller.post("/v1/memories", json=claim)
        home.rename(aside)
        gone = caller.get("/v1/memories")
        is_made = (home / "holdfast.db").exists()
        aside.rename(home)
        after = caller.get("/v1/memories")

    assert before.status_code == 201
    assert (gone.status_code, gone.json()["code"]) == (503, "store-unreadable")
    assert not is_made
    assert (after.status_code, after.json()["total"]) == (200, 1)


@requirement("store.open-store-made-once")
@pytest.mark.parametrize("what", ["folder", "files"])
def test_a_program_that_has_a_store_open_does_not_write_into_a_new_one(
    what: str, tmp_path: Path
) -> None:
    home, aside = tmp_path / "home", tmp_path / "aside"
    memory = a_memory()
    store = SqliteStore.open(home / "holdfast.db")
    with store.writing(NOON) as tx:
        tx.memories.add(memory, Standing())
    home.rename(aside)
    if what == "files":
        home.mkdir()

    with pytest.raises(StoreUnreadableError, match="cannot be used"), store.writing(NOON) as tx:
        tx.memories.count(Selection())
    with pytest.raises(StoreUnreadableError, match="is gone. Put it back"), store.reading() as tx:
        tx.memories.count(Selection())

    if what == "files":
        rmtree(home)
    aside.rename(home)
    with store.reading() as tx:
        assert tx.memories.get(memory.id) is not None
    store.close()
