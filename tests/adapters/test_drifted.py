"""The count of drifted memories that a prompt shows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from holdfast.adapters.machine.drifted import drifted_count, note_drifted


def test_the_counts_of_all_repositories_add_up_and_the_latest_counts(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    assert drifted_count(home) == 0

    note_drifted(home, "one", 2)
    note_drifted(home, "two/with space", 3)
    note_drifted(home, "one", 1)
    both = drifted_count(home)
    note_drifted(home, "two/with space", 0)

    assert (both, drifted_count(home)) == (4, 1)
    assert [path.name for path in (tmp_path / "home" / "cache").iterdir()] == ["drifted"]


def test_what_was_noted_long_ago_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, now = str(tmp_path), time.time()
    note_drifted(home, "one", 2)

    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)

    assert drifted_count(home) == 0


def test_a_file_that_holds_something_else_counts_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "drifted").write_bytes(b"\xff\nx\ty\tz\n5\n3\t-1\tone\n")

    assert drifted_count(str(tmp_path)) == 0


def test_a_home_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder", encoding="utf-8")

    note_drifted(str(tmp_path), "one", 2)

    assert drifted_count(str(tmp_path)) == 0
