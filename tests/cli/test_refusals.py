"""Bad input: one clear sentence, what to do next, an exit code by family, nothing changed."""

from __future__ import annotations

import json
import subprocess
import sys
from unittest import mock

import apsw
import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.errors import (
    AlreadyRememberedError,
    HoldfastError,
    StoreBusyError,
    StoreFullError,
    StoreReadOnlyError,
)
from holdfast.domain.ids import short
from holdfast.domain.values import replace
from holdfast.domain.version_errors import OldLibraryError, StoreUpgradedError
from tests.cli.conftest import Filled
from tests.cli.program import Finished, Program
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.rights import drop_root_rights

BECAUSE = ("--because", "I decided")
TEN_MEGABYTES = b"a" * 10_000_000

BAD: dict[str, tuple[tuple[str, ...], int, str]] = {
    "kind": (("remember", *BECAUSE, "--kind", "gossip", "x"), 2, "choose one of: fact, gotcha"),
    "many kinds": (("remember", *BECAUSE, "--kind", "gossip", "x"), 2, "lists all 14"),
    "near kind": (("list", "--kind", "decison"), 2, "did you mean 'decision'?"),
    "scope": (("remember", *BECAUSE, "--scope", "moon", "x"), 2, "choose one of: repo"),
    "origin": (("remember", *BECAUSE, "--origin", "cat", "x"), 2, "choose one of: human"),
    "job": (("jobs", "add", "x"), 2, "KIND: 'x' is not one of these: import, embed, prune"),
    "speaker": (("sync", "--as", "x"), 2, "--as: 'x' is not one of these: person, agent."),
    "lifetime": (("remember", *BECAUSE, "--ttl", "30x", "x"), 2, "30d"),
    "no lifetime": (("remember", *BECAUSE, "--ttl", "0d", "x"), 2, "30d"),
    "missing file": (("remember", "--evidence", "none.py:1", "x"), 2, "no such file"),
    "missing lines": (("remember", "--evidence", "src/auth/tokens.py:900", "x"), 2, "100 lines"),
    "backwards": (("remember", "--evidence", "src/auth/tokens.py:9-3", "x"), 2, "cannot exist"),
    "outside": (("remember", "--evidence", "../../etc/passwd", "x"), 2, "outside"),
    "newline in key": (("remember", *BECAUSE, "--key", "a\nb", "x"), 2, "one line"),
    "blank": (("remember", *BECAUSE, "  "), 2, "blank"),
    "no evidence": (("remember", "x"), 2, "--because"),
    "importance": (("remember", *BECAUSE, "--importance", "high", "x"), 2, "must be a number"),
    "weight": (("remember", *BECAUSE, "--weight", "99", "x"), 2, "between 0 and 10"),
    "metadata": (("remember", *BECAUSE, "--metadata", "a", "x"), 2, "name=value"),
    "unknown bundle": (("remember", "--from-bundle", "c_2020", "x"), 3, "No bundle"),
    "unknown parent": (("remember", *BECAUSE, "--derived-from", "m_none", "x"), 3, "No memory"),
    "both policies": (("remember", *BECAUSE, "--redact", "--allow-secret", "x"), 2, "not allowed"),
    "batch and text": (("remember", "--batch", "x"), 2, "standard input"),
    "unknown memory": (("show", "m_none"), 3, "No memory has the id m_none."),
    "unknown candidate": (("approve", "m_none"), 3, "'holdfast list' lists the ids."),
    "blank candidate": (("approve", ""), 3, "No memory has the id, label or key ''."),
    "unknown run": (("run", "finish", "--run", "r_none"), 3, "'holdfast run list' lists the ids."),
    "unknown decision": (("undo", "d_none"), 3, "'holdfast undo --list' lists the ids."),
    "whose origin": (("review", "--origin", "cat"), 2, "'cat' is not an origin;"),
    "whose transcript": (("propose", "-", "--tool", "cat"), 2, "'cat' is not a tool;"),
    "import of nothing": (("import",), 2, "required: FILE. See"),
    "far future": (("journal", "9999-12-31"), 2, "between the years"),
    "no id at all": (("show", "?"), 3, "?"),
    "no id given": (("show",), 2, "required: ID"),
    "unknown span": (("pin", "--span", "s_none"), 3, "No span"),
    "unknown session": (("session", "end", "i_none"), 3, "No session"),
    "unknown link end": (("link", "m_none", "m_nobody"), 3, "No memory"),
    "link to itself": (("link", "m_1", "m_1"), 2, "itself"),
    "forget nothing": (("forget",), 2, "--id"),
    "forget unknown": (("forget", "--id", "m_abc123"), 3, "m_abc123"),
    "limit": (("list", "--limit", "0"), 2, "between 1 and 1,000"),
    "no number": (("list", "--limit", "many"), 2, "must be a whole number"),
    "budget": (("recall", "x", "--budget", "0"), 2, "between 1 and"),
    "include": (("recall", "x", "--include", "memory,music"), 2, "'music'"),
    "setting": (("config", "get", "colour"), 2, "recall.budget"),
    "setting's value": (("config", "set", "recall.limit", "x"), 2, "whole number"),
    "shell": (("completion", "tcsh"), 2, "bash, zsh, fish"),
    "verb": (("rmember", "x"), 2, "Did you mean 'remember'?"),
    "subverb": (("session", "strat"), 2, "Did you mean 'session start'?"),
    "no subverb": (("config",), 2, "list, get, set, unset, path"),
    "option": (("remember", "--evidnce", "x"), 2, "Did you mean '--evidence'?"),
    "first option": (("--jsno", "list"), 2, "Did you mean '--json'?"),
    "missing value": (("--home",), 2, "needs a folder"),
    "too many words": (("status", "now"), 2, "was not expected here"),
    "folder": (("-C", "nowhere", "list"), 3, "no folder nowhere"),
    "help": (("help", "rmember"), 2, "Did you mean 'remember'?"),
    "surrogate": (("remember", *BECAUSE, "a\udcff"), 2, "surrogate"),
    "no text as an id": (("show", "a\udcff"), 2, "is no UTF-8 text"),
    "no text as a key": (("list", "--key", "a\udcff"), 2, "is no UTF-8 text"),
    "no text as a task": (("task", "show", "a\udcff"), 2, "is no UTF-8 text"),
}
FAMILIES = {2: "invalid", 3: "not-found", 4: "conflict", 5: "stale", 6: "unavailable"}


def check(done: Finished, code: int, words: str) -> None:
    assert done.code == code, done
    assert done.out == ""
    assert done.err.startswith("holdfast: ")
    assert done.err.count("\n") == 1
    assert words in done.err


@pytest.mark.parametrize("name", BAD)
@requirement("input.refused-with-advice")
def test_bad_input_gets_one_sentence_and_changes_nothing(program: Program, name: str) -> None:
    words, code, sentence = BAD[name]

    plain = program(*words)
    shape = program(*words, "--json") if name != "missing value" else plain

    check(plain, code, sentence)
    assert shape.code == code
    if shape is not plain:
        error = json.loads(shape.err)["error"]
        assert (error["exit_code"], error["family"]) == (code, FAMILIES[code])
        assert sentence in f"{error['message']} {error['advice']}"
    assert program("list", "--all", "--json").json["total"] == 0


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("words", [("run", "end"), ("agent", "create")])
def test_a_verb_of_a_group_is_compared_without_the_name_of_the_group(
    program: Program, words: tuple[str, str]
) -> None:
    refused = program(*words)

    check(refused, 2, f"See 'holdfast {words[0]} --help'.")
    assert "Did you mean" not in refused.err


@requirement("gate.size-capped")
def test_ten_megabytes_are_refused_however_they_come(program: Program) -> None:
    check(program("remember", *BECAUSE, "-", stdin=TEN_MEGABYTES), 2, "the limit is 65,536")
    check(program("remember", *BECAUSE, stdin=TEN_MEGABYTES * 2), 2, "the limit is 65,536")
    check(program("propose", "-", stdin=TEN_MEGABYTES * 2), 2, "has more than 16,777,216 bytes")
    check(program("remember", *BECAUSE, "-", stdin=b"\xff\xfe"), 2, "not UTF-8")


def test_an_unknown_origin_in_the_environment_is_refused(program: Program) -> None:
    check(program("remember", *BECAUSE, "x", env={"HOLDFAST_ORIGIN": "cat"}), 2, "'cat'")


@requirement("store.newer-schema-refused")
def test_a_newer_store_is_refused(filled: Filled) -> None:
    connection = apsw.Connection(str(filled.program.home / "holdfast.db"))
    connection.execute("PRAGMA user_version = 999")
    connection.close()

    check(filled.program("remember", *BECAUSE, "x"), 6, "upgrade Holdfast")
    check(filled.program("list"), 6, "upgrade Holdfast")


@requirement("store.read-only-explained")
def test_a_home_that_is_no_folder_is_refused(newcomer: Program) -> None:
    newcomer.home.write_text("a file", encoding="utf-8")

    check(newcomer("remember", *BECAUSE, "x"), 6, str(newcomer.home))
    check(newcomer("list"), 6, str(newcomer.home))
    assert newcomer("status", "--badge").well().out == ""


@requirement("store.read-only-explained")
def test_a_read_only_store_is_explained(filled: Filled) -> None:
    home = filled.program.home
    for path in (*home.iterdir(), home):
        path.chmod(0o500 if path.is_dir() else 0o400)

    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "remember", *BECAUSE, "x"],
        capture_output=True,
        cwd=filled.program.folder,
        env=filled.program.environment,
        preexec_fn=drop_root_rights,
        check=False,
        timeout=PATIENCE,
    )

    home.chmod(0o700)
    check(Finished(done.returncode, done.stdout.decode(), done.stderr.decode()), 6, "read-only")


@requirement("store.damage-reported")
def test_a_damaged_store_is_refused_and_says_what_to_do(filled: Filled) -> None:
    file = filled.program.home / "holdfast.db"
    for beside in filled.program.home.glob("holdfast.db-*"):
        beside.unlink()
    file.write_bytes(b"this is no database, whatever its name says. " * 200)

    check(filled.program("remember", *BECAUSE, "x"), 6, "holdfast doctor")
    check(filled.program("list"), 6, "holdfast doctor")


@requirement("settings.damage-takes-no-verb-away")
def test_a_damaged_settings_file_is_named_and_takes_no_verb_away(program: Program) -> None:
    program("init").well()
    (program.home / "config.toml").write_text("recall.budget = ", encoding="utf-8")

    told = program("recall", "x").well()
    checked = program("doctor")

    assert "config.toml is not TOML" in told.err
    assert "config.toml is not TOML" in checked.out
    assert checked.code == 1
    check(program("config", "set", "recall.budget", "9"), 2, "move it aside")
    check(program("config", "unset", "recall.budget"), 2, "move it aside")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (StoreBusyError(), 6, "Nothing was changed; try again."),
        (StoreFullError("holdfast.db"), 6, "free some space"),
        (StoreReadOnlyError("holdfast.db"), 6, "check the permissions"),
        (StoreUpgradedError(), 6, "restart this program"),
        (OldLibraryError("3.40.0", "3.51.3"), 6, "Upgrade the package apsw"),
        (AlreadyRememberedError("m_1"), 4, "already has the id"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
@requirement("input.refused-with-advice")
def test_what_the_store_refuses_has_a_sentence_and_a_code(
    program: Program, error: HoldfastError, code: int, words: str
) -> None:
    with mock.patch("holdfast.app.memories.MemoriesPart.remember", side_effect=error):
        check(program("remember", *BECAUSE, "x"), code, words)


@requirement("store.busy-is-not-damage")
def test_a_locked_store_is_busy_and_unchanged(filled: Filled) -> None:
    program, opened = filled.program, SqliteStore.open
    other = apsw.Connection(str(program.home / "holdfast.db"))
    other.execute("BEGIN IMMEDIATE")

    with mock.patch.object(
        SqliteStore,
        "open",
        lambda path, *, options, **named: opened(
            path, options=replace(options, wait_seconds=0.2), **named
        ),
    ):
        refused = program("remember", *BECAUSE, "x")
        listed = program("list").well()
        recalled = program("recall", "rotate tokens").well()
    other.execute("ROLLBACK")
    other.close()

    check(refused, 6, "try again")
    assert listed.out.count("\n") == 2
    assert short(filled.memory) in recalled.out
    assert "was not stored" not in recalled.out
    assert filled.memory in program("explain", recalled.out.split()[1]).well().out
