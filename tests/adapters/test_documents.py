from __future__ import annotations

import os
from pathlib import Path

from holdfast.adapters.machine.documents import DocumentFiles
from tests.requirements import requirement


def read(root: Path) -> list[str]:
    return [f"{one.reference} {one.text}" for one in DocumentFiles(root).passages()]


def test_the_pages_people_and_tools_read_are_read(tmp_path: Path) -> None:
    for name in (
        *("CLAUDE.md", "README.rst", "docs/a/deep.md"),
        *(".claude/rules/y.md", ".cursor/rules/x.mdc"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"This is {name}.")
    (tmp_path / "notes.md").write_text("Private notes.")
    (tmp_path / "docs" / "picture.png").write_bytes(b"\x89PNG")

    assert read(tmp_path) == [
        "CLAUDE.md:1 This is CLAUDE.md.",
        "README.rst:1 This is README.rst.",
        "docs/a/deep.md:1 This is docs/a/deep.md.",
        ".claude/rules/y.md:1 This is .claude/rules/y.md.",
        ".cursor/rules/x.mdc:1 This is .cursor/rules/x.mdc.",
    ]


def test_links_and_huge_pages_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("Elsewhere.")
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "other.txt")
    (tmp_path / "README.md").write_text("word " * 100_000)

    assert read(tmp_path) == []


@requirement("files.no-pipe-hangs-a-verb")
def test_pipes_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/guide.md"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "docs" / "plain.md").write_text("Read this.")

    assert read(tmp_path) == ["docs/plain.md:1 Read this."]


def test_no_more_pages_are_read_than_anybody_has(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(210):
        (tmp_path / "docs" / f"{number:03}.md").write_text("A page.")

    assert len(read(tmp_path)) == 200


def test_a_folder_that_is_not_there_has_no_pages(tmp_path: Path) -> None:
    assert read(tmp_path / "nowhere") == []


def test_pages_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("One.")
    pages = DocumentFiles(tmp_path)
    before = pages.passages()
    (tmp_path / "README.md").write_text("Two.")

    assert pages.passages() == before


def test_what_is_not_utf8_does_not_stop_the_reading(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_bytes(b"\xff\xfe caf\xe9")

    assert len(read(tmp_path)) == 1
