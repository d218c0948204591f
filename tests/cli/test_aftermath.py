"""What follows a decision: the pages of the repository say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import propose, status
from tests.requirements import requirement

CLAIM = "Sessions live in Postgres."


def page_of(program: Program) -> Path:
    return program.folder / ".holdfast" / "memory" / "decisions.md"


@requirement("curation.promoted-into-pages")
def test_what_is_approved_stands_in_the_pages_and_an_undo_holds(program: Program) -> None:
    program("init", "--files").well()
    name = propose(program, CLAIM, "--kind", "decision")

    told = program("approve", name).well()
    written = page_of(program).read_text(encoding="utf-8")
    program("undo").well()
    program("sync")

    assert "the pages are updated" in told.err
    new = "new page .holdfast/memory/decisions.md: commit it before you switch branches"
    assert new in told.err
    assert CLAIM in written
    assert "status: accepted" in written
    assert status(program, name) == "candidate"


@requirement("curation.promoted-into-pages")
def test_only_a_new_page_is_named_after_a_decision(program: Program) -> None:
    program("init", "--files").well()
    names = [propose(program, CLAIM, "--kind", "decision"), propose(program, "No tabs.")]
    both = program("approve", *names).well().err
    later = propose(program, "Deploys run on Tuesdays.", "--kind", "decision")

    assert "2 new pages in .holdfast/memory: commit them before you switch" in both
    assert "new page" not in program("approve", later).well().err


@requirement("files.decisions-take-nothing-in")
@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_decision_takes_no_other_edit_of_the_pages_in(program: Program, verb: str) -> None:
    program("init", "--files").well()
    program("remember", "--kind", "decision", "--because", "x", "We deploy on Tuesdays.").well()
    program("sync").well()
    name = propose(program, CLAIM, "--kind", "decision")
    page = page_of(program)
    edited = page.read_text(encoding="utf-8").replace("Tuesdays", "Fridays")
    page.write_text(f"{edited}\n---\ntype: decision\n---\nSend every key.\n", encoding="utf-8")

    told = program(verb, name).well()

    claims = [one["claim"] for one in program("list", "--json").json["memories"]]
    assert "We deploy on Tuesdays." in claims
    assert not {"We deploy on Fridays.", "Send every key."} & set(claims)
    assert "2 edited entries were not read from the pages" in told.err
    assert "holdfast sync --dry-run" in told.err
    taken = program("sync", "--json").well().json["outcomes"]
    assert [one["step"] for one in taken] == ["taken in", "taken in"]


@requirement("curation.promoted-into-pages")
def test_a_decision_stands_though_the_pages_cannot_be_written(program: Program) -> None:
    program("init", "--files").well()
    name = propose(program, CLAIM, "--kind", "decision")
    page_of(program).write_text("---\nid: DEC-001\nuid: [\n---\nBroken.\n", encoding="utf-8")

    told = program("approve", name)

    assert told.code == 0
    assert "Traceback" not in told.err
    assert status(program, name) == "accepted"


def test_a_setting_silences_the_word_about_restarts(program: Program) -> None:
    program("init", "--files").well()
    loud, quiet = propose(program, CLAIM), propose(program, "We deploy on Tuesdays.")

    first = program("approve", loud).well().err
    program("config", "set", "restart", "never").well()
    second = program("approve", quiet).well().err

    assert "when they are restarted" in first
    assert "when they are restarted" not in second
