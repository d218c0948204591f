"""Memory pages beside git: a stash, a commit from before the pages, and a committed removal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import MEMORY, Clone
from tests.cli.program import Program
from tests.requirements import requirement

CANDIDATES = MEMORY / "candidates.md"


@pytest.fixture
def ada(tmp_path: Path) -> Clone:
    folder = tmp_path / "app"
    folder.mkdir()
    made = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    made.git("init", "-q", "-b", "main")
    made.commit("First")
    made.program("init", "--files", "--no-model").well()
    made.commit("Keep pages")
    return made


@requirement("files.never-in-gits-way")
@pytest.mark.parametrize("is_added", [True, False])
def test_a_page_in_the_stash_is_left_to_the_stash(ada: Clone, *, is_added: bool) -> None:
    ada.decide("Carts are kept for 30 days.")
    if is_added:
        ada.git("add", "-A")
    ada.git("stash", "push", "-q", "--include-untracked")

    assert ada.sync() == []
    assert not ada.page().exists()
    ada.git("stash", "pop", "-q")
    assert ada.sync() == []
    assert "Carts are kept for 30 days." in ada.page().read_text(encoding="utf-8")


@requirement("files.never-in-gits-way")
def test_a_page_that_the_stash_lacks_is_written_again(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    (ada.folder / "code.py").write_text("n = 1\n", encoding="utf-8")
    ada.git("stash", "push", "-q", "--include-untracked", "--", "code.py")
    ada.page().unlink()

    assert ada.sync() == [("DEC-001", "restored")]
    ada.git("stash", "pop", "-q")


@requirement("files.never-in-gits-way")
def test_a_commit_from_before_the_pages_gets_no_page_of_candidates(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    ada.git("checkout", "-q", "HEAD~2")
    (ada.folder / CANDIDATES).unlink()

    assert "This repository has no pages." in ada.program("sync").err
    assert ada.git("status", "--porcelain") == ""
    ada.git("checkout", "-q", "main")
    ada.program("sync").well()
    assert (ada.folder / CANDIDATES).exists()


@requirement("files.never-in-gits-way")
def test_a_new_page_that_another_branch_has_is_to_be_committed_first(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    ada.git("checkout", "-qb", "side", "HEAD~1")
    assert ada.sync() == []
    assert ada.git("status", "--porcelain") == ""
    ada.program("remember", "--kind", "decision", "--because", "x", "Carts are blue.").well()

    assert "commit it before you switch branches" in " ".join(
        ada.program("sync").well().out.split()
    )
    ada.commit("Decide on the side")
    ada.git("checkout", "-q", "main")
    ada.git("checkout", "-q", "side")
    assert ada.sync() == []


def _remove(clone: Clone, how: str) -> None:
    """Remove the page of decisions, and commit the removal."""
    if how == "revert":
        clone.git("revert", "--no-edit", "HEAD")
        return
    clone.git("rm", "-q", str(MEMORY / "decisions.md"))
    clone.git("commit", "-qm", "Remove it")


@requirement("files.absence-is-not-deletion")
@pytest.mark.parametrize("how", ["revert", "rm"])
def test_a_page_committed_and_removed_between_two_syncs_is_removed(ada: Clone, how: str) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    _remove(ada, how)

    assert ada.sync() == [("DEC-001", "deprecated")]
    assert not ada.page().exists()
    assert ada.recalled("carts") == []


@requirement("files.absence-is-not-deletion")
def test_a_commit_that_was_taken_back_removes_nothing(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    ada.git("reset", "-q", "--hard", "HEAD~1")

    assert ada.sync() == [("DEC-001", "restored")]


@requirement("files.absence-is-not-deletion")
def test_a_removal_that_was_pulled_removes_nothing_that_no_sync_saw(
    ada: Clone, tmp_path: Path
) -> None:
    other = Clone(Program(home=tmp_path / "bob", folder=tmp_path / "copy", extra={"USER": "bob"}))
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    ada.git("clone", "-q", ".", str(other.folder))
    _remove(other, "rm")
    ada.git("pull", "-q", "--ff-only", str(other.folder), "main")

    assert ada.sync() == [("DEC-001", "restored")]


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_only_a_dropped_branch_committed_is_written_again(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.git("checkout", "-qb", "side")
    ada.commit("Decide")
    ada.git("checkout", "-q", "main")
    (ada.folder / "code.py").write_text("n = 1\n", encoding="utf-8")
    ada.commit("Work")
    ada.git("merge", "-q", "--no-edit", "-s", "ours", "side")

    assert ada.sync() == [("DEC-001", "restored")]


@requirement("files.absence-is-not-deletion")
def test_a_removal_that_an_agents_sync_found_first_waits_for_a_person(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.commit("Decide")
    _remove(ada, "rm")

    ada.program("sync", env={"HOLDFAST_AGENT": "1"})
    assert ada.sync(code=4) == [("DEC-001", "removal proposed")]
    assert ada.sync("--accept-removals") == [("DEC-001", "deprecated")]


@requirement("files.used-by-real-pages")
@pytest.mark.parametrize("left", ["memory", "memory/decisions", "sessions", "tasks"])
def test_an_empty_folder_is_no_page(tmp_path: Path, left: str) -> None:
    folder = tmp_path / "app"
    (folder / ".holdfast" / left).mkdir(parents=True)
    bob = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "bob"}))
    bob.git("init", "-q", "-b", "main")
    bob.program("remember", "--kind", "decision", "--because", "x", "Carts are blue.").well()
    bob.program("session", "note", "Ship the shop", "--kind", "goal").well()

    bob.program("sync")

    assert [one for one in folder.rglob(".holdfast/**/*") if one.is_file()] == []


@requirement("files.used-by-real-pages")
def test_a_commit_from_before_the_pages_gets_no_state_of_the_project(ada: Clone) -> None:
    ada.decide("Carts are kept for 30 days.")
    ada.program("session", "note", "Ship the shop", "--kind", "goal").well()
    ada.program("sync").well()
    ada.commit("Decide")
    ada.git("checkout", "-q", "HEAD~2")

    ada.program("session", "note", "Ship it twice", "--kind", "goal").well()
    ada.program("sync")

    assert not (ada.folder / ".holdfast/project_state.json").exists()
    ada.git("checkout", "-q", "main")
