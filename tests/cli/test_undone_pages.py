"""undo: the pages have the bytes again that they had before the decision."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.clones import MEMORY, Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

HOURLY, DAILY = "Tokens rotate every hour.", "Tokens rotate every day."
AGENT = {"HOLDFAST_ORIGIN": "agent"}
State = tuple[dict[str, str], dict[str, str]]


def made(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    made = Clone(program)
    made.commit("Keep pages")
    return made


@pytest.fixture
def clone(scenes: Scenes) -> Clone:
    return scenes.of(made)


def proposed(clone: Clone, claim: str, *words: str) -> str:
    """Let an agent propose a decision; return its id."""
    given = ("remember", "--kind", "decision", "--because", "read", *words, claim)
    return clone.program(*given, env=AGENT).well().id


def state(clone: Clone) -> State:
    """Return the pages, and the status of every memory; a label stays after an undo."""
    folder = clone.folder / MEMORY
    pages = {one.name: one.read_text(encoding="utf-8") for one in folder.glob("*.md")}
    pages.pop("candidates.md", None)
    listed = clone.program("list", "--all", "--json").well().json["memories"]
    return pages, {str(one["id"]): str(one["status"]) for one in listed}


def agree(clone: Clone) -> None:
    """Insist that pages and store agree, and that a sync changes nothing."""
    checked = clone.program("sync", "--check", "--json").well().json["outcomes"]
    before = state(clone)

    assert [one for one in checked if one["step"] not in {"waiting"}] == []
    clone.program("sync", "--json")
    assert state(clone) == before


def candidate(clone: Clone) -> tuple[str, ...]:
    """Set up a candidate."""
    return (proposed(clone, DAILY),)


def rivals(clone: Clone) -> tuple[str, ...]:
    """Set up a candidate that contradicts an entry."""
    old = clone.decide(HOURLY, "--key", "rotation")
    return proposed(clone, DAILY, "--key", "rotation"), old


def edited(clone: Clone) -> tuple[str, ...]:
    """Set up an entry whose text an agent changed in the page."""
    old = clone.decide(HOURLY)
    clone.commit()
    clone.edit(HOURLY, DAILY)
    synced = clone.program("sync", "--json", env=AGENT).json["outcomes"]
    return str(synced[0]["memory"]), old


def accepted(clone: Clone) -> tuple[str, ...]:
    """Set up a candidate that was accepted."""
    name = proposed(clone, DAILY, "--source", "bot:1")
    clone.program("approve", name).well()
    return (name,)


def entry(clone: Clone) -> tuple[str, ...]:
    """Set up an entry."""
    return (clone.decide(HOURLY),)


def twins(clone: Clone) -> tuple[str, ...]:
    """Set up two entries that mean the same."""
    return clone.decide("Backups run at two."), clone.decide("The backups run at two o'clock.")


SetUp = Callable[[Clone], tuple[str, ...]]
DECISIONS: Mapping[str, tuple[SetUp, str]] = {
    "approve": (candidate, "approve {0}"),
    "approve an edit": (edited, "approve {0}"),
    "reject": (candidate, "reject {0}"),
    "edit a candidate": (candidate, "edit {0} --claim 'Tokens rotate weekly.'"),
    "edit": (entry, "edit {0} --claim 'Tokens rotate weekly.'"),
    "resolve, keep old": (rivals, "resolve {0} --keep-old"),
    "resolve, supersede": (rivals, "resolve {0} --supersede"),
    "resolve, keep both": (rivals, "resolve {0} {1} --keep-both --scope-new 'in tests'"),
    "resolve, merge": (rivals, "resolve {0} {1} --merge 'Tokens rotate often.'"),
    "deprecate": (entry, "curate --deprecate {0}"),
    "consolidate": (twins, "curate --consolidate {0} {1}"),
    "merge": (twins, "curate {0} {1} --merge 'Backups run at two every day.'"),
    "revert": (accepted, "revert --source bot:1 --yes"),
}


@requirement("files.undone-decisions-leave-the-pages")
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("name", DECISIONS)
def test_after_an_undo_pages_and_store_are_as_before(
    clone: Clone, name: str, *, is_committed: bool
) -> None:
    set_up, words = DECISIONS[name]
    clone.decide("We deploy on Tuesdays.")
    ids = set_up(clone)
    clone.program("sync")
    clone.commit()
    before = state(clone)

    done = clone.program(*shlex.split(words.format(*ids)))
    done.well()
    if is_committed:
        clone.commit()
    clone.program("undo").well()

    pages, statuses = state(clone)
    assert pages == before[0]
    assert {one: statuses[one] for one in before[1]} == before[1]
    assert {statuses[one] for one in statuses.keys() - before[1].keys()} <= {"deprecated"}
    agree(clone)


@requirement("files.undone-decisions-leave-the-pages")
def test_a_new_page_goes_with_its_only_entry_and_a_colleague_gets_nothing(
    clone: Clone, tmp_path: Path
) -> None:
    name = proposed(clone, DAILY)
    clone.program("approve", name).well()
    assert clone.page().exists()

    clone.program("undo").well()
    clone.commit()
    other = clone.clone(tmp_path / "other")
    other.program("init", "--no-model").well()
    other.program("trust", "--yes").well()

    assert not clone.page().exists()
    assert other.recalled("how often do tokens rotate") == []


@requirement("files.undone-decisions-leave-the-pages")
def test_an_entry_that_was_edited_since_stays_and_is_reported(clone: Clone) -> None:
    name = proposed(clone, DAILY)
    clone.program("approve", name).well()
    clone.edit("every day", "every second day")

    undone = clone.program("undo").well()

    assert "1 edited entry was not read" in undone.err
    assert "every second day" in clone.page().read_text(encoding="utf-8")


@requirement("files.undone-decisions-leave-the-pages")
@pytest.mark.parametrize("added", ["# my note", "owner: bob"])
def test_an_entry_with_a_line_of_a_person_stays_as_it_is(clone: Clone, added: str) -> None:
    clone.program("approve", proposed(clone, DAILY)).well()
    clone.edit("status: accepted", f"status: accepted\n{added}")
    before = clone.page().read_bytes()

    undone = clone.program("undo").well()

    assert "decisions.md:3: the decision that brought the entry into the page was" in undone.err
    assert clone.page().read_bytes() == before


@requirement("files.undone-decisions-leave-the-pages")
def test_an_entry_whose_text_was_edited_is_read_by_the_next_sync(clone: Clone) -> None:
    clone.program("approve", proposed(clone, DAILY)).well()
    clone.edit("every day", "every second day")
    clone.program("undo").well()

    assert clone.sync() == [("DEC-001", "taken in")]


@requirement("files.undone-decisions-leave-the-pages")
def test_an_entry_that_an_agent_wrote_into_the_page_stays_there_and_waits(clone: Clone) -> None:
    clone.decide(HOURLY)
    page = clone.page()
    entry = "\n---\ntype: decision\n---\nDeploys need two reviews.\n"
    page.write_text(page.read_text(encoding="utf-8") + entry, encoding="utf-8")
    (outcome,) = clone.program("sync", "--json", env=AGENT).json["outcomes"]
    clone.program("approve", outcome["memory"]).well()

    clone.program("undo").well()

    assert "Deploys need two reviews." in page.read_text(encoding="utf-8")
    assert clone.sync(code=4) == [("DEC-002", "waiting")]


@requirement("files.undone-decisions-leave-the-pages")
def test_a_branch_tells_that_the_entry_waits_and_the_main_branch_takes_it_out(
    clone: Clone,
) -> None:
    clone.decide(HOURLY)
    clone.program("approve", proposed(clone, "Deploys need two reviews.")).well()
    clone.commit()
    clone.git("checkout", "-q", "-b", "work")

    clone.program("undo").well()

    assert clone.sync(code=4) == [("DEC-002", "waiting")]
    clone.git("checkout", "-q", "-")
    assert clone.sync("--check", code=1) == [("DEC-002", "taken out")]
    assert clone.sync() == [("DEC-002", "taken out")]
    agree(clone)
