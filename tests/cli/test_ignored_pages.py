"""Pages that git ignores are written, and a note says that no commit contains them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement

BECAUSE = ("--because", "I decided")


@pytest.fixture
def clone(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    return Clone(program)


def ignoring(clone: Clone, pattern: str) -> None:
    with (clone.folder / ".git" / "info" / "exclude").open("a") as file:
        file.write(f"{pattern}\n")


@requirement("files.ignored-pages-told")
def test_a_sync_says_once_that_git_ignores_what_it_wrote(clone: Clone) -> None:
    ignoring(clone, "*.md")
    clone.program("remember", *BECAUSE, "Ships on Tuesdays.").well()
    clone.program("remember", *BECAUSE, "Ships from Hamburg.").well()

    synced, again = clone.program("sync"), clone.program("sync")

    assert synced.code == again.code == 0
    assert synced.err.count("git ignores") == 1
    assert "git ignores .holdfast/memory/facts.md, because of '*.md' in line" in synced.err
    assert "run 'git add -f .holdfast/memory/facts.md'" in synced.err
    assert "git ignores" not in again.err


@requirement("files.ignored-pages-told")
def test_doctor_names_the_pages_that_git_ignores_until_it_tracks_them(clone: Clone) -> None:
    ignoring(clone, ".holdfast/")
    clone.program("remember", *BECAUSE, "Ships on Tuesdays.").well()
    clone.program("remember", *BECAUSE, "--kind", "rule", "Never ship on Fridays.").well()
    clone.program("sync").well()

    checked = clone.program("doctor")
    clone.git("add", "-f", ".holdfast/memory/facts.md", ".holdfast/memory/rules.md")
    tracked = clone.program("doctor")

    assert "git ignores 2 pages in .holdfast/memory" in checked.out
    assert "add each with 'git add -f'" in checked.out
    assert (checked.code, tracked.code) == (0, 0)
    assert "git ignores" not in tracked.out


def test_a_page_that_a_pattern_takes_back_is_not_ignored(clone: Clone, tmp_path: Path) -> None:
    ignoring(clone, "*.md")
    ignoring(clone, "!facts.md")
    clone.program("remember", *BECAUSE, "Ships on Tuesdays.").well()

    assert "git ignores" not in clone.program("sync").well().err
    assert "git ignores" not in clone.program("doctor").out
    outside = Program(home=clone.program.home, folder=tmp_path)
    assert "git ignores" not in outside("doctor").out
