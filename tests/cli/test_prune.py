"""prune as a person meets it: a table with reasons, a question, an undo, and no text left."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.test_terminal import at_terminal
from tests.requirements import requirement

WORTHLESS = "The canteen has soup on Mondays."
NOTE = "The walrus cache is warm after nine minutes."


@pytest.fixture
def weedy(program: Program) -> Program:
    """A store with a memory of little importance, a pinned one, and some that stay."""
    because = ("remember", "--because", "I saw it")
    program(*because, "--importance", "0.1", WORTHLESS).well()
    program(*because, "--importance", "0.1", "--pin", "The gate closes at noon.").well()
    for place in ("north", "south", "east", "west"):
        program(*because, f"The {place} door needs key {place.upper()}.").well()
    return program


def noted(program: Program) -> str:
    home = program.environment["HOLDFAST_HOME"]
    with holdfast.open(program.folder, home=home) as hf:
        agent = hf.agents.open("bot")
        memory = agent.remember(NOTE)
        agent.close()
        return memory.id


def first(program: Program) -> str:
    (one,) = program("prune", "--dry-run", "--json").well().json["items"]
    return str(one["id"])


@requirement("prune.reason-for-each")
def test_a_dry_run_is_a_table_with_one_reason_for_each_memory(weedy: Program) -> None:
    name = first(weedy)
    done = weedy("prune", "--dry-run").well()

    rows = [line.split("\t") for line in done.out.splitlines()]
    assert [row[0] for row in rows] == ["deprecate", "keep"]
    assert rows[0][1:] == [
        name,
        "fact",
        WORTHLESS,
        "Its relevance is 0.1, below 0.2, with 0 good and 0 bad ratings.",
    ]
    assert rows[1][4] == "It is pinned."
    assert "1 to deprecate, 0 to remove, 1 due but protected, of 6 memories" in done.err
    assert status(weedy, name) == "accepted"


@requirement("prune.people-decide")
def test_nothing_is_pruned_if_nobody_can_be_asked(weedy: Program) -> None:
    done = weedy("prune")

    assert done.code == 2
    assert "add --yes" in done.err
    assert status(weedy, first(weedy)) == "accepted"


@requirement("prune.undo-first")
def test_a_person_is_told_what_cannot_be_undone(weedy: Program) -> None:
    name = noted(weedy)

    limit = ("--min-relevance", "0.2, short-term=0.6")
    done = at_terminal(weedy, "prune", *limit, "--force", typed="y\n").well()

    assert "Deprecate 1 (can be undone) and remove 1 permanently?" in done.err
    assert f"removed\x1b[0m  1  {name}" in done.out


@requirement("prune.undo-first")
def test_a_person_is_asked_and_can_undo(weedy: Program) -> None:
    name = first(weedy)

    refused = at_terminal(weedy, "prune", typed="n\n")
    agreed = at_terminal(weedy, "prune", typed="y\n").well()

    assert refused.code == 1
    assert "Deprecate 1 (can be undone)?" in refused.err
    assert "Nothing was changed." in refused.err
    assert "deprecated" in agreed.out
    assert status(weedy, name) == "deprecated"
    assert "prune" in weedy("undo", "--list").well().out
    weedy("undo").well()
    assert status(weedy, name) == "accepted"


def test_where_nothing_is_due_nobody_is_asked(program: Program) -> None:
    program("init", "--no-model").well()

    asked = at_terminal(program, "prune")
    said = program("prune", "--yes").well()

    assert (asked.code, "0 to deprecate" in asked.err) == (1, True)
    assert "Nothing is due." in said.err


@requirement("prune.nothing-stays")
def test_a_pruned_note_leaves_no_byte_in_the_folder_of_the_store(weedy: Program) -> None:
    name = noted(weedy)
    weedy("config", "set", "prune.min_relevance", "0.2, short-term=0.6").well()
    assert any(holds(path) for path in files(weedy))

    done = weedy("prune", "--namespace", "short-term", "--yes", "--json").well().json

    assert done["forgotten"] == [name]
    assert [one["claim"] for one in done["items"]] == [None]
    assert not [path for path in files(weedy) if holds(path)]
    assert "was forgotten" in weedy("show", name).err


def files(program: Program) -> list[Path]:
    return [path for path in Path(program.home).rglob("*") if path.is_file()]


def holds(path: Path) -> bool:
    return b"walrus" in path.read_bytes()


@requirement("prune.people-decide")
def test_an_agent_may_look_and_sees_no_notes_of_others(weedy: Program) -> None:
    name = noted(weedy)
    weedy("config", "set", "prune.min_relevance", "0.6").well()

    agent = Program(home=weedy.home, folder=weedy.folder, extra={"CLAUDECODE": "1"})
    seen = agent("prune", "--dry-run", "--json").well().json
    refused = agent("prune", "--yes")

    assert name not in {one["id"] for one in seen["items"]}
    assert name in {one["id"] for one in weedy("prune", "--dry-run", "--json").well().json["items"]}
    assert refused.code != 0
    assert "only a person may" in refused.err


@requirement("prune.share-is-capped")
def test_a_run_that_would_change_too_much_is_refused_until_it_is_forced(weedy: Program) -> None:
    much = ("prune", "--min-relevance", "0.6")

    looked = weedy(*much, "--dry-run").well()
    refused = weedy(*much, "--yes")
    unasked = at_terminal(weedy, *much, typed="y\n")
    forced = weedy(*much, "--yes", "--force").well()

    assert "one run may change at most 1, so it would change none of them" in looked.err
    assert (unasked.code, "permanently?" in unasked.err, "undone)?" in unasked.err) == (
        4,
        False,
        False,
    )
    assert "5 of 6 memories are due" in refused.err
    assert "allow it with --force" in refused.err
    assert "deprecated  5" in forced.out


@pytest.mark.parametrize(
    "words",
    [
        ("--cause", "guess"),
        ("--kind", "guess"),
        ("--max-age", "soon"),
        ("--unused-for", "1d, 2d"),
        ("--min-relevance", "7"),
    ],
)
def test_an_option_that_cannot_be_read_is_refused(program: Program, words: tuple[str, ...]) -> None:
    assert program("prune", "--dry-run", *words).code == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prune.max_age", "soon"),
        ("prune.unused_for", "fact=1d, fact=2d"),
        ("prune.min_relevance", "2"),
        ("prune.duplicates", "maybe"),
        ("prune.keep", "a b"),
        ("prune.grace", "never"),
        ("prune.most", "101"),
    ],
)
def test_a_setting_that_cannot_be_read_is_refused(program: Program, name: str, value: str) -> None:
    assert program("config", "set", name, value).code == 2


def test_the_settings_decide_what_is_due(weedy: Program) -> None:
    weedy("config", "set", "prune.keep", "fact").well()
    weedy("config", "set", "prune.duplicates", "no").well()

    seen = weedy("prune", "--dry-run", "--json").well().json

    assert seen["items"] == []
    assert {one["why"] for one in seen["kept"]} == {
        "It is pinned.",
        "The setting prune.keep names fact.",
    }
