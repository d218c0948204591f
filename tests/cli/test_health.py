"""status, doctor, rebuild, config: the store and the settings."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from holdfast.adapters.machine.settings import SETTINGS
from holdfast.domain.ids import short
from holdfast.domain.review.curation import HealthFinding, Repair, Severity
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.rights import drop_root_rights

AGENT = {"HOLDFAST_ORIGIN": "agent"}


def lose_the_newest(program: Program) -> None:
    """Put an older file in the place of the store."""
    store = program.home / "holdfast.db"
    program("remember", "--because", "x", "--scope", "global", "Walruses rest.").well()
    older = store.read_bytes()
    program("remember", "--because", "x", "--scope", "global", "Herons wade.").well()
    store.write_bytes(older)


@requirement("store.every-verb-warns")
@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("status",),
        ("recall", "walruses"),
        ("review",),
        ("conflicts",),
        ("remember", "--because", "x", "--scope", "global", "Otters play."),
    ],
)
def test_every_verb_says_once_that_the_newest_changes_are_lost(
    program: Program, words: tuple[str, ...]
) -> None:
    lose_the_newest(program)

    plain, shaped = program(*words), program(*words, "--json")

    assert plain.err.count("the newest changes are lost") == 1
    assert "doctor --repair" in plain.err
    assert shaped.err.count("the newest changes are lost") == 1
    assert "the newest changes are lost" not in shaped.out


@requirement("store.every-verb-warns")
def test_doctor_says_it_once_and_a_repair_ends_it(program: Program) -> None:
    lose_the_newest(program)

    told = program("doctor")
    program("doctor", "--repair").well()

    assert (told.out + told.err).count("the newest changes are lost") == 1
    assert "warning" not in program("list").well().err


def test_status_counts_what_is_there(filled: Filled) -> None:
    program = filled.program
    program("remember", "--because", "x", "Maybe.", env=AGENT).well()

    told = program("status").well()
    shape = program("status", "--json").well().json

    assert told.out.startswith("3 memories, 2 can be recalled here")
    assert "1 to review" in told.err
    assert (shape["total"], shape["here"], shape["by_status"]["candidate"]) == (3, 2, 1)
    assert shape["store"]["location"] == str(program.home / "holdfast.db")


def test_the_badge_says_what_waits_and_is_silent_otherwise(program: Program) -> None:
    silent = program.start("status", "--badge").well()
    program("remember", "--because", "x", "Maybe.", env=AGENT).well()
    waiting = program.start("status", "--badge").well()
    plain = program.start("status", "--badge", env={"PYTHONIOENCODING": "ascii"}).well()
    elsewhere = program("--home", str(program.home / "none"), "status", "--badge").well()
    shape = program("status", "--badge", "--json").well().json

    assert (silent.out, silent.err) == ("", "")
    assert waiting.out == "◆ 1 to review\n"
    assert plain.out == "* 1 to review\n"
    assert elsewhere.out == ""
    counts = {"candidates": 1, "conflicts": 0, "drifted": 0, "warnings": 0}
    assert shape == {**counts, "badge": "◆ 1 to review"}
    assert program("status", "--json").well().json["waiting"] == counts


@requirement("doctor.says-what-to-do")
def test_the_doctor_finds_a_sound_store_sound(filled: Filled) -> None:
    told = filled.program("doctor").well()
    shape = filled.program("doctor", "--json").well().json

    assert told.out
    assert {finding["severity"] for finding in shape["findings"]} <= {"ok", "note"}
    assert shape["exit_code"] == 0


@pytest.mark.parametrize(
    ("severity", "code"),
    [(Severity.OK, 0), (Severity.NOTE, 0), (Severity.WARNING, 1), (Severity.DAMAGE, 6)],
)
@requirement("doctor.says-what-to-do")
def test_the_doctors_exit_code_says_how_bad_it_is(
    program: Program, severity: Severity, code: int
) -> None:
    finding = HealthFinding(check="rows", severity=severity, message="A row.", advice="Do this.")
    repair = Repair(actions=("made anew",), kept_damaged_file="old.db", rescued=3)

    with (
        mock.patch("holdfast.app.upkeep.UpkeepPart.check", return_value=[finding]),
        mock.patch("holdfast.app.upkeep.UpkeepPart.repair", return_value=repair),
    ):
        told = program("doctor")
        mended = program("doctor", "--repair")
        shape = program("doctor", "--repair", "--json")

    assert (told.code, mended.code, shape.code) == (code, code, code)
    rows, caches, meaning = told.out.splitlines()
    assert rows == f"{severity.value}\trows\tA row. Do this."
    assert caches.startswith("ok\tcaches")
    assert meaning.startswith("note\tmeaning\tsearches by words only")
    assert "3 memories recovered" in mended.out
    assert shape.json["repair"]["kept_damaged_file"] == "old.db"


@requirement("store.repair-counts-what-is-missing")
def test_a_repair_that_misses_memories_never_looks_healthy(program: Program) -> None:
    finding = HealthFinding(check="rows", severity=Severity.OK, message="A row.")
    repair = Repair(actions=("made anew",), lost=("m_1",), missing=2, changes_missing=7)

    with (
        mock.patch("holdfast.app.upkeep.UpkeepPart.check", return_value=[finding]),
        mock.patch("holdfast.app.upkeep.UpkeepPart.repair", return_value=repair),
    ):
        told = program("doctor", "--repair")
        shape = program("doctor", "--repair", "--json")

    assert (told.code, shape.code, shape.json["exit_code"]) == (1, 1, 1)
    assert "lost m_1" in told.out
    assert "missing 2 memories." in told.out
    assert "missing 7 changes at the end of the log" in told.out
    assert (shape.json["repair"]["missing"], shape.json["repair"]["changes_missing"]) == (2, 7)


@requirement("store.derived-can-be-rebuilt")
def test_rebuild_makes_the_index_anew(filled: Filled) -> None:
    assert "2 memories" in filled.program("rebuild").well().out
    assert filled.program("rebuild", "--json").well().json == {"memories": 2}
    assert short(filled.memory) in filled.program("recall", "rotate tokens").well().out


def test_settings_are_listed_set_and_restored(program: Program) -> None:
    default = program("config", "get", "recall.budget").well()
    program("config", "set", "recall.budget", "4000").well()
    from_file = program("config", "get", "recall.budget", "--json").well().json
    variable = {"HOLDFAST_RECALL_BUDGET": "500"}
    from_environment = program("config", "get", "recall.budget", "--json", env=variable).json
    listed = program("config", "list").well().out
    program("config", "unset", "recall.budget").well()

    assert (default.out, default.err) == ("2000\n", "from the default\n")
    assert (from_file["value"], from_file["from"]) == ("4000", "file")
    assert (from_environment["value"], from_environment["from"]) == ("500", "environment")
    assert "recall.budget\t4000\tfile" in listed
    assert program("config", "get", "recall.budget").out == "2000\n"
    assert Path(program("config", "path").well().out.strip()) == program.home / "config.toml"
    names = [line.split("\t")[0] for line in listed.splitlines()]
    assert names == sorted(setting.name for setting in SETTINGS)
    assert len(program("config", "list", "--json").well().json["settings"]) == len(SETTINGS)


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def random_bytes(path: Path) -> None:
    path.write_bytes(bytes(range(255, 0, -1)) * 40)


def nothing(path: Path) -> None:
    path.write_bytes(b"\0" * 100)


def found_in(answer: str) -> list[str]:
    """Return the memories and the places of code that an answer names, in order."""
    return re.findall(r"m_[0-9a-z]{8,}|tokens\.py:\d+", answer)


def test_a_command_that_ends_leaves_no_index_open(filled: Filled) -> None:
    program = filled.program
    (program.folder / "tokens.py").write_text("def rotate(): ...\n")

    program("import", "git").well()
    program("recall", "tokens", "--include", "memory,code,history").well()

    left = {path.suffix for path in program.home.glob("cache/code/*")}
    assert left == {".db", ".lock", ".filled"}


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("harm", [a_folder, random_bytes, nothing])
@pytest.mark.parametrize(
    "name",
    [
        "cache/code/*-history.db",
        "cache/code/*[0-9a-f].db",
        "repositories.json",
        "trusted.json",
        "health.jsonl",
    ],
)
def test_doctor_reports_every_damaged_file_beside_the_store(
    filled: Filled, name: str, harm: Callable[[Path], None]
) -> None:
    program = filled.program
    (program.folder / "tokens.py").write_text("def rotate(): ...\n")
    program("recall", "tokens", "--include", "memory,code", "--format", "prompt")
    program("import", "git")
    before = program("recall", "rotate", "--include", "memory,code").well()
    for file in ("trusted.json", "health.jsonl"):
        (program.home / file).touch()
    (path,) = program.home.glob(name)
    harm(path)

    told = program("doctor")
    program("doctor", "--repair")
    after = program("recall", "rotate", "--include", "memory,code").well()

    assert told.code == 1
    assert f"{path} is damaged" in told.out
    assert found_in(after.out) == found_in(before.out)


@requirement("doctor.says-what-to-do")
def test_an_index_that_cannot_be_checked_is_not_called_damaged(filled: Filled) -> None:
    program = filled.program
    program("recall", "tokens", "--include", "code").well()
    places = [*program.home.rglob("*"), program.home]
    for place in places:
        place.chmod(0o500 if place.is_dir() else 0o400)

    try:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "doctor"],
            capture_output=True,
            cwd=program.folder,
            env=program.environment,
            preexec_fn=drop_root_rights,
            check=False,
            timeout=PATIENCE,
            text=True,
        )
    finally:
        for place in reversed(places):
            place.chmod(0o700 if place.is_dir() else 0o600)

    assert done.returncode == 0, done.stdout
    assert ".db was not checked: nothing can be written." in done.stdout
    assert "damaged" not in done.stdout


@requirement("doctor.says-what-to-do")
def test_a_repair_that_removes_an_index_says_only_that(filled: Filled) -> None:
    program = filled.program
    (program.folder / "tokens.py").write_text("def rotate(): ...\n")
    program("index").well()
    (path,) = program.home.glob("cache/code/*[0-9a-f].db")
    random_bytes(path)

    mended = program("doctor", "--repair").well()
    again = program("doctor", "--repair").well()

    assert f"Removed the damaged {path}" in mended.out
    assert "Nothing had to be repaired" not in mended.out
    assert "Nothing had to be repaired" in again.out


@requirement("doctor.says-what-to-do")
def test_a_repair_that_cannot_remove_an_index_says_what_is_left_to_do(filled: Filled) -> None:
    program = filled.program
    (program.folder / "tokens.py").write_text("def rotate(): ...\n")
    program("index").well()
    (path,) = program.home.glob("cache/code/*[0-9a-f].db")
    path.unlink()
    path.mkdir()

    tried = program("doctor", "--repair")

    assert tried.code == 1
    assert "Removed" not in tried.out
    assert f"{path} is damaged" in tried.out
    assert "If it stays, remove it by hand" in " ".join(tried.out.split())


@requirement("files.no-pipe-hangs-a-verb")
@pytest.mark.parametrize(
    "name", ["holdfast.db-head", "holdfast.db-reserve", "repositories.json", "config.toml"]
)
def test_a_pipe_in_place_of_a_file_hangs_no_verb(filled: Filled, name: str) -> None:
    path = filled.program.home / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)

    filled.program("doctor")
    filled.program("status").well()
    filled.program("remember", "--because", "I say", "Kept beside a pipe.").well()
    filled.program("doctor", "--repair")

    assert "Kept beside a pipe." in filled.program("list").well().out


@requirement("doctor.says-what-to-do")
def test_a_folder_in_place_of_the_queue_is_named_and_an_empty_one_removed(filled: Filled) -> None:
    queue = filled.program.home / "holdfast.db-queue"
    queue.unlink()
    queue.mkdir()

    refused = filled.program("remember", "--because", "I say", "Nothing is written.")
    checked = filled.program("doctor")
    mended = filled.program("doctor", "--repair")

    assert refused.code == 6
    assert "holdfast.db-queue" in refused.err
    assert (checked.code, mended.code) == (1, 0)
    assert "holdfast.db-queue" in checked.out
    assert "Removed the empty folder" in mended.out


@requirement("doctor.says-what-to-do")
def test_a_repair_writes_a_damaged_book_of_repositories_anew(filled: Filled) -> None:
    book = filled.program.home / "repositories.json"
    book.write_bytes(b"{")

    assert filled.program("doctor").code == 1
    assert "repositories.json" in filled.program("doctor", "--repair").well().out
    assert json.loads(book.read_bytes())["repositories"]


@requirement("doctor.says-what-to-do")
def test_a_damaged_schema_is_reported_with_the_command_that_repairs_it(program: Program) -> None:
    kept = program("remember", "--because", "I say", "Tokens rotate daily.").well().id
    with sqlite3.connect(program.home / "holdfast.db") as connection:
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_master SET sql = 'no' WHERE name = 'memory_tag'")
    connection.close()

    told = program("doctor")

    assert told.code == 6
    assert told.out.count("malformed database schema (memory_tag)") == 1
    assert "'holdfast doctor --repair'" in told.out
    assert "keeps the damaged file" in told.out
    assert program("doctor", "--repair").code == 0
    assert kept in program("list").well().out
