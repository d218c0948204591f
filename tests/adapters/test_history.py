"""A real repository's commits, as git tells them."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.git.reading.history import GitHistory
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.memory.evidence import FilePlace
from holdfast.ports.anchors.surroundings import History


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)  # noqa: S603, S607 - git from the PATH


def commit(folder: Path, message: str, when: str = "2026-01-01T12:00:00Z", **files: str) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *who, "commit", "-q", "-m", message, "--date", when]
    subprocess.run(command, check=True, env={"GIT_COMMITTER_DATE": when, "PATH": "/usr/bin:/bin"})  # noqa: S603 - the same


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main", ".")
    return tmp_path


def subjects(history: History, path: str, first: int | None = None) -> list[str]:
    place = FilePlace(path=path, first=first, last=first)
    return [found.message.splitlines()[0] for found in history.touching(place)]


def test_commits_come_oldest_first_with_their_whole_message(folder: Path) -> None:
    commit(folder, "First", app="one\n")
    commit(folder, "Second\n\nBecause\nof reasons.", app="two\n")

    found = GitHistory(folder).commits()

    assert [one.message for one in found] == ["First", "Second\n\nBecause\nof reasons."]
    assert all(len(one.id) == 40 for one in found)


def test_only_commits_that_changed_the_lines_touch_them(folder: Path) -> None:
    commit(folder, "Write two lines", app="one\ntwo\n")
    commit(folder, "Change the second", app="one\ntwo!\n")
    commit(folder, "Elsewhere", other="x\n")

    assert subjects(GitHistory(folder), "app", 1) == ["Write two lines"]
    assert subjects(GitHistory(folder), "app", 2) == ["Write two lines", "Change the second"]
    assert subjects(GitHistory(folder), "app") == ["Write two lines", "Change the second"]


def test_lines_that_are_gone_are_answered_by_the_history_of_the_file(folder: Path) -> None:
    commit(folder, "Write", app="one\n")

    assert subjects(GitHistory(folder), "app", 99) == ["Write"]
    assert subjects(GitHistory(folder), "never-was", 1) == []


def test_commits_before_the_moment_are_left_out(folder: Path) -> None:
    commit(folder, "Old", "2020-01-01T12:00:00Z", app="one\n")
    commit(folder, "New", app="two\n")

    history = GitHistory(folder, since=datetime(2025, 6, 1, tzinfo=UTC))

    assert [one.message for one in history.commits()] == ["New"]
    assert subjects(history, "app", 1) == ["New"]


def test_a_folder_without_a_repository_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoHistoryError, match="not in a git repository"):
        GitHistory(tmp_path).commits()


def test_a_repository_without_a_commit_says_so(folder: Path) -> None:
    with pytest.raises(NothingCommittedError, match="has no commits yet"):
        GitHistory(folder).commits()


def test_a_repository_git_cannot_read_is_told_in_gits_words(folder: Path) -> None:
    commit(folder, "First", app="one\n")
    for one in (folder / ".git" / "objects").rglob("*"):
        if one.is_file():
            one.unlink()

    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        GitHistory(folder).commits()
