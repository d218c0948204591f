"""One damaged row: every other row is shown, and a warning names the one that is not."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from holdfast.domain.ids import short
from tests.cli.clones import MEMORY
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement

DAMAGE = [
    "UPDATE memory SET value = value || '.' WHERE id = ?",
    "UPDATE memory SET value = CAST(x'ff41' AS TEXT) WHERE id = ?",
    "UPDATE memory_standing SET pinned = 1 WHERE seq IN (SELECT seq FROM memory WHERE id = ?)",
]
READS = [
    ("list",),
    ("recall", "refresh tokens"),
    ("recall", "--q", "deploy on Tuesdays"),
    ("verify",),
    ("blame", "src/auth/tokens.py:41"),
    ("curate",),
    ("review",),
    ("conflicts",),
    ("journal",),
    ("status",),
    ("session", "list"),
    ("undo", "--list"),
]


def damage(program: Program, statement: str, memory: str) -> None:
    connection = apsw.Connection(str(program.home / "holdfast.db"))
    connection.execute(statement, (memory,))
    connection.close()


@requirement("store.damaged-row-left-out")
@pytest.mark.parametrize("statement", DAMAGE)
def test_every_read_of_many_rows_works_with_a_damaged_one(filled: Filled, statement: str) -> None:
    program = filled.program
    damage(program, statement, filled.memory)

    told = {words: program(*words) for words in READS}
    listed, plain = told["list",], program("list", "--json")

    assert {words: done.code for words, done in told.items() if done.code} == {}
    assert "We deploy on Tuesdays" in listed.out
    assert filled.memory in listed.err
    assert "holdfast doctor" in listed.err
    assert filled.memory in plain.err
    assert short(filled.other) in told["recall", "--q", "deploy on Tuesdays"].out


@requirement("store.damaged-row-left-out")
@pytest.mark.parametrize("statement", DAMAGE)
@pytest.mark.parametrize("words", [(), ("--here",)])
def test_an_export_writes_the_rest_and_says_what_it_left_out(
    filled: Filled, tmp_path: Path, statement: str, words: tuple[str, ...]
) -> None:
    program, file = filled.program, tmp_path / "backup.jsonl"
    damage(program, statement, filled.memory)

    to_file, to_stdout = program("export", *words, str(file)), program("export", *words)
    lines = file.read_text(encoding="utf-8").splitlines()

    assert (to_file.code, to_stdout.code) == (6, 6)
    assert filled.memory in to_file.err
    assert "holds everything else" in to_file.err
    assert filled.memory in to_stdout.err
    assert to_stdout.out.splitlines() == lines
    assert [one for one in lines if '"type": "memory"' in one and filled.other in one]
    assert not [one for one in lines if '"type": "memory"' in one and filled.memory in one]


@requirement("store.damaged-row-left-out")
def test_pages_are_not_compared_with_a_damaged_store(filled: Filled) -> None:
    program = filled.program
    program("init", "--files").well()
    program("sync").well()
    pages = {page: page.read_bytes() for page in (program.folder / MEMORY).rglob("*.md")}
    damage(program, DAMAGE[0], filled.memory)

    done = program("sync")

    assert done.code == 6
    assert filled.memory in done.err
    assert {page: page.read_bytes() for page in (program.folder / MEMORY).rglob("*.md")} == pages


@requirement("store.damaged-row-left-out")
def test_links_to_a_damaged_memory_are_left_out(filled: Filled) -> None:
    program = filled.program
    program("link", filled.other, filled.memory, "--kind", "supports").well()
    damage(program, DAMAGE[0], filled.memory)

    told = program("related", filled.other)

    assert told.code == 0
    assert filled.memory in told.err
    assert program("show", filled.memory).code == 6
