"""The file of accepted commands: hashes of what a memory says, and texts of named commands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.machine.accepted_commands import AcceptedCommandsFile, AcceptedOnly
from holdfast.domain.checks.change import AcceptedCommand, CommandEnd
from holdfast.domain.checks.kinds import command_mark
from holdfast.domain.workspace_errors import DiskFullError
from tests.full_disk import full_disk
from tests.requirements import requirement

TEXT = "grep -q secret-word src/app.py"
NAMED = "supervise test: make test"


@pytest.fixture
def book(tmp_path: Path) -> AcceptedCommandsFile:
    (tmp_path / "git").mkdir()
    path = tmp_path / "home" / "accepted-commands.json"
    return AcceptedCommandsFile(path, clone=str(tmp_path / "app"), git_folder=tmp_path / "git")


def command(book: AcceptedCommandsFile, text: str, *, is_named: bool = False) -> AcceptedCommand:
    return AcceptedCommand(
        mark=command_mark(text),
        command=text,
        repo="r_1",
        clone=book.clone,
        by="ada",
        at=datetime(2026, 11, 15, tzinfo=UTC),
        is_named=is_named,
    )


def words(tmp_path: Path) -> str:
    return (tmp_path / "home" / "accepted-commands.json").read_text(encoding="utf-8")


def refusal(book: AcceptedCommandsFile, text: str) -> str:
    return AcceptedOnly(book, repo=lambda: "r_1", run=lambda _text, _folder: END).refusal(text)


END = CommandEnd(exit_code=0)


@requirement("encryption.whole-store")
@requirement("forget.leaves-no-bytes")
def test_the_file_has_no_text_of_a_memory(book: AcceptedCommandsFile, tmp_path: Path) -> None:
    book.put(command(book, TEXT))
    book.put(command(book, NAMED, is_named=True))
    book.put(command(book, TEXT))

    assert "secret-word" not in words(tmp_path)
    assert [(one.command, one.is_named) for one in book.entries()] == [("", False), (NAMED, True)]
    assert refusal(book, TEXT) == ""
    assert "nobody accepted" in refusal(book, f"{TEXT} ")


@requirement("encryption.whole-store")
def test_a_text_that_an_earlier_version_wrote_leaves_the_file(
    book: AcceptedCommandsFile, tmp_path: Path
) -> None:
    book.put(command(book, TEXT))
    shapes = json.loads(words(tmp_path))
    old = [one | {"command": TEXT} for one in shapes]
    forged = [one | {"command": "make all"} for one in shapes]
    path = tmp_path / "home" / "accepted-commands.json"
    path.write_text(json.dumps(forged), encoding="utf-8")
    assert "nobody accepted" in refusal(book, TEXT)
    path.write_text(json.dumps(old), encoding="utf-8")

    assert refusal(book, TEXT) == ""

    assert "secret-word" not in words(tmp_path)
    assert refusal(book, TEXT) == ""


def test_a_command_of_a_memory_is_never_a_named_one(book: AcceptedCommandsFile) -> None:
    book.put(command(book, NAMED))

    assert [one.is_named for one in book.entries()] == [False]


@requirement("settings.full-disk-is-told")
def test_a_full_disk_is_told_with_the_file_of_accepted_commands(
    book: AcceptedCommandsFile,
) -> None:
    book.put(command(book, TEXT))

    with full_disk(), pytest.raises(DiskFullError, match="room for .*accepted-commands.json"):
        book.put(command(book, "make all"))

    assert len(book.entries()) == 1
