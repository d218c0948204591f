"""sync: pages that people edit, in real repositories with real git."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.clones import MEMORY, Clone, without_entry
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.usecases.wishes import SECRET


def made(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    made = Clone(program)
    made.commit("Keep pages")
    return made


@pytest.fixture
def clone(scenes: Scenes) -> Clone:
    return scenes.of(made)


@requirement("files.init-changes-nothing-twice")
def test_making_room_for_pages_twice_changes_nothing(program: Program) -> None:
    (program.folder / ".gitattributes").write_text("*.png binary", encoding="utf-8")

    first = program("init", "--files", "--no-model", "--json").well().json["pages"]
    tree = {path: path.read_bytes() for path in program.folder.rglob("*") if path.is_file()}
    second = program("init", "--files", "--no-model", "--json").well().json["pages"]

    assert first == [
        ".holdfast/memory/",
        ".holdfast/.gitignore",
        ".holdfast/config.toml",
        ".gitattributes",
        "merge.holdfast",
    ]
    assert second == []
    again = {path: path.read_bytes() for path in program.folder.rglob("*") if path.is_file()}
    assert tree == again
    attributes = (program.folder / ".gitattributes").read_text(encoding="utf-8")
    assert attributes == (
        "*.png binary\n.holdfast/memory/** merge=holdfast\n.holdfast/tasks/** merge=holdfast\n"
        ".holdfast/project_state.json merge=holdfast\n"
    )


@requirement("files.init-changes-nothing-twice")
def test_where_a_clone_has_pages_plain_init_only_tells_git_how_to_merge(
    clone: Clone, tmp_path: Path
) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.commit()
    other = clone.clone(tmp_path / "other")

    made = other.program("init", "--no-model", "--json").well().json["pages"]

    assert made == ["merge.holdfast"]
    assert other.git("status", "--porcelain") == ""
    assert "-P -m holdfast merge-file %O %A %B %P" in other.git("config", "merge.holdfast.driver")


@requirement("files.edits-are-taken-in")
def test_an_edit_in_a_page_is_recalled_and_all_other_bytes_stay(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    path = clone.page()
    prose = path.read_text(encoding="utf-8").replace(
        "# Decisions\n", "# What we decided\n\nRead this first.\n"
    )
    path.write_text(prose.replace("Tuesdays", "Wednesdays"), encoding="utf-8")

    assert clone.sync() == [("DEC-001", "taken in")]

    assert path.read_text(encoding="utf-8") == prose.replace("Tuesdays", "Wednesdays")
    assert clone.recalled("deploy") == ["We deploy on Wednesdays."]
    assert clone.sync("--check") == []


@requirement("files.own-commits-are-ones-own")
def test_an_edit_that_its_person_committed_is_taken_in_as_theirs(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.commit()
    clone.sync()
    clone.edit("Tuesdays", "Wednesdays")
    clone.page("rules.md").write_text("---\ntype: rule\n---\nNever rebase main.\n")
    clone.commit()

    assert clone.sync() == [("DEC-001", "taken in"), ("RUL-001", "taken in")]

    assert clone.recalled("deploy") == ["We deploy on Wednesdays."]


@requirement("files.both-changed-both-kept")
def test_what_changed_on_both_sides_waits_for_a_person(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.", "--key", "deploy")
    clone.edit("Tuesdays", "Wednesdays")
    clone.program(
        "remember", "--kind", "decision", "--because", "so", "--key", "deploy",
        "We deploy on Fridays.",
    ).well()  # fmt: skip

    assert clone.sync(code=4) == [("DEC-001", "conflict")]

    assert "We deploy on Wednesdays." in clone.page().read_text(encoding="utf-8")
    assert clone.sync(code=4) == [("DEC-001", "conflict")]
    shown = clone.program("sync")
    assert shown.code == 4
    candidate = next(word for word in shown.out.split() if word.startswith("m_")).rstrip(":")
    clone.program("reject", candidate, "--reason", "no").well()
    clone.sync()
    assert "We deploy on Fridays." in clone.page().read_text(encoding="utf-8")
    assert clone.sync("--check") == []


@requirement("files.absence-is-not-deletion")
def test_a_removal_counts_once_it_is_committed(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.decide("We test first.")
    clone.commit()
    clone.sync()
    whole = clone.page().read_text(encoding="utf-8")
    clone.page().write_text(without_entry(whole, "DEC-002"), encoding="utf-8")

    assert clone.sync() == [("DEC-002", "removal pending")]
    assert clone.recalled("test") == ["We test first."]

    clone.commit()
    assert clone.sync() == [("DEC-002", "deprecated")]
    assert clone.recalled("test") == []
    assert clone.sync() == []


@requirement("files.agents-remove-nothing")
def test_an_agent_ends_no_memory_by_removing_its_entry(clone: Clone) -> None:
    name = clone.decide("We deploy on Tuesdays.")
    clone.decide("We test first.")
    clone.commit()
    clone.sync()
    whole = clone.page().read_text(encoding="utf-8")
    clone.page().write_text(without_entry(whole, "DEC-001"), encoding="utf-8")
    clone.commit()

    by_agent = clone.program("sync", "--json", env={"CLAUDECODE": "1"})

    assert [one["step"] for one in by_agent.json["outcomes"]] == ["removal proposed"]
    assert clone.sync(code=4) == [("DEC-001", "removal proposed")]
    assert clone.program("show", name, "--json").json["data"]["status"] == "accepted"
    assert clone.program("sync", "--accept-removals", env={"CLAUDECODE": "1"}).code == 4
    assert clone.sync("--accept-removals") == [("DEC-001", "deprecated")]


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_was_never_committed_comes_back(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.page().unlink()

    assert clone.sync() == [("DEC-001", "restored")]

    assert "We deploy on Tuesdays." in clone.page().read_text(encoding="utf-8")


@requirement("files.mass-removals-are-refused")
def test_a_folder_that_is_suddenly_empty_removes_nothing(clone: Clone) -> None:
    for number in range(10):
        clone.program(
            "remember", "--kind", "decision", "--because", "so", f"Decision number {number} holds."
        ).well()
    clone.sync()
    clone.commit()
    clone.sync()
    clone.page().unlink()
    clone.commit()

    assert clone.sync(code=4) == [
        (f"DEC-{number:03d}", "removal refused") for number in range(1, 11)
    ]
    assert clone.exported().out.count('"status": "accepted"') == 10

    clone.git("revert", "--no-edit", "HEAD")
    assert clone.sync() == []


@requirement("files.branches-stay-apart")
def test_going_to_a_branch_and_back_leaves_pages_and_store_as_they_were(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.commit()
    clone.sync()
    clone.git("checkout", "-q", "-b", "feature")
    clone.sync()
    clone.edit("Tuesdays", "Fridays")
    clone.sync()
    clone.commit()
    clone.sync()
    clone.git("checkout", "-q", "main")
    clone.sync()
    clone.decide("We test first.")
    clone.commit()
    clone.sync()
    before = clone.exported().out

    for branch in ("feature", "main", "feature", "main"):
        clone.git("checkout", "-q", branch)
        assert clone.sync() == []
        assert clone.git("status", "--porcelain") == ""

    assert clone.exported().out == before
    assert clone.recalled("deploy") == ["We deploy on Tuesdays."]
    clone.git("merge", "-q", "--no-edit", "feature")
    assert clone.sync() == []
    assert clone.recalled("deploy")[0] == "We deploy on Fridays."


@requirement("files.merge-driver")
def test_two_branches_that_made_the_same_label_are_merged_and_one_is_relabelled(
    clone: Clone,
) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.commit()
    clone.sync()
    clone.git("checkout", "-q", "-b", "feature")
    theirs = clone.decide("Branches live a day.")
    clone.commit()
    clone.sync()
    clone.git("checkout", "-q", "main")
    clone.sync()
    ours = clone.page()
    ours.write_text(
        ours.read_text(encoding="utf-8") + "---\nid: DEC-002\ntype: decision\n---\nWe test first.\n"
    )
    clone.sync()
    clone.commit()
    clone.sync()
    assert clone.page().read_text(encoding="utf-8").count("id: DEC-002\n") == 1

    clone.git("merge", "-q", "--no-edit", "feature")

    clone.sync()
    text = clone.page().read_text(encoding="utf-8")
    assert "<<<<<<<" not in text
    assert text.count("id: DEC-002\n") == 1
    assert "was: [DEC-002]" in text
    assert {"Branches live a day.", "We test first."} <= set(clone.recalled("branches test day"))
    labels = {
        clone.program("show", name, "--json").well().json["data"]["label"] for name in (theirs,)
    }
    assert labels == {"DEC-002"}
    clone.commit()
    assert clone.sync("--check") == []


@requirement("files.merge-driver")
def test_an_entry_that_two_branches_changed_is_a_conflict_for_git_too(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.commit()
    clone.git("checkout", "-q", "-b", "feature")
    clone.edit("Tuesdays", "Fridays")
    clone.commit()
    clone.git("checkout", "-q", "main")
    clone.edit("Tuesdays", "Mondays")
    clone.commit()

    clone.git("merge", "-q", "--no-edit", "feature", check=False)

    assert clone.git("status", "--porcelain") == "UU .holdfast/memory/decisions.md"
    done = clone.program("sync")
    assert done.code == 4
    assert ".holdfast/memory/decisions.md:" in done.out
    assert clone.recalled("deploy") == ["We deploy on Tuesdays."]


def test_a_page_is_merged_by_hand_too(program: Program) -> None:
    entry = "---\nid: DEC-001\nuid: m_1\ntype: decision\n---\n{}\n"
    for name, text in (("base", "One."), ("ours", "Two."), ("theirs", "One.")):
        (program.folder / name).write_text(entry.format(text), encoding="utf-8")

    program("merge-file", "base", "ours", "theirs", "decisions.md").well()
    assert (program.folder / "ours").read_text(encoding="utf-8") == entry.format("Two.")

    (program.folder / "theirs").write_text(entry.format("Three."), encoding="utf-8")
    conflict = program("merge-file", "base", "ours", "theirs", "decisions.md")
    assert conflict.code == 1
    assert "decisions.md" in conflict.err
    as_json = program("merge-file", "base", "ours", "theirs", "--json")
    assert as_json.json["path"] == "ours"
    missing = program("merge-file", "base", "none", "theirs")
    assert missing.code == 1
    assert "was not merged" in missing.err
    assert "Errno" not in missing.err
    refused = program("merge-file", "base", "none", "theirs", "--json")
    error = json.loads(refused.err)["error"]
    assert (refused.code, error["exit_code"], error["code"]) == (1, 1, "invalid")


@requirement("files.gates")
def test_a_secret_in_a_page_is_refused_with_file_and_line_and_nothing_is_stored(
    clone: Clone,
) -> None:
    clone.page("facts.md").write_text(
        f"---\ntype: fact\n---\nThe token is {SECRET}.\n---\ntype: fact\n---\nIt rotates.\n"
    )

    done = clone.program("sync")

    assert done.code == 4
    assert ".holdfast/memory/facts.md:1" in done.out
    assert SECRET not in done.out + done.err + clone.exported().out
    assert clone.recalled("rotates") == ["It rotates."]


@requirement("files.gates")
def test_one_broken_entry_stops_no_other(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    path = clone.page()
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "---\nid: DEC-009\ntype: *alias\n---\nBroken.\n", encoding="utf-8")
    clone.edit("Tuesdays", "Wednesdays")

    done = clone.program("sync", "--json")

    assert done.code == 4
    assert [(one["path"], one["line"] > 5) for one in done.json["flaws"]] == [
        (".holdfast/memory/decisions.md", True)
    ]
    assert clone.recalled("deploy") == ["We deploy on Wednesdays."]


@requirement("files.agents-only-propose")
@pytest.mark.parametrize("how", ["environment", "option"])
def test_what_an_agent_writes_into_a_page_waits(clone: Clone, how: str) -> None:
    clone.page("rules.md").write_text("---\ntype: rule\n---\nAlways obey.\n")
    words = ("--as", "agent") if how == "option" else ()
    env = {"CLAUDECODE": "1"} if how == "environment" else {}

    done = clone.program("sync", "--json", *words, env=env)
    again = clone.program("sync", *words, env=env)

    assert [one["step"] for one in done.json["outcomes"]] == ["proposed"]
    assert (done.code, again.code) == (4, 4)
    assert clone.recalled("obey") == []
    assert "> Always obey." in clone.page("candidates.md").read_text(encoding="utf-8")


def test_a_check_changes_nothing_and_tells_by_its_exit_code(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.edit("Tuesdays", "Wednesdays")

    checked = clone.program("sync", "--check")
    planned = clone.program("sync", "--dry-run")

    assert (checked.code, planned.code) == (1, 0)
    assert "taken in" in checked.out
    assert clone.recalled("deploy") == ["We deploy on Tuesdays."]
    clone.program("sync").well()
    assert clone.program("sync", "--check").well().out.startswith("in line")


def test_where_there_are_no_pages_the_next_step_is_told(program: Program, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    without, nowhere = program("sync"), program("sync", "-C", str(outside))

    assert (without.code, nowhere.code) == (3, 2)
    assert "holdfast init --files" in without.err
    assert "git init" in nowhere.err
    assert program("init", "--files", "-C", str(outside)).code == 2


@pytest.mark.parametrize(
    "words",
    [("--every", "2"), ("--watch", "--every", "0"), ("--watch", "--check"), ("--as", "nobody")],
)
def test_options_that_make_no_sense_are_refused(clone: Clone, words: tuple[str, ...]) -> None:
    assert clone.program("sync", *words).code == 2


@requirement("cli.no-traceback")
def test_a_watch_follows_the_pages_until_it_is_interrupted(clone: Clone) -> None:
    clone.decide("We deploy on Tuesdays.")
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "sync", "--watch", "--every", "0.1"],
        cwd=clone.folder,
        env=clone.program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("in line")
        assert process.stderr.readline().startswith("watching")

        clone.edit("Tuesdays", "Wednesdays")

        assert process.stdout.readline().startswith("DEC-001\ttaken in")
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "Traceback" not in errors
    assert clone.recalled("deploy") == ["We deploy on Wednesdays."]


def test_pages_are_put_into_a_folder_of_their_own_where_there_is_one(clone: Clone) -> None:
    (clone.folder / MEMORY / "decisions").mkdir()

    clone.decide("We deploy on Tuesdays.")

    files = [path.name for path in (clone.folder / MEMORY / "decisions").iterdir()]
    assert len(files) == 1
    assert files[0].startswith("DEC-001")


def test_what_is_approved_stands_in_the_page_at_once(clone: Clone) -> None:
    agent = {"HOLDFAST_ORIGIN": "agent"}
    candidate = clone.program(
        "remember", "--kind", "gotcha", "--because", "x", "The cache is cold.", env=agent
    ).well()

    clone.program("approve", candidate.id).well()

    assert "The cache is cold." in clone.page("gotchas.md").read_text(encoding="utf-8")
    (clone.folder / ".holdfast" / "config.toml").write_text("files = false\n", encoding="utf-8")
    assert clone.program("sync").code == 3


@requirement("gate.secret-refused")
@pytest.mark.parametrize("name", ["id", "uid"])
def test_a_secret_in_a_page_is_not_printed(clone: Clone, name: str) -> None:
    page = clone.folder / MEMORY / "decisions.md"
    entry = f"\n---\n{name}: {SECRET}\ntype: decision\nstatus: accepted\n---\nHerons nest.\n"
    page.write_text(f"# Decisions\n{entry}", encoding="utf-8")

    told = [clone.program("sync", *words) for words in ((), ("--json",), ("--dry-run",))]

    assert [SECRET in one.out + one.err for one in told] == [False, False, False]
    assert [one.code for one in told[:2]] == [4, 4]


def test_a_note_about_several_entries_is_about_each_of_them(clone: Clone, tmp_path: Path) -> None:
    clone.decide("We deploy on Tuesdays.")
    clone.decide("Backups run at two.")
    clone.commit()
    other = clone.clone(tmp_path / "other")
    other.program("init", "--no-model").well()

    said = other.program("sync")

    assert "DEC-001, DEC-002  each: came with git, and is not accepted" in said.out
