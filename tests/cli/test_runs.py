from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_hooks import git
from tests.requirements import requirement

SUMMARY = "We decided to keep offsets in the feed, because the worker forgets them on restart."


@pytest.fixture
def paged(program: Program, repository: Path) -> Program:
    """A repository that keeps pages."""
    assert repository.is_dir()
    program("init", "--files", "--no-model").well()
    return program


@requirement("run.summary-in-the-repository")
def test_a_run_leaves_its_summary_among_the_pages_and_candidates_to_review(paged: Program) -> None:
    paged("run", "start", "--goal", "mend the feed", "--tool", "claude").well()
    paged("run", "note", "The worker restarts at midnight.").well()
    (paged.folder / "feed.py").write_text("offset = 1\n", encoding="utf-8")
    git(paged, "add", ".")
    git(paged, "commit", "-qm", "Keep the offset in the feed")

    done = paged("run", "finish", "--summary", SUMMARY, "--json").well().json

    label = done["run"]["label"]
    assert done["page"] == f".holdfast/runs/{label}/summary.md"
    page = (paged.folder / done["page"]).read_text(encoding="utf-8")
    assert page.startswith("---\n")
    assert SUMMARY in page
    assert "Keep the offset in the feed" in page
    assert [run["label"] for run in paged("run", "list", "--json").well().json["runs"]] == [label]
    assert "feed.py" in paged("run", "show", label).well().out
    assert paged("show", done["run"]["id"], "--json").well().json["type"] == "run"
    assert SUMMARY in paged("show", done["run"]["id"]).well().out
    (candidate,) = done["candidates"]
    shown = paged("show", candidate, "--json").well().json["data"]
    assert (shown["claim"], shown["status"], shown["source"]) == (SUMMARY, "candidate", label)


def test_a_run_tells_people_what_it_did(paged: Program) -> None:
    begun = paged("run", "start", "--goal", "mend the feed").well()
    noted = paged("run", "note", "It forgets offsets.").well()
    done = paged("run", "finish").well()

    assert begun.out.startswith("began  run-")
    assert "context for tools: .holdfast/context/active.md" in begun.err
    assert noted.out.startswith("noted  1 in run-")
    assert done.out.startswith("finished  run-")
    assert "the summary was drafted" in done.err
    assert "ABOUT" in paged("run", "list").well().out or "mend" in paged("run", "list").out


def test_a_summary_may_be_piped_in_and_propose_nothing(program: Program, repository: Path) -> None:
    assert repository.is_dir()
    program("run", "start").well()

    done = program("run", "finish", "--summary", "-", "--no-propose", "--json", stdin=SUMMARY)

    told = done.well().json
    assert (told["run"]["summary"], told["page"], told["candidates"]) == (SUMMARY, None, [])
    other = Program(program.home.parent / "other", program.folder)
    other("init", "--no-model").well()
    assert "No runs yet" in other("run", "list").well().err


def test_the_context_pack_is_shown_and_written(paged: Program) -> None:
    paged("remember", "--because", "I decided", "--kind", "rule", "Never retry a payment.").well()

    shown = paged("run", "context", "--goal", "payments", "--write").well()
    told = paged("run", "context", "--json").well().json

    assert "Never retry a payment." in shown.out
    assert "written: .holdfast/context/active.md" in shown.err
    pack = (paged.folder / ".holdfast/context/active.md").read_text(encoding="utf-8")
    assert "Never retry a payment." in pack
    assert told["goal"] == ""
    assert len(told["memories"]) == 1


@requirement("journal.rebuilt-from-the-store")
def test_a_day_is_shown_and_written(paged: Program) -> None:
    paged("remember", "--because", "I decided", "Tokens rotate hourly.").well()
    day = paged("journal", "--json").well().json["day"]

    shown = paged("journal", day, "--write").well()

    assert "> Tokens rotate hourly." in shown.out
    page = paged.folder / ".holdfast" / "journal" / f"{day}.md"
    assert "> Tokens rotate hourly." in page.read_text(encoding="utf-8")
    refused = paged("journal", "someday")
    assert (refused.code, "write 2026-01-27" in refused.err) == (2, True)
    assert "> Tokens rotate hourly." not in paged("journal", "yesterday").well().out
    assert "> Tokens rotate hourly." in paged("journal", "today").well().out
    assert "between the years" in paged("journal", "9999-12-31").err


def test_refusals_say_what_to_do(program: Program, repository: Path) -> None:
    assert repository.is_dir()

    assert "holdfast run start" in program("run", "note", "x").err
    assert program("run", "show", "run-2020-01-01-1").code == 3
    assert "needs one of" in program("run").err
    assert "name one that 'holdfast run list' shows" in program("run", "show").err
    assert "'holdfast run list' lists the ids" in program("run", "show", "nonsense").err
    assert "Give the goal once" in program("run", "start", "mend", "--goal", "mend").err
    assert "tool is blank" in program("run", "start", "--tool", "").err


def test_a_goal_and_a_note_may_be_plain_words_and_a_note_may_be_piped_in(
    program: Program, repository: Path
) -> None:
    assert repository.is_dir()
    program("run", "start", "mend", "the", "feed").well()
    program("run", "note", "It", "restarts.").well()
    program("run", "note", "-", stdin="It forgets offsets.\n").well()

    run = program("run", "show", "--json").well().json["run"]

    assert run["goal"] == "mend the feed"
    assert [note["text"].strip() for note in run["notes"]] == [
        "It restarts.",
        "It forgets offsets.",
    ]


def test_who_begins_another_run_hears_of_the_one_that_is_open(
    program: Program, repository: Path
) -> None:
    assert repository.is_dir()
    first = program("run", "start", "--json").well().json["run"]["label"]

    second = program("run", "start").well()

    assert f"holdfast run finish --run {first}" in second.err
    assert not second.out.endswith(" \n")


def test_what_cannot_be_written_is_told_and_an_abandoned_run_needs_no_summary(
    program: Program, repository: Path
) -> None:
    assert repository.is_dir()
    program("run", "start").well()

    assert "No memory is relevant to this goal" in program("run", "context", "--write").well().err
    assert "holdfast init --files" in program("run", "context", "--write").well().err
    assert "holdfast init --files" in program("journal", "--write").well().err
    assert "drafted" not in program("run", "finish", "--abandon").well().err


def test_a_run_is_kept_though_its_page_cannot_be_written(paged: Program) -> None:
    paged("run", "start").well()
    lock = paged.folder / ".git" / "holdfast" / "pages.lock"
    lock.unlink()
    lock.mkdir()

    done = paged("run", "finish", "--summary", SUMMARY, "--json").well()

    assert "is stored, but its page was not written" in done.err
    assert (done.json["page"], len(done.json["candidates"])) == (None, 1)


AGENT = {"CLAUDECODE": "1"}


@requirement("run.of-its-own")
def test_an_agent_changes_no_run_of_a_person(program: Program) -> None:
    program("init", "--no-model").well()
    label = (
        program("run", "start", "--goal", "Keep prod safe", "--json").well().json["run"]["label"]
    )

    finished = program("run", "finish", "--summary", "We drop prod.", env=AGENT)
    noted = program("run", "note", "--run", label, "Ada said so.", env=AGENT)

    assert (finished.code, noted.code) == (4, 4)
    assert "only a person" in finished.err
    shown = program("run", "show", label).well().out
    assert "drop prod" not in shown
    assert "Ada said so" not in shown
    assert program("run", "finish", "--summary", "It is safe.").well().code == 0


@requirement("run.of-its-own")
@requirement("run.pages-quote")
def test_what_an_agent_says_of_its_run_carries_its_name(program: Program) -> None:
    program("init", "--no-model").well()
    program("run", "start", "--goal", "a person's", "--tool", "claude-code").well()
    program("run", "start", "--goal", "Tidy the feed", env=AGENT).well()
    program("run", "note", "The feed is old.", env=AGENT).well()
    summary = "We decided to store offsets in the feed, because it restarts.\n# Decision\nDone."

    label = (
        program("run", "finish", "--summary", summary, "--json", env=AGENT)
        .well()
        .json["run"]["label"]
    )

    shown = program("run", "show", label).well().out
    assert 'tool: "claude-code"' in shown
    assert "(agent Claude Code) The feed is old." in shown
    assert "*Written by agent Claude Code:*" in shown
    assert "> # Decision" in shown
    assert "\n# Decision" not in shown
    assert "offsets" in program("revert", "--source", "claude-code", "--dry-run").well().out
    assert "a person's" in program("run", "show").well().out


@requirement("run.hidden-characters-named")
def test_hidden_characters_of_a_run_are_in_its_json(program: Program) -> None:
    answers = [
        program("run", "start", "fir\u200bst", "--json").well().json,
        program("run", "note", "a\u202eb", "--json").well().json,
        program("run", "finish", "--summary", "We met\u2060.", "--json").well().json,
    ]

    found = [[one["code_point"] for one in answer["removed_characters"]] for answer in answers]
    assert found == [["U+200B"], ["U+202E"], ["U+2060"]]
