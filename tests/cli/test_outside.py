"""Outside of any repository, and in one that is empty: what works, and what is said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.requirements import requirement


@pytest.fixture
def outside(program: Program, tmp_path: Path) -> Program:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ports.txt").write_text("Ports\nThe proxy listens on 8080.\nEnd\n", encoding="utf-8")
    return Program(home=program.home, folder=folder)


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("index",), "there is no code to read"),
        (("context", "rotate"), "there is no code to read"),
        (("hooks", "install"), "there is no place for git's hooks"),
        (("hooks", "status"), "there is no place for git's hooks"),
        (("import", "git"), "there is no history to search"),
        (("diff", "a..b"), "there is no history to search"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_verb_that_needs_a_repository_says_what_is_missing_and_what_to_do(
    outside: Program, words: tuple[str, ...], said: str
) -> None:
    refused = outside(*words)

    assert refused.code == 3
    assert f"This folder is not in a git repository, so {said}. Run this inside" in refused.err
    assert "git init" in refused.err


@requirement("input.refused-with-advice")
def test_without_a_commit_there_is_no_history_and_the_next_step_is_told(
    outside: Program,
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=outside.folder, check=True)  # noqa: S607 - git from the PATH

    refused = outside("import", "git")
    answered = outside("recall", "--include", "memory,history", "anything").well()

    assert refused.code == 3
    assert "This repository has no commits yet" in refused.err
    assert "git commit" in refused.err
    assert "--data" not in refused.err
    assert "this repository has no commits yet, so history was not searched" in answered.out


@requirement("history.says-how-it-is-read")
def test_history_that_was_never_read_says_how_it_is(program: Program) -> None:
    before = program("recall", "--include", "history", "rotate").well()
    program("import", "git").well()
    after = program("recall", "--include", "history", "rotate").well()

    assert "'holdfast import git' indexes them" in before.err
    assert "holdfast import git" not in after.err
    assert "Rotate tokens" in after.out


@requirement("history.limit-is-kept")
def test_an_import_says_that_the_limit_of_an_earlier_one_is_kept_also_after_forget(
    program: Program,
) -> None:
    first = program("import", "git", "--since", "2000-01-01").well()
    kept = program("remember", "--because", "I", "Tabs are eight wide.", "--json").well()
    program("forget", "--yes", kept.json["memory"]["id"]).well()
    again = program("import", "git").well()
    whole = program("import", "git", "--since", "1970-01-01").well()
    told = program("import", "git", "--json").well()

    assert "since 2000-01-01 00:00 UTC: 1 new, 0 known" in first.out
    assert "Earlier commits are left out" not in first.err
    assert "since 2000-01-01 00:00 UTC: 1 new, 0 known" in again.out
    assert "holdfast import git --since 1970-01-01" in again.err
    assert "since" not in whole.out
    assert told.json == {"commits": 1, "new": 0, "known": 1, "since": None}


@requirement("scope.outside-is-global-and-checked")
def test_what_is_remembered_outside_says_that_it_is_global_and_where_its_file_is(
    outside: Program,
) -> None:
    kept = outside("remember", "--evidence", "ports.txt:2", "The proxy listens on 8080.").well()
    meant = outside("remember", "--because", "I", "--scope", "global", "Tabs are eight wide.")

    assert f"{outside.folder}/ports.txt:2 (fresh)" in kept.out
    assert "it is global" in kept.err
    assert "not in a git repository" in kept.err
    assert "it is global" not in meant.well().err


@requirement("scope.outside-is-global-and-checked")
def test_evidence_outside_of_repositories_is_checked_wherever_one_stands(
    outside: Program, program: Program
) -> None:
    file = outside.folder / "ports.txt"
    outside("remember", "--evidence", "ports.txt:2", "The proxy listens on 8080.").well()

    def verdict() -> str:
        [one] = program("verify", "--json").json["memories"]
        assert one == outside("verify", "--json").json["memories"][0]
        return f"{one['verdict']}"

    assert verdict() == "fresh"
    file.write_text("Ports\n\nThe proxy listens on 8080.\n", encoding="utf-8")
    assert verdict() == "moved"
    file.write_text("The proxy listens on 8080.\n\nThe proxy listens on 8080.\n", encoding="utf-8")
    assert verdict() == "drifted"
    file.write_text("Ports\nThe proxy listens on 9090.\n", encoding="utf-8")
    assert verdict() == "drifted"
    file.write_bytes(b"\xff\xfe")
    assert verdict() == "unverifiable"
    file.unlink()
    assert verdict() == "unverifiable"
    assert "not on this machine, or not any more" in program("verify").out


@requirement("scope.outside-is-global-and-checked")
def test_a_global_memory_is_recalled_in_a_repository_without_a_doubt(
    outside: Program, program: Program
) -> None:
    outside("remember", "--evidence", "ports.txt:2", "The proxy listens on 8080.").well()

    answer = program("recall", "--md", "where does the proxy listen").well().out

    assert "ports.txt:2 (fresh)" in answer
    assert "unverifiable" not in answer
    assert "- evidence" not in answer


def test_a_silent_recall_says_that_memories_belong_to_repositories(
    outside: Program, repository: Path
) -> None:
    program = Program(home=outside.home, folder=repository)
    program("remember", "--because", "agreed", "Deploys run on Tuesdays.").well()

    told = outside("recall", "when do deploys run").well()

    assert "1 memory belongs to repositories; ask in the folder of one, or with -C DIR" in told.err
    assert "belongs to" not in program("recall", "what is the meaning of zebras").well().err
