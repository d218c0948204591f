"""The store is lost, or an older one is put back: the files of a repository keep what they say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement

STATE = Path(".holdfast/project_state.json")
NOTES = "Recursive descent, one function for each rule."


@pytest.fixture
def clone(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    program("task", "add", "Write the parser", "--notes", NOTES).well()
    program("session", "note", "Ship by May", "--kind", "goal").well()
    program("sync").well()
    return Clone(program)


def lose(clone: Clone) -> None:
    shutil.rmtree(clone.program.home)
    clone.program("init", "--no-model").well()


def tasks(clone: Clone) -> list[str]:
    return [one["title"] for one in clone.program("task", "list", "--json").well().json["tasks"]]


def page(clone: Clone) -> Path:
    (found,) = (clone.folder / ".holdfast/tasks").glob("*.md")
    return found


def goals(clone: Clone) -> list[str]:
    shape = json.loads((clone.folder / STATE).read_text(encoding="utf-8"))
    return [one["text"] for one in shape["goals"]]


@requirement("files.absence-is-not-deletion")
@requirement("task.pages-both-ways")
def test_a_new_store_takes_the_files_in_again(clone: Clone) -> None:
    before = page(clone).read_text(encoding="utf-8"), (clone.folder / STATE).read_text("utf-8")
    lose(clone)

    clone.program("sync").well()
    clone.program("sync").well()

    assert page(clone).read_text(encoding="utf-8") == before[0]
    assert tasks(clone) == ["Write the parser"]
    assert goals(clone) == ["Ship by May"]
    assert "Ship by May" in clone.program("hydrate").well().out


@requirement("files.absence-is-not-deletion")
def test_what_was_committed_waits_in_a_new_store_and_stays_in_its_files(clone: Clone) -> None:
    clone.commit("Keep the plan")
    lose(clone)

    clone.program("sync")

    assert NOTES in page(clone).read_text(encoding="utf-8")
    assert goals(clone) == ["Ship by May"]


@requirement("files.absence-is-not-deletion")
def test_a_note_for_a_new_store_removes_none_of_the_file(clone: Clone) -> None:
    lose(clone)

    clone.program("session", "note", "Write the manual", "--kind", "goal").well()

    assert "Ship by May" in goals(clone)
    clone.program("sync").well()
    assert sorted(goals(clone)) == ["Ship by May", "Write the manual"]


@requirement("files.restored-store-keeps-edits")
def test_an_older_store_that_was_put_back_overwrites_neither_task_nor_goal(
    clone: Clone, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(clone.program.home, backup)
    name = page(clone).stem
    clone.program("task", "edit", name, "--notes", "By hand after all.").well()
    clone.program("task", "add", "Write the printer").well()
    clone.program("session", "note", "Ship by June", "--kind", "goal").well()
    clone.program("sync").well()
    shutil.rmtree(clone.program.home)
    shutil.copytree(backup, clone.program.home)

    synced = clone.program("sync")

    pages = [one.read_text("utf-8") for one in (clone.folder / ".holdfast/tasks").glob("*.md")]
    assert synced.code == 4
    assert len(pages) == 2
    assert any("By hand after all." in text for text in pages)
    assert sorted(tasks(clone)) == ["Write the parser", "Write the printer"]
    assert sorted(goals(clone)) == ["Ship by June", "Ship by May"]


@requirement("task.pages-both-ways")
def test_the_page_of_a_task_that_was_deleted_is_still_removed(clone: Clone) -> None:
    name = page(clone).stem
    clone.program("task", "delete", name, "--yes").well()

    clone.program("sync").well()

    assert list((clone.folder / ".holdfast/tasks").glob("*.md")) == []
    assert tasks(clone) == []


@requirement("task.pages-both-ways")
def test_init_names_the_pages_of_tasks_that_a_new_store_can_take_in(clone: Clone) -> None:
    shutil.rmtree(clone.program.home)
    shutil.rmtree(clone.folder / ".holdfast/memory")

    said = clone.program("init", "--no-model").well()

    assert "1 page in .holdfast" in said.out
    assert "holdfast sync" in said.err
