"""Something else stands where Holdfast has a folder or a file: it is named, the rest goes on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

CRASH = 70
PLACES = (
    *("tasks", "sessions", "context", "memory", "memory/decisions.md", "memory/candidates.md"),
    *("config.toml", ".gitignore", "project_state.json"),
)
VERBS = (
    *(("init", "--files", "--no-model"), ("sync",), ("trust", "--yes"), ("status",)),
    *(("task", "list"), ("task", "add", "Mow"), ("session", "start", "--tool", "claude")),
    *(("run", "start", "Paint"), ("remember", "--because", "I saw it", "Carts are fast.")),
)


def made(program: Program) -> Clone:
    clone = Clone(program)
    program("init", "--files", "--no-model").well()
    program("task", "add", "Paint the fence").well()
    clone.decide("Carts are blue.")
    clone.commit("Keep pages")
    return clone


@pytest.fixture
def ada(scenes: Scenes) -> Clone:
    return scenes.of(made)


def put(path: Path, kind: str, elsewhere: Path) -> None:
    """Put something else in a place."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    elsewhere.mkdir()
    match kind:
        case "a link":
            path.symlink_to(elsewhere)
        case "a link to nothing":
            path.symlink_to(elsewhere / "none")
        case "a pipe":
            os.mkfifo(path)
        case "a folder":
            path.mkdir()
        case _:
            path.write_text("no page\n", encoding="utf-8")


@requirement("files.no-pipe-hangs-a-verb")
@requirement("files.flaws-name-file-and-line")
@pytest.mark.parametrize(
    "kind", ["a link", "a link to nothing", "a pipe", "a folder", "a plain file"]
)
@pytest.mark.parametrize("place", PLACES)
def test_nothing_in_a_place_of_ours_ends_a_verb(
    ada: Clone, tmp_path: Path, place: str, kind: str
) -> None:
    put(ada.folder / ".holdfast" / place, kind, tmp_path / "elsewhere")

    for words in VERBS:
        done = ada.program(*words)
        assert done.code != CRASH, (words, done.out, done.err)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@requirement("files.flaws-name-file-and-line")
@pytest.mark.parametrize("kind", ["a link", "a pipe", "a plain file"])
def test_a_sync_names_what_is_in_place_of_the_folder_of_tasks_and_goes_on(
    ada: Clone, tmp_path: Path, kind: str
) -> None:
    put(ada.folder / ".holdfast" / "tasks", kind, tmp_path / "elsewhere")
    ada.edit("Carts are blue.", "Carts are red.")

    done = ada.program("sync")

    assert ".holdfast/tasks" in done.out + done.err
    assert ada.recalled("carts") == ["Carts are red."]
    assert "Paint the fence" in ada.program("task", "list").well().out
