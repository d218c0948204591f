"""The one-minute story and the documents' commands, as processes, word for word."""

from __future__ import annotations

import pytest

from holdfast.domain.ids import short
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement


@requirement("cli.documented-commands-work")
def test_the_one_minute_story(program: Program) -> None:
    assert "next:" in program.start("init").well().err

    kept = program.bash(
        "holdfast remember --kind gotcha --key refresh-token-rotation"
        " --evidence src/auth/tokens.py:41-58 --ttl 30d"
        ' "Refresh tokens rotate on every use; replaying one revokes the family."'
    ).well()
    told = program.bash(
        'holdfast recall --q "rotate refresh tokens" --budget 2000 --include memory,code --md'
    ).well()

    words = "gotcha  refresh-token-rotation  src/auth/tokens.py:41-58 (fresh)  expires in 30 days"
    assert kept.out == f"{kept.id}  {words}\n"
    assert told.out.startswith("# c_")
    assert f"1. gotcha · refresh-token-rotation [{short(kept.id)}]" in told.out
    assert "   Refresh tokens rotate on every use; replaying one revokes the family." in told.out
    assert "   evidence: src/auth/tokens.py:41-58" in told.out


@requirement("cli.documented-commands-work")
def test_the_commands_of_document_1_work_as_written(filled: Filled) -> None:
    program, bundle_of_a_minute = filled.program, filled.bundle.rpartition("_")[0]

    kept = program.bash(
        'holdfast remember --scope repo --kind gotcha   --key "refresh-token-rotation"'
        f" --from-bundle {bundle_of_a_minute} --ttl 30d"
    ).well()
    recalled = program.bash(
        'holdfast recall --q "rotate refresh tokens" --budget 2000 --include memory,code --md'
    ).well()
    pinned = program.bash(f'holdfast pin --span {filled.span} --label "public API contract"').well()
    forgot = program.bash(f"holdfast forget --id {kept.id} --yes").well()

    assert f"bundle: {filled.bundle}" in kept.out
    assert f"superseded {filled.memory}" in kept.err
    assert short(kept.id) in recalled.out
    assert "public API contract" in pinned.out
    assert forgot.out.startswith(f"forgot {kept.id}")
    assert program("show", kept.id).code == 3


def test_init_twice_changes_nothing_and_never_touches_the_repository(newcomer: Program) -> None:
    first = newcomer("init", "--json").well().json
    files = sorted(str(path) for path in newcomer.folder.rglob("*"))

    again = newcomer("init", "--json").well().json

    assert (first["created"], again["created"]) == (True, False)
    assert first["repo"] == again["repo"]
    assert files == sorted(str(path) for path in newcomer.folder.rglob("*"))


def test_outside_a_repository_memories_are_global(program: Program) -> None:
    outside = Program(home=program.home, folder=program.home.parent)

    assert "none here" in outside("init").well().out
    kept = outside("remember", "--because", "I say", "Global words.", "--json").well().json

    assert kept["memory"]["scope"] == "global"
    assert outside("remember", "--scope", "repo", "--because", "I", "x").code == 2


@pytest.mark.parametrize("place", ["before", "after"])
def test_home_and_folder_may_stand_before_or_after_the_verb(newcomer: Program, place: str) -> None:
    elsewhere = newcomer.home.parent / "elsewhere"
    options = ("--home", str(elsewhere), "-C", str(newcomer.folder))
    nowhere = Program(home=newcomer.home, folder=newcomer.home.parent)

    words = (*options, "init", "--json") if place == "before" else ("init", "--json", *options)
    made = nowhere(*words).well().json

    assert made["store"].startswith(str(elsewhere))
    assert made["branch"] == "main"
    assert not newcomer.home.exists()
