"""Commands that the program suggests run as they are printed, with the same store."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.program import Finished, Program
from tests.requirements import requirement

AGENT = {"HOLDFAST_ORIGIN": "agent"}
CLAIM = "Run holdfast list before a release."


@pytest.fixture(params=["space", "home", "folder"])
def chosen(request: pytest.FixtureRequest, program: Program, tmp_path: Path) -> tuple[str, ...]:
    """Return the options that choose a store or a folder."""
    other = tmp_path / "it's here"
    options = {
        "space": ("--space", "work"),
        "home": ("--home", str(other)),
        "folder": ("-C", str(program.folder)),
    }
    found = options[str(request.param)]
    program(*found, "init", "--no-model").well()
    return found


def commands(done: Finished) -> list[list[str]]:
    """Return the commands that an answer suggests, as a shell reads them."""
    lines = [line for line in (done.out + done.err).splitlines() if CLAIM not in line]
    found = re.findall(r"holdfast (?=[a-z-])[^\n]*$", "\n".join(lines), re.MULTILINE)
    return [shlex.split(one)[1:] for one in found]


@requirement("cli.suggested-commands-run")
def test_a_suggested_command_names_the_store_of_the_one_before(
    program: Program, chosen: tuple[str, ...]
) -> None:
    words = ("remember", "--kind", "gotcha", "--because", "x", CLAIM)
    proposed = program(*chosen, *words, env=AGENT).well()
    (approve,) = commands(proposed)
    review = program("review", *chosen).well()

    assert tuple(approve[:2]) == chosen
    assert [one[2] for one in commands(review)] == ["approve", "reject", "edit"]
    assert all(tuple(one[:2]) == chosen for one in commands(review))
    assert f"| {CLAIM}" in review.out
    accepted = program(*approve).well()
    (undo,) = commands(accepted)
    program(*undo).well()


@requirement("cli.suggested-commands-run")
def test_the_advice_of_an_error_names_the_store_too(
    program: Program, chosen: tuple[str, ...]
) -> None:
    said = program("show", "m_nothing", *chosen)
    told = program("show", "m_nothing", "--json", *chosen)

    options = shlex.join(chosen)
    assert f"'holdfast {options} list' lists the ids." in said.err
    assert f"'holdfast {options} list' lists the ids." in json_advice(told)


def json_advice(done: Finished) -> str:
    """Return the advice of an error in JSON."""
    return str(json.loads(done.err)["error"]["advice"])


@requirement("cli.suggested-commands-run")
def test_no_suggested_command_has_a_password(program: Program) -> None:
    address = "postgresql://ada:secret@127.0.0.1:1/none"

    done = program("status", "--store", address)

    assert "secret" not in done.out + done.err


def test_a_command_about_remotes_names_no_remote_as_its_store(program: Program) -> None:
    program("init", "--no-model", "--space", "work").well()

    done = program("list", "--space", "work", "--store", "nosuch")

    assert "'holdfast --space work remote list'" in done.err


def test_a_command_without_such_options_suggests_plain_commands(program: Program) -> None:
    program("init", "--no-model").well()

    done = program("remember", "--because", "x", CLAIM, env=AGENT).well()

    assert [one[0] for one in commands(done)] == ["approve"]
