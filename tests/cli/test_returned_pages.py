"""sync: a person who goes back to a text of their own with git is no stranger; others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

OLD, NEW = "We deploy on Tuesdays.", "We deploy on Fridays."


def made(program: Program) -> Clone:
    """A clone whose pages have one decision, committed here and corrected since."""
    program("init", "--files", "--no-model").well()
    clone = Clone(program)
    clone.decide(OLD)
    clone.commit("Pages")
    clone.edit("Tuesdays", "Fridays")
    assert clone.sync() == [("DEC-001", "taken in")]
    return clone


@pytest.fixture
def ada(scenes: Scenes) -> Clone:
    return scenes.of(made)


@requirement("files.a-return-is-ones-own")
def test_a_page_that_is_checked_out_again_is_the_persons_own(ada: Clone) -> None:
    ada.git("checkout", "-q", "--", ".holdfast")

    assert ada.sync() == [("DEC-001", "taken in")]

    assert ada.recalled("deploy") == [OLD]


@requirement("files.a-return-is-ones-own")
def test_a_stash_and_its_return_leave_no_candidate(ada: Clone) -> None:
    ada.git("stash", "-q")
    assert ada.sync() == [("DEC-001", "taken in")]
    assert ada.recalled("deploy") == [OLD]
    ada.git("stash", "pop", "-q")

    assert ada.sync() == [("DEC-001", "taken in")]

    assert ada.recalled("deploy") == [NEW]
    assert ada.program("review").well().out == ""


@requirement("files.a-return-is-ones-own")
@pytest.mark.parametrize("is_synced", [True, False])
def test_a_revert_of_ones_own_commit_is_ones_own(ada: Clone, *, is_synced: bool) -> None:
    ada.commit("Fridays")
    if is_synced:
        assert ada.sync() == []
    ada.git("revert", "--no-edit", "HEAD")

    assert ada.sync() == [("DEC-001", "taken in")]

    assert ada.recalled("deploy") == [OLD]


@requirement("files.a-return-is-ones-own")
@pytest.mark.parametrize("how", ["revert", "reset"])
def test_an_entry_whose_removal_is_taken_back_with_git_is_accepted_again(
    ada: Clone, how: str
) -> None:
    ada.commit("Fridays")
    ada.sync()
    ada.git("rm", "-q", str(ada.page()))
    ada.commit("Without")
    assert ada.sync() == [("DEC-001", "deprecated")]
    ada.git(*{"revert": ("revert", "--no-edit", "HEAD")}.get(how, ("reset", "--hard", "HEAD~1")))

    assert ada.sync() == [("DEC-001", "taken in")]

    assert ada.recalled("deploy") == [NEW]
    assert ada.git("status", "--porcelain") == ""


def pushed(ada: Clone, tmp_path: Path) -> Clone:
    """Commit the correction; return a clone of somebody else, whose work Ada can pull."""
    ada.commit("Fridays")
    assert ada.sync() == []
    other = ada.clone(tmp_path / "other")
    ada.git("remote", "add", "origin", str(other.folder))
    return other


@requirement("files.git-brings-candidates")
def test_an_old_text_that_others_bring_back_waits_however_the_page_gets_it(
    ada: Clone, tmp_path: Path
) -> None:
    other = pushed(ada, tmp_path)
    other.edit("Fridays", "Tuesdays")
    other.commit("Back")
    ada.git("pull", "-q", "--ff-only", "origin", "main")
    ada.edit("Tuesdays", "Mondays")
    assert ada.sync() == [("DEC-001", "taken in")]
    ada.git("checkout", "-q", "--", ".holdfast")
    assert ada.sync() == [("DEC-001", "proposed")]
    (ada.folder / "own.py").write_text("x = 1\n", encoding="utf-8")
    ada.commit("My own work")

    assert ada.sync() == [("DEC-001", "waiting")]

    assert ada.recalled("deploy") == ["We deploy on Mondays."]


@requirement("files.git-brings-candidates")
def test_a_merge_of_others_that_takes_an_old_side_waits(ada: Clone, tmp_path: Path) -> None:
    other = pushed(ada, tmp_path)
    other.git("checkout", "-q", "-b", "side", "HEAD~1")
    (other.folder / "side.py").write_text("x = 1\n", encoding="utf-8")
    other.commit("No page is changed")
    other.git("merge", "-q", "--no-edit", "--strategy", "ours", "main")
    ada.git("pull", "-q", "--ff-only", "origin", "side")

    assert ada.sync() == [("DEC-001", "proposed")]

    assert ada.recalled("deploy") == [NEW]


@requirement("files.git-brings-candidates")
def test_a_revert_brings_back_no_text_that_was_never_accepted(ada: Clone, tmp_path: Path) -> None:
    other = pushed(ada, tmp_path)
    other.edit("Fridays", "Sundays")
    other.commit("Sundays")
    other.edit("Sundays", "Fridays")
    other.commit("Fridays again")
    ada.git("pull", "-q", "--ff-only", "origin", "main")
    assert ada.sync() == []
    ada.git("revert", "--no-edit", "HEAD")

    assert ada.sync() == [("DEC-001", "proposed")]

    assert ada.recalled("deploy") == [NEW]
