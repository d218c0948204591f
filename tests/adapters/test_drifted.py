"""The count of drifted memories that a prompt shows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from holdfast.adapters.machine.caches import drifted_everywhere, drifted_in, note_drifted
from tests.requirements import requirement

ONE, TWO, THREE = "m_1", "m_2", "m_3"
MAIN, FEATURE, OTHER = "/one/.git\tmain", "/one/.git\tfeature", "/with space/.git\tmain"


@requirement("counts.of-this-checkout")
def test_every_checkout_has_a_count_of_its_own_and_the_latest_counts(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    assert (drifted_in(home, MAIN), drifted_everywhere(home)) == ([], [])

    note_drifted(home, "one", MAIN, [ONE, TWO])
    note_drifted(home, "one", FEATURE, [ONE, TWO, THREE])
    note_drifted(home, "two", OTHER, [THREE])
    note_drifted(home, "one", MAIN, [TWO])

    found = [drifted_in(home, checkout) for checkout in (MAIN, FEATURE, OTHER, "")]
    assert found == [[TWO], [ONE, TWO, THREE], [THREE], []]
    assert [path.name for path in (tmp_path / "home" / "cache").iterdir()] == ["drifted"]


def test_everywhere_counts_each_repository_once_as_it_was_verified_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, now = str(tmp_path), time.time()
    note_drifted(home, "one", MAIN, [ONE])
    note_drifted(home, "two", OTHER, [THREE])
    monkeypatch.setattr(time, "time", lambda: now + 60)
    note_drifted(home, "one", FEATURE, [TWO])
    together = drifted_everywhere(home)
    note_drifted(home, "two", OTHER, [])

    assert (together, drifted_everywhere(home)) == ([TWO, THREE], [TWO])


def test_what_was_noted_long_ago_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, now = str(tmp_path), time.time()
    note_drifted(home, "one", MAIN, [ONE])

    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)

    assert drifted_in(home, MAIN) == []


def test_a_file_that_holds_something_else_counts_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "drifted").write_bytes(
        b"\xff\nx\ty\tz\n5\nm_3\t-1\tone\tx\nm_2\t9\tone\tx\n3\t9999999999\tone\tx\n"
    )

    assert drifted_everywhere(str(tmp_path)) == []


def test_a_folder_whose_name_breaks_the_line_is_not_noted(tmp_path: Path) -> None:
    note_drifted(str(tmp_path), "one", "/new\nline/.git\tmain", [ONE])

    assert drifted_everywhere(str(tmp_path)) == []


def test_a_home_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder", encoding="utf-8")

    note_drifted(str(tmp_path), "one", MAIN, [ONE])

    assert drifted_in(str(tmp_path), MAIN) == []
