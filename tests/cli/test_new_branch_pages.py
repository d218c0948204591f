"""The first sync of a new branch: it begins with what was agreed on where the branch was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

CLAIM = "Colorama was dropped; Windows understands styles."
EDITED = "Colorama was dropped in 8.5; Windows understands styles."
THEIRS = "Colorama was taken back; Windows understands nothing."


def made(program: Program) -> Clone:
    clone = Clone(program)
    program("init", "--files").well()
    clone.decide(CLAIM)
    clone.commit("Decide")
    return clone


@pytest.fixture
def ada(scenes: Scenes) -> Clone:
    return scenes.of(made)


@requirement("files.edits-are-taken-in")
@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("way", ["switch", "renamed", "from an older commit", "twice"])
def test_the_first_edit_on_a_new_branch_is_taken_in(
    ada: Clone, way: str, *, is_committed: bool
) -> None:
    if way == "from an older commit":
        ada.commit("Go on")
        ada.git("switch", "-qc", "b1", "HEAD~1")
    else:
        ada.git("switch", "-qc", "b1")
    if way == "renamed":
        ada.git("branch", "-m", "b2")
    if way == "twice":
        ada.git("switch", "-qc", "b2")
    ada.edit("was dropped;", "was dropped in 8.5;")
    if is_committed:
        ada.git("commit", "-qam", "Say when")

    assert ada.sync() == [("DEC-001", "taken in")]
    assert ada.recalled("colorama windows styles")[0] == EDITED
    assert ada.sync() == []
    if is_committed:
        ada.git("switch", "-q", "main")
        assert ada.sync() == []


@requirement("files.edits-are-taken-in")
@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("way", ["new branch", "older commit", "known branch", "second"])
def test_the_first_edit_in_a_new_worktree_is_taken_in(
    ada: Clone, tmp_path: Path, way: str, *, is_committed: bool
) -> None:
    match way:
        case "new branch":
            there = ada.worktree(tmp_path / "there", "-b", "b1")
        case "older commit":
            ada.commit("Go on")
            there = ada.worktree(tmp_path / "there", "-b", "b1", "HEAD~1")
        case "known branch":
            ada.git("switch", "-qc", "b1")
            assert ada.sync() == []
            ada.git("switch", "-q", "main")
            there = ada.worktree(tmp_path / "there", "b1")
        case _:
            first = ada.worktree(tmp_path / "first", "-b", "b0")
            there = first.worktree(tmp_path / "there", "-b", "b1")
    there.edit("was dropped;", "was dropped in 8.5;")
    if is_committed:
        there.git("commit", "-qam", "Say when")

    assert there.sync() == [("DEC-001", "taken in")]
    assert there.recalled("colorama windows styles")[0] == EDITED
    assert there.sync() == []
    if is_committed:
        assert ada.sync() == []


@requirement("files.edits-are-taken-in")
@requirement("files.no-false-conflicts")
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("way", ["here", "older commit", "synced before", "branch", "worktree"])
def test_the_first_edit_without_a_branch_is_taken_in(
    ada: Clone, tmp_path: Path, way: str, *, is_committed: bool
) -> None:
    match way:
        case "older commit":
            ada.commit("Go on")
            ada.git("checkout", "-q", "--detach", "HEAD~1")
        case "branch":
            ada.git("switch", "-qc", "b1")
            ada.git("checkout", "-q", "--detach")
        case "worktree":
            ada = ada.worktree(tmp_path / "there", "--detach")
        case _:
            ada.git("checkout", "-q", "--detach")
    if way == "synced before":
        assert ada.sync() == []
    ada.edit("was dropped;", "was dropped in 8.5;")
    if is_committed:
        ada.git("commit", "-qam", "Say when")

    assert ada.sync() == [("DEC-001", "taken in")]
    assert ada.recalled("colorama windows styles")[0] == EDITED
    assert ada.sync() == []


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("way", ["theirs", "merged"])
def test_text_of_others_waits_without_a_branch_too(ada: Clone, tmp_path: Path, way: str) -> None:
    grace = ada.clone(tmp_path / "grace")
    grace.edit(CLAIM, THEIRS)
    grace.commit("Take it back")
    ada.git("fetch", "-q", str(grace.folder), "main:refs/remotes/grace/main")
    if way == "theirs":
        ada.git("checkout", "-q", "--detach", "grace/main")
    else:
        ada.git("checkout", "-q", "--detach")
        ada.git("merge", "-q", "--no-ff", "--no-edit", "grace/main")
    (ada.folder / "own.txt").write_text("own\n")
    ada.commit("Work of ones own")

    assert ada.sync() == [("DEC-001", "proposed")]
    assert ada.recalled("colorama windows styles") == [CLAIM]


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_an_older_commit_lacks_is_no_removal(ada: Clone) -> None:
    ada.decide("Windows needs no colorama.")
    ada.commit("Decide more")
    ada.git("checkout", "-q", "--detach", "HEAD~1")

    assert ada.sync() == []
    ada.git("switch", "-q", "main")
    assert ada.sync() == []
    assert len(ada.program("list", "--json").well().json["memories"]) == 2


@requirement("forget.leaves-tombstone")
def test_a_text_that_was_forgotten_does_not_return_through_a_new_worktree(
    ada: Clone, tmp_path: Path
) -> None:
    name = ada.program("list", "--json").well().json["memories"][0]["id"]
    ada.program("forget", name, "--yes")
    ada.commit("Forget")
    there = ada.worktree(tmp_path / "there", "-b", "b1", "HEAD~1")
    page = there.page()
    lines = page.read_text().splitlines(keepends=True)
    page.write_text("".join(one for one in lines if not one.startswith(("id: ", "uid: "))))

    assert [step for _, step in there.sync(code=4)] == ["forgotten"]
    assert there.recalled("colorama windows styles") == []


@requirement("files.agents-edits-stay-theirs")
@pytest.mark.parametrize("is_committed", [False, True])
def test_an_edit_of_an_agent_stays_a_proposal_in_a_new_worktree(
    ada: Clone, tmp_path: Path, *, is_committed: bool
) -> None:
    ada.edit("was dropped;", "was dropped in 8.5;")
    assert ada.program("sync", env={"CLAUDECODE": "1"}).code == 4
    if is_committed:
        ada.commit("Say when")
    there = ada.worktree(tmp_path / "there", "-b", "b1")
    if not is_committed:
        there.edit("was dropped;", "was dropped in 8.5;")

    assert there.sync() == [("DEC-001", "waiting")]
    assert there.recalled("colorama windows styles") == [CLAIM]


@requirement("files.git-brings-candidates")
def test_text_of_others_waits_in_a_new_worktree_too(ada: Clone, tmp_path: Path) -> None:
    grace = ada.clone(tmp_path / "grace")
    grace.edit(CLAIM, THEIRS)
    grace.commit("Take it back")
    ada.git("fetch", "-q", str(grace.folder), "main:refs/remotes/grace/main")
    there = ada.worktree(tmp_path / "there", "-b", "b1", "--no-track", "grace/main")

    assert there.sync() == [("DEC-001", "proposed")]
    assert there.recalled("colorama windows styles") == [CLAIM]


@requirement("files.no-false-conflicts")
def test_a_sync_of_another_branch_takes_nothing_from_a_new_one(ada: Clone) -> None:
    ada.git("switch", "-qc", "b1")
    assert ada.sync() == []
    ada.git("switch", "-q", "main")
    ada.edit("was dropped;", "was dropped for good;")
    assert ada.sync() == [("DEC-001", "taken in")]
    ada.commit("Say how")
    ada.git("switch", "-q", "b1")
    ada.edit("was dropped;", "was dropped in 8.5;")

    assert ada.sync() == [("DEC-001", "taken in")]


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("way", ["branch of theirs", "merged", "pulled before", "older, merged"])
def test_text_of_others_waits_on_a_new_branch_too(ada: Clone, tmp_path: Path, way: str) -> None:
    grace = ada.clone(tmp_path / "grace")
    grace.edit(CLAIM, THEIRS)
    grace.commit("Take it back")
    ada.git("fetch", "-q", str(grace.folder), "main:refs/remotes/grace/main")
    match way:
        case "branch of theirs":
            ada.git("switch", "-qc", "b1", "--no-track", "grace/main")
        case "merged":
            ada.git("switch", "-qc", "b1")
            ada.git("merge", "-q", "--no-ff", "--no-edit", "grace/main")
        case "pulled before":
            ada.git("merge", "-q", "--ff-only", "grace/main")
            ada.git("switch", "-qc", "b1")
        case _:
            ada.git("switch", "-qc", "b1")
            ada.commit("Go on")
            ada.git("merge", "-q", "--no-edit", "grace/main")
    (ada.folder / "own.txt").write_text("own\n")
    ada.commit("Work of ones own")

    assert ada.sync() == [("DEC-001", "proposed")]
    assert ada.recalled("colorama windows styles") == [CLAIM]


@requirement("files.git-brings-candidates")
def test_a_new_entry_of_others_below_a_new_branch_waits(ada: Clone, tmp_path: Path) -> None:
    grace = ada.clone(tmp_path / "grace")
    page = grace.page()
    page.write_text(f"{page.read_text()}\n---\ntype: decision\n---\nAll tests may be skipped.\n")
    grace.commit("Decide more")
    ada.git("pull", "-q", "--ff-only", str(grace.folder), "main")
    ada.git("switch", "-qc", "b1")
    (ada.folder / "own.txt").write_text("own\n")
    ada.commit("Work of ones own")

    assert [step for _, step in ada.sync()] == ["proposed"]


@requirement("task.pages-both-ways")
@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("way", ["switch", "worktree"])
def test_the_first_edit_of_a_task_on_a_new_branch_is_taken_in(
    ada: Clone, tmp_path: Path, way: str, *, is_committed: bool
) -> None:
    name = ada.program("task", "add", "Paint the fence").well().id
    ada.program("sync").well()
    ada.commit("Plan")
    if way == "switch":
        ada.git("switch", "-qc", "b1")
    else:
        ada = ada.worktree(tmp_path / "there", "-b", "b1")
    page = next((ada.folder / ".holdfast" / "tasks").glob("t_*.md"))
    page.write_text(page.read_text().replace("Paint the fence", "Paint the gate"))
    if is_committed:
        ada.git("commit", "-qam", "Plan again")

    done = ada.program("sync").well()

    assert "taken" in done.out + done.err
    assert "Paint the gate" in ada.program("task", "show", name).well().out


@requirement("files.agents-edits-stay-theirs")
@pytest.mark.parametrize("way", ["switch", "worktree"])
def test_an_edit_of_an_agent_on_a_task_stays_theirs_on_a_new_branch(
    ada: Clone, tmp_path: Path, way: str
) -> None:
    name = ada.program("task", "add", "Paint the fence").well().id
    ada.program("sync").well()
    ada.commit("Plan")
    if way == "switch":
        there = ada
        ada.git("branch", "b1")
    else:
        there = ada.worktree(tmp_path / "there", "-b", "b1")
    page = next((ada.folder / ".holdfast" / "tasks").glob("t_*.md"))
    page.write_text(page.read_text().replace("Paint the fence", "Paint the gate"))
    assert ada.program("sync", env={"CLAUDECODE": "1"}).code == 4
    ada.commit("Plan again")
    if way == "switch":
        ada.git("switch", "-q", "b1")
    there.git("merge", "-q", "--ff-only", "main")

    there.program("sync")

    assert "Paint the fence" in there.program("task", "show", name).well().out
