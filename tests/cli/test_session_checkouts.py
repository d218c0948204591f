"""Sessions at the shell: agents beside people, older checkouts, and the sessions of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.test_session_files import STATE, did, session_file, start, state, told
from tests.requirements import requirement

AGENT = {"HOLDFAST_AGENT": "1"}


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


def note(clone: Clone, *words: str) -> str:
    return str(clone.program("session", "note", *words, "--json").well().json["note"]["id"])


def goals(clone: Clone) -> list[tuple[str, str]]:
    return [(one["id"], one["text"]) for one in state(clone)["goals"]]


@requirement("session.proposals")
def test_an_agent_at_the_shell_proposes_and_a_person_accepts(ada: Clone) -> None:
    mine = note(ada, "ship 1.2", "--kind", "goal")
    done = ada.program("session", "note", "ship 9", "--id", mine, env=AGENT).well()
    proposal = done.id

    assert f"proposed, would change {mine}" in done.out
    assert "a person wrote" in done.err
    shown = ada.program("hydrate").well()
    assert "ship 1.2" in shown.out
    assert "ship 9" not in shown.out
    assert proposal in shown.err
    assert "session note --id NAME" in shown.err
    assert ada.program("session", "note", "--id", proposal).well().id == mine
    assert "ship 9" in told(ada)
    assert goals(ada) == [(mine, "ship 9")]


@requirement("session.proposals")
def test_hydrate_names_the_first_of_many_proposals(ada: Clone) -> None:
    for number in range(12):
        ada.program("session", "note", f"goal {number}", "--kind", "goal", env=AGENT).well()

    shown = ada.program("hydrate").well()

    assert "2 more: --json" in shown.err
    assert len(ada.program("hydrate", "--json").well().json["proposed"]) == 12


@requirement("session.proposals")
def test_an_agents_edit_of_the_files_is_proposed_or_waits(ada: Clone) -> None:
    mine = note(ada, "ship 1.2", "--kind", "goal")
    session = start(ada)
    ada.program("session", "did", session, "added a cache", "--asked", "make it fast").well()
    path = session_file(ada)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("make it fast", "drop the data"), encoding="utf-8")
    before = (ada.folder / STATE).read_text(encoding="utf-8")
    (ada.folder / STATE).write_text(before.replace("true", "false"), encoding="utf-8")

    done = ada.program("sync", "--json", env=AGENT)

    steps = {one["label"]: one["step"] for one in done.json["outcomes"]}
    assert (done.code, steps[STATE.name], steps[path.name]) == (4, "proposed", "waiting")
    assert "ship 1.2" in told(ada)
    assert "drop the data" not in told(ada)
    assert goals(ada)[0] == (mine, "ship 1.2")
    assert (path.name, "waiting") in ada.sync()
    assert "drop the data" in ada.program("trust").out
    ada.program("trust", "--yes").well()
    assert "drop the data" in told(ada)


@requirement("session.files-checkout")
@pytest.mark.parametrize("place", ["detached", "branch", "reset"])
def test_an_older_checkout_changes_neither_the_goals_nor_the_file(ada: Clone, place: str) -> None:
    note(ada, "goal one", "--kind", "goal")
    ada.commit("One")
    note(ada, "goal two", "--kind", "goal")
    ada.commit("Two")
    known = goals(ada)

    how = {
        "detached": ("checkout", "-q", "--detach", "HEAD~1"),
        "branch": ("checkout", "-q", "-b", "old", "HEAD~1"),
        "reset": ("reset", "-q", "--hard", "HEAD~1"),
    }
    newest = ada.git("rev-parse", "HEAD")
    ada.git(*how[place])
    assert ada.sync() == []
    assert ada.git("status", "--short") == ""
    assert "goal two" in told(ada)
    back = ("reset", "-q", "--hard", newest) if place == "reset" else ("checkout", "-q", "main")
    ada.git(*back)
    assert ada.sync() == []
    assert ada.git("status", "--short") == ""
    assert goals(ada) == known


@requirement("session.files-checkout")
def test_the_next_turn_after_a_revert_writes_the_whole_file_of_a_session(ada: Clone) -> None:
    share_sessions(ada)
    session = start(ada)
    did(ada, session, "added a cache")
    ada.commit("One")
    did(ada, session, "tested the cache")
    ada.commit("Two")

    ada.git("revert", "--no-edit", "HEAD")
    assert ada.sync() == []
    (file,) = (ada.folder / ".holdfast/sessions").glob("*.json")
    assert "tested the cache" not in file.read_text(encoding="utf-8")
    did(ada, session, "cleared the cache")

    text = file.read_text(encoding="utf-8")
    assert "tested the cache" in text
    assert "cleared the cache" in text


@requirement("session.files-checkout")
def test_a_checkout_from_before_the_file_gets_none(ada: Clone) -> None:
    ada.decide("Pages are kept.")
    ada.commit("A page")
    ada.git("branch", "before")
    note(ada, "goal one", "--kind", "goal")
    ada.commit("One")

    ada.git("checkout", "-q", "before")
    ada.sync()
    assert not (ada.folder / STATE).exists()
    ada.git("checkout", "-q", "main")
    assert ada.git("status", "--short") == ""


@requirement("files.never-in-gits-way")
def test_a_commit_from_before_the_pages_gets_no_file_that_another_has(ada: Clone) -> None:
    share_sessions(ada)
    did(ada, start(ada), "added a cache")
    note(ada, "goal one", "--kind", "goal")
    first = ada.decide("Pages are kept.")
    ada.commit("Pages and goals")
    ada.git("checkout", "-q", "--detach", "main~3")
    (ada.folder / ".holdfast/memory").mkdir(parents=True, exist_ok=True)

    note(ada, "goal two", "--kind", "goal")
    words = ("--kind", "decision", "--because", "I decided", "Pages are read.")
    second = ada.program("remember", *words).well().id
    ada.git("checkout", "-q", "main")
    ada.sync()

    assert [text for _, text in goals(ada)] == ["goal one", "goal two"]
    page = (ada.folder / ".holdfast/memory/decisions.md").read_text(encoding="utf-8")
    assert first in page
    assert second in page


def share_sessions(clone: Clone) -> None:
    ignored = clone.folder / ".holdfast/.gitignore"
    text = ignored.read_text(encoding="utf-8")
    ignored.write_text(text.replace("\nsessions/\n", "\n"), encoding="utf-8")
    clone.sync()
    clone.commit("Share sessions")


@requirement("session.files-shared")
def test_a_shared_session_is_accepted_or_ignored_and_then_quiet(ada: Clone, tmp_path: Path) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    share_sessions(ada)
    name = session_file(ada).name
    grace, linus = ada.clone(tmp_path / "grace"), ada.clone(tmp_path / "linus")
    for one in (grace, linus):
        one.program("init", "--files", "--no-model").well()
        assert (name, "waiting") in one.sync()

    grace.program("trust", "--yes").well()
    assert grace.sync() == []
    assert "recorded by ada, from git): done: added a cache" in told(grace)
    assert (
        f"left alone  .holdfast/sessions/{name}"
        in linus.program("trust", "--ignore-sessions").well().out
    )
    assert linus.sync() == []
    assert "added a cache" not in told(linus)

    did(ada, session, "and a second one")
    ada.commit("More")
    for one in (grace, linus):
        one.git("pull", "-q")
    assert (name, "waiting") in grace.sync()
    assert linus.sync() == []
    assert grace.git("status", "--short") == linus.git("status", "--short") == ""
    linus.program("trust", "--revoke").well()
    assert (name, "waiting") in linus.sync()
    shown = linus.program("trust", "--ignore-sessions", "--json").well().json
    assert shown["ignored"] == [f".holdfast/sessions/{name}"]
    assert "No session" in linus.program("trust", "--ignore-sessions").well().err
    assert linus.program("trust", "--ignore-sessions", "--yes").code == 2


@requirement("session.authors")
def test_what_an_agent_did_is_marked_in_every_view(ada: Clone) -> None:
    session = start(ada)
    words = ("session", "did", session, "did it", "--asked", "drop the data")
    assert "(agent)" in ada.program(*words, env=AGENT).well().out
    ada.program("session", "note", "may I?", "--kind", "approval", env=AGENT).well()
    ada.program("task", "add", "Release", "--kind", "milestone", env=AGENT).well()
    ada.program("sync")

    assert ", recorded by agent): asked: drop the data" in told(ada)
    assert "may I? (agent)" in told(ada)
    assert "Release (agent)" in told(ada)
    shown = ada.program("session", "show", session).well().out
    assert "(agent)" in shown
    shape = json.loads(session_file(ada).read_text(encoding="utf-8"))
    assert (shape["turns"][0]["by"], shape["approvals"][0]["by"]) == ("agent", "agent")
    assert state(ada)["milestones"][0]["by"] == "agent"
    wire = ada.program("hydrate", "--json").well().json
    assert (wire["turns"][0]["origin"], wire["notes"][0]["origin"]) == ("agent", "agent")
    assert wire["milestones"][0]["author"] == "agent"


def two_turns(clone: Clone) -> str:
    session = start(clone)
    for name in ("a", "b"):
        (clone.folder / f"{name}.py").write_text(f"{name}\n", encoding="utf-8")
        clone.commit(name.upper())
        did(clone, session, f"did {name}")
    return session


@requirement("session.lost-commits")
@pytest.mark.parametrize(
    ("choice", "expected"),
    [("fresh", False), ("rebase", True), ("fork", True)],
)
def test_each_choice_after_a_reset_changes_what_is_told(
    ada: Clone, choice: str, *, expected: bool
) -> None:
    two_turns(ada)
    gone = ada.git("rev-parse", "--short=7", "HEAD")
    ada.git("reset", "-q", "--hard", "HEAD~1")
    assert f"its commit {gone} is no longer on this branch): done: did b" in told(ada)
    asked = ada.program("session", "reconcile")
    assert (asked.code, asked.out.split(":")[0]) == (4, "reset")

    ada.program("session", "reconcile", "--as", choice).well()

    assert ("did b" in told(ada)) == expected
    assert "no longer on this branch" not in told(ada)
    assert ada.program("session", "reconcile", "--json").well().json["happened"] == "same"


@requirement("session.lost-commits")
def test_a_commit_that_a_rebase_drops_is_told_as_lost(ada: Clone) -> None:
    session = two_turns(ada)
    (ada.folder / "c.py").write_text("c\n", encoding="utf-8")
    ada.commit("C")
    did(ada, session, "did c")
    ada.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1")

    lines = [line for line in told(ada).splitlines() if "did " in line]
    assert ["no longer on this branch" in line for line in lines] == [False, True, False]
    done = ada.program("session", "reconcile").well()
    assert done.out.startswith("rebased: ")
    assert "1 turn has a commit that it lost" in done.out
    assert "--as fresh" in done.err
    ada.program("session", "reconcile", "--as", "fresh").well()
    assert "did b" not in told(ada)
    assert "did c" in told(ada)


@requirement("session.lost-commits")
def test_a_commit_that_a_rebase_drops_after_a_rename_is_not_told(ada: Clone) -> None:
    ada.git("checkout", "-q", "-b", "feature")
    session = two_turns(ada)
    ada.git("branch", "-q", "-m", "renamed")
    (ada.folder / "c.py").write_text("c\n", encoding="utf-8")
    ada.commit("C")
    ada.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1")
    asked = ada.program("session", "reconcile", session, "--json")

    assert [line[-5:] for line in told(ada).splitlines() if "did " in line] == ["did a"]
    assert (asked.code, asked.json["happened"]) == (4, "branch-gone")


@requirement("session.reconcile")
def test_a_rebase_leaves_turns_at_commits_that_are_still_there(ada: Clone) -> None:
    session = two_turns(ada)
    for name in ("c", "d"):
        (ada.folder / f"{name}.py").write_text(f"{name}\n", encoding="utf-8")
        ada.commit(name.upper())
        did(ada, session, f"did {name}")
    ada.git("rebase", "-q", "--onto", "HEAD~3", "HEAD~2")
    new = ada.git("rev-list", "--reverse", "HEAD~3..HEAD").split()

    def commits() -> list[str]:
        shown = ada.program("session", "show", session, "--json").well().json
        return [turn["commit"] for turn in shown["turns"]]

    lost = commits()[1]
    first = ada.program("session", "reconcile").well()
    by_itself = commits()
    second = ada.program("session", "reconcile", "--as", "rebase").well()
    told = second.out.splitlines()
    assert told[0].startswith("rebase: i_")
    assert told[0].endswith("1 turn counts here now")
    assert told[1].startswith("before: same: ")

    assert "--as fresh" in first.err
    assert by_itself == [new[0], lost, new[1], new[2]]
    assert second.err == ""
    assert commits() == [new[0], new[2], new[1], new[2]]
    assert "lost" not in ada.program("session", "reconcile").well().out


@requirement("session.reconcile")
def test_the_hook_of_git_lets_turns_follow_a_rebase(ada: Clone) -> None:
    ada.git("checkout", "-q", "-b", "feature")
    session = two_turns(ada)
    ada.git("checkout", "-q", "main")
    (ada.folder / "c.py").write_text("c\n", encoding="utf-8")
    ada.commit("C")
    ada.git("checkout", "-q", "feature")
    old = ada.git("rev-list", "--reverse", "HEAD~2..HEAD").split()
    ada.git("rebase", "-q", "main")
    new = ada.git("rev-list", "--reverse", "HEAD~2..HEAD").split()
    pairs = "".join(f"{before} {after}\n" for before, after in zip(old, new, strict=True))

    ada.program("hooks", "run", "post-rewrite", "rebase", stdin=pairs).well()

    shown = ada.program("session", "show", session, "--json").well().json
    assert [turn["commit"] for turn in shown["turns"]] == new
    assert ada.program("session", "reconcile", "--json").well().json["happened"] == "same"


@requirement("session.files-broken")
def test_a_link_or_a_folder_in_place_of_files_is_named_and_left(ada: Clone, tmp_path: Path) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    folder, aside = ada.folder / ".holdfast/sessions", tmp_path / "aside"
    folder.rename(aside)
    folder.symlink_to(aside)
    (ada.folder / STATE).mkdir()
    before = {path: path.read_bytes() for path in aside.iterdir()}

    done = ada.program("sync")
    assert ".holdfast/sessions:1  It is a symbolic link" in done.out + done.err
    assert "It is not a plain file" in done.out + done.err
    did(ada, session, "went on")
    note(ada, "ship it", "--kind", "goal")
    assert {path: path.read_bytes() for path in aside.iterdir()} == before
    assert "went on" in told(ada)

    folder.unlink()
    (ada.folder / STATE).rmdir()
    ada.program("sync")
    assert "went on" in session_file(ada).read_text(encoding="utf-8")
    assert [text for _, text in goals(ada)] == ["ship it"]


@requirement("session.lost-commits")
def test_in_a_shallow_clone_no_commit_is_called_lost(ada: Clone, tmp_path: Path) -> None:
    two_turns(ada)
    ada.commit("Later")
    shallow = tmp_path / "shallow"
    ada.git("clone", "-q", "--depth", "1", ada.folder.as_uri(), str(shallow))
    there = Clone(Program(home=ada.program.home, folder=shallow, extra={"USER": "ada"}))

    assert "no longer" not in told(there)
    assert there.program("session", "reconcile", "--json").json["lost"] == 0


@requirement("session.files-git")
def test_goals_that_came_with_git_keep_their_ids_and_survive_an_older_checkout(
    ada: Clone, tmp_path: Path
) -> None:
    note(ada, "ship 1.2", "--kind", "goal")
    ada.commit("One goal")
    ada.git("clone", "-q", str(ada.program.folder), str(tmp_path / "other"))
    bob = Clone(Program(home=tmp_path / "bob", folder=tmp_path / "other", extra={"USER": "bob"}))
    bob.program("init", "--files", "--no-model").well()
    bob.program("trust", "--yes").well()
    note(ada, "ship 1.3", "--kind", "goal")
    ada.commit("Two goals")
    bob.git("pull", "-q")
    bob.program("trust", "--yes").well()

    assert goals(bob) == goals(ada)
    bob.git("checkout", "-q", "HEAD~1")
    bob.program("sync").well()
    bob.git("checkout", "-q", "main")
    bob.program("sync").well()
    third = note(bob, "ship 1.4", "--kind", "goal")

    assert goals(bob) == [*goals(ada), (third, "ship 1.4")]


@requirement("files.trust-can-be-taken-back")
def test_trust_that_is_taken_back_removes_turns_and_goals(ada: Clone, tmp_path: Path) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    note(ada, "ship 1.2", "--kind", "goal")
    share_sessions(ada)
    name = session_file(ada).name
    ada.git("clone", "-q", str(ada.program.folder), str(tmp_path / "other"))
    bob = Clone(Program(home=tmp_path / "bob", folder=tmp_path / "other", extra={"USER": "bob"}))
    bob.program("init", "--files", "--no-model").well()
    bob.program("trust", "--yes").well()
    note(bob, "my own goal", "--kind", "goal")
    before = told(bob)

    back = bob.program("trust", "--revoke", "--json").well().json
    after = told(bob)
    shown = bob.program("session", "show", session).out
    waiting = bob.sync()
    again = bob.program("trust", "--revoke").well()
    bob.program("trust", "--yes").well()

    assert all(words in before for words in ("added a cache", "ship 1.2", "my own goal"))
    assert back["files"] == [f".holdfast/sessions/{name}", ".holdfast/project_state.json"]
    assert "added a cache" not in after
    assert "ship 1.2" not in after
    assert "my own goal" in after
    assert "cache" not in shown
    assert {(name, "waiting"), ("project_state.json", "waiting")} <= set(waiting)
    assert "No entry was accepted" in again.err
    assert all(words in told(bob) for words in ("added a cache", "ship 1.2", "my own goal"))


@requirement("files.trust-can-be-taken-back")
def test_words_that_others_put_into_an_own_session_go_with_the_trust(
    ada: Clone, tmp_path: Path
) -> None:
    session = start(ada)
    did(ada, session, "added a cache")
    share_sessions(ada)
    other = ada.clone(tmp_path / "other")
    path = other.folder / ".holdfast/sessions" / session_file(ada).name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("added a cache", "dropped the data"), encoding="utf-8")
    other.commit("Edit")
    ada.git("pull", "-q", str(other.folder), "main")
    ada.program("trust", "--yes").well()
    before = told(ada)

    ada.program("trust", "--revoke").well()
    after = told(ada)
    session_file(ada).write_text("{", encoding="utf-8")
    start(ada)
    broken = ada.program("trust", "--revoke").well()

    assert "dropped the data" in before
    assert "dropped the data" not in after
    assert "No entry was accepted" in broken.err


def test_trust_is_taken_back_although_a_file_cannot_be_read(ada: Clone, tmp_path: Path) -> None:
    note(ada, "ship 1.2", "--kind", "goal")
    ada.commit("One goal")
    ada.git("clone", "-q", str(ada.program.folder), str(tmp_path / "other"))
    bob = Clone(Program(home=tmp_path / "bob", folder=tmp_path / "other", extra={"USER": "bob"}))
    bob.program("init", "--files", "--no-model").well()
    bob.program("trust", "--yes").well()
    (bob.folder / STATE).write_text("{", encoding="utf-8")

    shown = bob.program("trust", "--revoke").well().out

    assert "waits again  .holdfast/project_state.json" in shown
    assert "ship 1.2" not in told(bob)


@requirement("session.files-git")
def test_a_clone_with_goals_and_without_pages_is_taken_in(ada: Clone, tmp_path: Path) -> None:
    note(ada, "ship 1.2", "--kind", "goal")
    ada.commit("One goal")
    ada.git("clone", "-q", str(ada.program.folder), str(tmp_path / "other"))
    bob = Clone(Program(home=tmp_path / "bob", folder=tmp_path / "other", extra={"USER": "bob"}))
    assert not (bob.folder / ".holdfast/memory").exists()

    ready = bob.program("init", "--no-model").well()
    synced = bob.sync()
    bob.program("trust", "--yes").well()
    bob.program("remember", "--kind", "decision", "--because", "Agreed.", "We ship it.").well()
    bob.program("sync").well()

    assert "holdfast trust" in ready.err
    assert ("project_state.json", "waiting") in synced
    assert goals(bob) == goals(ada)
    assert list((bob.folder / ".holdfast/memory").rglob("*.md"))
