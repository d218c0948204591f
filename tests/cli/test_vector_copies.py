"""Vectors are copied between vector stores, and every row is compared by its hash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from tests.chroma_server import ServerProcess, a_server, install, needs_chroma
from tests.cli.program import Program
from tests.contract.test_vector_stores import fill
from tests.hook.caller import keep
from tests.postgres_server import server
from tests.requirements import requirement


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ServerProcess]:
    with a_server(tmp_path / "chroma") as started:
        yield started


def filled(program: Program) -> Program:
    """Return the program with vectors in its store."""
    keep(program, "A walrus sleeps here.")
    store = SqliteStore.open(Path(program("status", "--json").well().json["store"]["location"]))
    fill(store, 40)
    store.close()
    return program


@requirement("vectors.copied")
@needs_chroma
def test_vectors_move_to_a_server_and_back(newcomer: Program, chroma: ServerProcess) -> None:
    program = filled(newcomer)

    behind = program("store", "compare", chroma.setting)
    there = program("store", "copy", chroma.setting, "--use", "--json").well().json
    again = program("store", "copy", chroma.setting).well()
    same = program("store", "compare", chroma.setting).well()
    setting = program("config", "get", "recall.index").well().out
    back = program("store", "copy", "sidecar", "--use").well()
    gone = program("store", "compare", chroma.setting)

    assert behind.code == 1
    assert there["same"]
    assert there["tables"][0]["rows"] == 40
    assert "All 40 rows are equal." in again.err
    assert "vectors of small@1" in same.out
    assert chroma.setting in setting
    assert "Questions are answered from sidecar now." in back.err
    assert (gone.code, "differs" in gone.out) == (1, True)


@requirement("vectors.copied")
@needs_chroma
def test_vectors_of_a_store_on_postgres_move_to_chroma_and_pgvector(
    newcomer: Program, chroma: ServerProcess, tmp_path: Path
) -> None:
    program = filled(newcomer)
    tenant = uuid4().hex
    program("store", "copy", server().url(), "--to-tenant", tenant).well()
    extra = {"HOLDFAST_STORE": server().url(), "HOLDFAST_TENANT": tenant}
    on_server = replace(program, extra={**program.extra, **extra})

    checked = on_server("store", "compare", "pgvector", "--json").well().json
    moved = on_server("store", "copy", chroma.setting, "--use", "--json").well().json
    back = on_server("store", "copy", "pgvector", "--use").well()

    assert (checked["same"], checked["tables"][0]["rows"]) == (True, 40)
    assert moved["same"]
    assert "All 40 rows are equal." in back.err
    refused = program("store", "copy", "pgvector")
    assert (refused.code, "only in a store on Postgres" in refused.err) == (2, True)


@requirement("vectors.copied")
@needs_chroma
def test_a_server_that_is_away_changes_nothing(newcomer: Program) -> None:
    program = filled(newcomer)

    away = program("store", "copy", "chroma+http://127.0.0.1:9", "--use")

    assert (away.code, "does not answer" in away.err) == (6, True)
    assert "sidecar" in program("config", "get", "recall.index").well().out
    assert program("store", "copy", "./elsewhere", "--use").code == 2


@requirement("vectors.copied")
@needs_chroma
def test_vectors_move_into_a_folder_of_chroma(newcomer: Program, tmp_path: Path) -> None:
    install()
    program = filled(newcomer)

    moved = program("store", "copy", f"chroma:{tmp_path / 'db'}").well()
    same = program("store", "compare", f"chroma:{tmp_path / 'db'}").well()

    assert "To search there" in moved.err
    assert "equal" in same.out


@requirement("store.copied-exactly")
def test_a_copy_into_an_empty_place_speaks_of_no_earlier_run(
    program: Program, tmp_path: Path
) -> None:
    program("remember", "Tokens rotate.", "--because", "I saw it").well()

    copied = program("store", "copy", str(tmp_path / "copy")).well()

    assert copied.err.splitlines()[-1].endswith(" rows are equal.")
    assert "earlier run" not in copied.err
