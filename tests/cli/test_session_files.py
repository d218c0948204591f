"""Sessions at the shell, in real repositories: files, merges, trust, and what git does to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement

STATE = Path(".holdfast/project_state.json")


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


def start(clone: Clone) -> str:
    return str(
        clone.program("session", "start", "--tool", "claude", "--json").well().json["session"]["id"]
    )


def did(clone: Clone, session: str, words: str) -> None:
    clone.program("session", "did", session, words, "--ran", "make test").well()


def told(clone: Clone, *words: str) -> str:
    return clone.program("hydrate", *words).well().out


def session_file(clone: Clone) -> Path:
    (found,) = (clone.folder / ".holdfast/sessions").glob("*.json")
    return found


def state(clone: Clone) -> dict[str, Any]:
    shape: dict[str, Any] = json.loads((clone.folder / STATE).read_text(encoding="utf-8"))
    return shape


@requirement("session.files")
def test_sessions_are_ignored_by_git_and_the_state_is_not(ada: Clone) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    ada.program("session", "note", "ship it", "--kind", "goal").well()

    assert "added a cache" in session_file(ada).read_text(encoding="utf-8")
    seen = ada.git("status", "--short", "--untracked-files=all")
    assert "project_state.json" in seen
    assert "sessions/" not in seen
    assert (ada.folder / STATE).read_bytes().endswith(b"}\n")


@requirement("session.files")
def test_an_edited_file_is_taken_in_by_a_sync(ada: Clone) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    path = session_file(ada)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("added a cache", "added a small cache"), encoding="utf-8")

    assert (path.name, "taken in") in ada.sync()
    assert "added a small cache" in told(ada)
    assert path.read_text(encoding="utf-8") == text.replace("added a cache", "added a small cache")


@requirement("session.files-broken")
def test_a_file_cut_in_half_is_named_and_left(ada: Clone) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    path = session_file(ada)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[: len(whole) // 2], encoding="utf-8")

    done = ada.program("sync")

    assert path.name in done.err + done.out
    assert "column" in done.err + done.out
    assert path.read_text(encoding="utf-8") == whole[: len(whole) // 2]
    did(ada, session, "went on")
    assert "went on" in told(ada)
    path.unlink()
    ada.program("sync")
    assert "went on" in path.read_text(encoding="utf-8")


@requirement("session.files-git")
def test_a_state_from_git_waits_for_trust_and_merges_note_by_note(
    ada: Clone, tmp_path: Path
) -> None:
    ada.program("session", "note", "ship it", "--kind", "goal").well()
    ada.program("sync").well()
    ada.commit("State")
    grace = ada.clone(tmp_path / "grace")
    grace.program("init", "--files", "--no-model").well()

    assert (STATE.name, "waiting") in grace.sync()
    assert "ship it" not in told(grace)
    shown = grace.program("trust")
    assert "ship it" in shown.out
    grace.program("trust", "--yes").well()
    assert "ship it" in told(grace)

    grace.program("session", "note", "be fast", "--kind", "goal").well()
    grace.commit("Mine")
    ada.program("session", "note", "be safe", "--kind", "goal").well()
    ada.commit("Theirs")
    grace.git("pull", "-q", "--no-rebase", "--no-edit")
    assert [one["text"] for one in state(grace)["goals"]] == ["ship it", "be fast", "be safe"]


@requirement("session.files")
def test_a_finished_milestone_is_a_checkpoint_with_its_commit(ada: Clone) -> None:
    task = ada.program("task", "add", "Release 1.2", "--kind", "milestone", "--json").well()
    ada.program("task", "done", str(task.json["task"]["id"])).well()

    (point,) = state(ada)["checkpoints"]
    assert point["commit"] == ada.git("rev-parse", "HEAD")
    assert point["title"] == "Release 1.2"


@requirement("session.forgotten")
def test_a_forgotten_text_vanishes_from_the_files(ada: Clone) -> None:
    claim = "The hint for staging is the name of the cat."
    name = ada.decide(claim)
    session = start(ada)
    did(ada, session, claim)
    ada.program("session", "note", claim, "--kind", "goal").well()
    assert claim in session_file(ada).read_text(encoding="utf-8")

    ada.program("forget", name, "--yes")

    assert claim not in session_file(ada).read_text(encoding="utf-8")
    assert claim not in (ada.folder / STATE).read_text(encoding="utf-8")
    assert claim not in told(ada)


@requirement("session.branches")
def test_a_session_follows_its_branch_through_a_rebase(ada: Clone) -> None:
    session = start(ada)
    ada.git("checkout", "-q", "-b", "feature/größe")
    (ada.folder / "a.py").write_text("a\n", encoding="utf-8")
    ada.commit("A")
    did(ada, session, "worked aside")
    ada.git("checkout", "-q", "main")
    assert "worked aside" not in told(ada)
    assert "feature" not in told(ada)
    assert ada.program("session", "reconcile").code == 4
    assert ada.program("session", "reconcile", "--dry-run").code == 0
    (ada.folder / "b.py").write_text("b\n", encoding="utf-8")
    ada.commit("B")
    ada.git("checkout", "-q", "feature/größe")
    ada.git("rebase", "-q", "main")

    assert "worked aside" in told(ada)
    done = ada.program("session", "reconcile", "--json").well().json
    assert (done["happened"], done["choice"], done["turns"]) == ("rebased", "rebase", 1)
    assert ada.program("session", "reconcile", "--json").well().json["happened"] == "same"


@requirement("session.reconcile")
def test_the_setting_decides_where_nobody_is_asked(ada: Clone) -> None:
    session = start(ada)
    ada.git("checkout", "-q", "-b", "feature")
    ada.commit("A")
    did(ada, session, "worked aside")
    ada.git("checkout", "-q", "-b", "next", "main")
    ada.program("config", "set", "session.reconcile", "fork").well()

    done = ada.program("session", "reconcile", "--json").well().json

    assert done["choice"] == "fork"
    assert done["session"] != session
    assert "worked aside" in told(ada)


def test_a_detached_head_and_no_repository(ada: Clone, tmp_path: Path) -> None:
    session = start(ada)
    ada.git("checkout", "-q", "--detach")
    did(ada, session, "on no branch")
    assert "No branch at" in told(ada)
    assert "on no branch" in told(ada)
    plain = Program(home=ada.program.home, folder=tmp_path, extra={"USER": "ada"})
    done = plain("hydrate").well()
    assert done.out == ""
    assert "no repository" in done.err


def test_an_empty_repository_has_sessions_too(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    bare = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    bare.git("init", "-q", "-b", "main")
    bare.program("init", "--files", "--no-model").well()
    did(bare, start(bare), "before any commit")

    assert "before any commit" in told(bare)
    assert bare.program("session", "reconcile", "--json").well().json["happened"] == "no-history"


@requirement("session.rewind")
def test_rewind_fork_resume_and_show(ada: Clone) -> None:
    session = start(ada)
    for words in ("one", "two", "three"):
        did(ada, session, words)
    assert "2 turns are hidden" in ada.program("session", "rewind", session, "--to-turn", "1").err
    assert "three" not in session_file(ada).read_text(encoding="utf-8")
    ada.program("session", "rewind", session, "--undo").well()
    assert "three" in ada.program("session", "show", session).well().out
    forked = ada.program("session", "fork", session, "--to-turn", "2")
    assert f"forked from {session} at turn 2" in forked.well().out
    ada.program("session", "end", session).well()
    assert "open" in ada.program("session", "resume", session).well().out
    assert ada.program("session", "rewind", session).code == 2
    note = (
        ada.program("session", "note", "tidy", "--session", session, "--json").well().json["note"]
    )
    closed = ada.program("session", "note", "--id", note["id"], "--session", session, "--done")
    assert "done" in closed.well().out


def test_a_repository_whose_settings_allow_no_files_gets_none(ada: Clone) -> None:
    settings = ada.folder / ".holdfast/config.toml"
    settings.write_text("files = false\n", encoding="utf-8")
    did(ada, start(ada), "without a file")
    assert not (ada.folder / ".holdfast/sessions").exists()
    assert "without a file" in told(ada)


def untracked(clone: Clone) -> str:
    return clone.git("status", "--short", "--untracked-files=all")


@requirement("files.private-stays-out-of-git")
def test_private_files_are_ignored_on_a_branch_without_pages(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    ada = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    ada.git("init", "-q", "-b", "main")
    ada.commit("First")
    ada.git("switch", "-qc", "pages")
    ada.program("init", "--files", "--no-model").well()
    ada.commit("Keep pages")
    ada.git("switch", "-q", "main")

    session = start(ada)
    did(ada, session, "added a cache")
    ada.program("sync")

    assert untracked(ada) == ""


@requirement("files.private-stays-out-of-git")
def test_private_files_stay_ignored_when_a_branch_without_pages_is_checked_out(ada: Clone) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    ada.sync()
    ada.git("switch", "-qc", "older", "HEAD~1")

    assert session_file(ada).exists()
    assert (ada.folder / ".holdfast/memory/candidates.md").exists()
    assert untracked(ada) == ""


@requirement("files.private-stays-out-of-git")
def test_a_team_that_wants_to_see_sessions_takes_the_line_out(ada: Clone) -> None:
    did(ada, start(ada), "added a cache")
    exclude = ada.folder / ".git/info/exclude"
    assert "/.holdfast/sessions/" in exclude.read_text(encoding="utf-8").splitlines()
    ignoring = ada.folder / ".holdfast/.gitignore"
    lines = ignoring.read_text(encoding="utf-8").splitlines(keepends=True)
    ignoring.write_text("".join(one for one in lines if one != "sessions/\n"), encoding="utf-8")
    ada.sync()

    assert "?? .holdfast/sessions/" in untracked(ada)
    assert "candidates.md" not in untracked(ada)


@requirement("files.private-stays-out-of-git")
def test_no_session_is_written_where_git_cannot_be_told_to_ignore_it(ada: Clone) -> None:
    exclude = ada.folder / ".git/info/exclude"
    exclude.unlink(missing_ok=True)
    exclude.mkdir(parents=True)
    session = start(ada)
    did(ada, session, "added a cache")

    assert not list((ada.folder / ".holdfast").glob("sessions/*.json"))
    assert "added a cache" in told(ada)


@requirement("files.private-stays-out-of-git")
def test_a_repository_is_the_same_after_its_private_files_are_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    ada = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    ada.git("init", "-q", "-b", "main", "--template=")
    ada.program("init", "--files", "--no-model").well()
    name = ada.program("remember", "--because", "I decided", "Carts are blue.").well().id
    did(ada, start(ada), "added a cache")

    assert (folder / ".git/info/exclude").exists()
    assert name in ada.program("list").well().out
