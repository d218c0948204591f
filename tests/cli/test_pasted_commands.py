"""Commands that the program suggests run as they are printed, with the same store."""

from __future__ import annotations

import json
import re
import shlex
from argparse import Namespace
from pathlib import Path

import pytest

from holdfast.app.upkeep import UpkeepPart
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.surfaces.cli.present.terminal.pasting import chosen_store, pasteable
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
    mark = "`" if "'" in options else "'"  # a quotation in the same quotes could not be pasted
    listing = f"{mark}holdfast {options} list{mark} lists the ids."
    assert listing in said.err
    assert listing in json_advice(told)


def json_advice(done: Finished) -> str:
    """Return the advice of an error in JSON."""
    return str(json.loads(done.err)["error"]["advice"])


@requirement("cli.suggested-commands-run")
def test_commands_in_json_name_the_store_too(program: Program) -> None:
    chosen = ("--space", "work")
    program(*chosen, "init", "--no-model").well()
    words = ("remember", "--kind", "gotcha", "--because", "x")
    program(*chosen, *words, "The API listens on port 8080.").well()
    program(*chosen, *words, "The API listens on port 9090.").well()
    program(*chosen, *words, CLAIM, env=AGENT).well()

    (first, *_) = program(*chosen, "review", "--json").well().json["waiting"]
    (planned, *_) = (
        program(*chosen, "approve", "--all", "--dry-run", "--json").well().json["waiting"]
    )
    concerns = program(*chosen, "curate", "--json").well().json["concerns"]

    for found in (first, planned):
        assert found["commands"]
        assert all(one.startswith("holdfast --space work ") for one in found["commands"])
    assert concerns
    assert all(one["command"].startswith("holdfast --space work ") for one in concerns)


@requirement("cli.suggested-commands-run")
def test_no_suggested_command_has_a_password() -> None:
    given = Namespace(server="postgresql://ada:secret@db/kept", tenant="a b", space=None)

    (store, tenant) = chosen_store(given)

    assert store.startswith("--store postgresql://ada")
    assert store.endswith("@db/kept")
    assert "secret" not in store
    assert tenant == "--tenant 'a b'"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Run 'holdfast sync'.", "Run 'holdfast --space work sync'."),
        ("holdfast sync-tool is another program", "holdfast sync-tool is another program"),
        ("holdfast syncs pages", "holdfast syncs pages"),
        ("Run: holdfast db check --space other x", "Run: holdfast db check --space other x"),
        (
            "Check --space and HOLDFAST_SPACE, or run 'holdfast init'.",
            "Check --space and HOLDFAST_SPACE, or run 'holdfast --space work init'.",
        ),
    ],
)
def test_only_a_command_that_chooses_no_store_itself_gets_the_options(
    text: str, shown: str
) -> None:
    assert pasteable(text, ("--space work",)) == shown


def test_a_command_with_a_quoted_option_is_not_quoted_in_the_same_quotes() -> None:
    chosen = ("--home '/tmp/my home'",)

    said = pasteable("'holdfast list' shows the ids; or run: holdfast review", chosen)

    assert said == (
        "`holdfast --home '/tmp/my home' list` shows the ids;"
        " or run: holdfast --home '/tmp/my home' review"
    )
    assert pasteable("holdfast reject m_1 --reason 'holdfast list'", chosen) == (
        "holdfast --home '/tmp/my home' reject m_1 --reason 'holdfast list'"
    )


@requirement("cli.suggested-commands-run")
def test_what_somebody_typed_stays_as_it_was_typed(program: Program) -> None:
    program("--space", "work", "init", "--no-model").well()

    done = program("--space", "work", "show", "holdfast list")

    assert done.err.strip().endswith("key holdfast list.")


@requirement("cli.suggested-commands-run")
def test_the_advice_of_the_doctor_names_the_store(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = HealthFinding(
        check="x", severity=Severity.WARNING, message="It is old.", advice="Run 'holdfast rebuild'."
    )
    monkeypatch.setattr(UpkeepPart, "check", lambda *_given: [finding])
    program("--space", "work", "init", "--no-model").well()

    shown = program("--space", "work", "doctor").out
    told = program("--space", "work", "doctor", "--json").json["findings"]

    assert "Run 'holdfast --space work rebuild'." in shown
    assert told[0]["advice"] == "Run 'holdfast --space work rebuild'."


def test_a_command_about_remotes_names_no_remote_as_its_store(program: Program) -> None:
    program("init", "--no-model", "--space", "work").well()

    done = program("list", "--space", "work", "--store", "nosuch")

    assert "'holdfast --space work remote list'" in done.err


def test_a_command_without_such_options_suggests_plain_commands(program: Program) -> None:
    program("init", "--no-model").well()

    done = program("remember", "--because", "x", CLAIM, env=AGENT).well()

    assert [one[0] for one in commands(done)] == ["approve"]


@requirement("cli.suggested-commands-run")
def test_the_lines_of_a_status_name_the_store_too(program: Program) -> None:
    chosen = ("--space", "work")
    program(*chosen, "init", "--no-model").well()
    program(*chosen, "config", "set", "recall.model", "none")

    shown = program(*chosen, "status").well().out

    assert "'holdfast --space work model " in shown
    assert "'holdfast model" not in shown
