"""The file of scores: what is added is read back, whatever else is in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.adapters.machine.health_log import HealthFile
from holdfast.domain.review.curation import HealthPoint
from tests.builders import NOON
from tests.requirements import requirement

POINT = HealthPoint(at=NOON, place="acme/app", score=92, live=40, counts={"stale": 2})


@requirement("curate.health-over-time")
def test_scores_read_back_by_place_oldest_first(tmp_path: Path) -> None:
    file = HealthFile(tmp_path / "home" / "health.jsonl")
    elsewhere = HealthPoint(at=NOON, place="", score=1, live=1)

    assert all(file.add(point) for point in (POINT, elsewhere, POINT))

    assert file.points("acme/app") == [POINT, POINT]
    assert file.points("") == [elsewhere]
    assert (tmp_path / "home" / "health.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"at": 5}', "\udcff", "null"])
def test_a_broken_line_is_passed_over(tmp_path: Path, line: str) -> None:
    path = tmp_path / "health.jsonl"
    path.write_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    file = HealthFile(path)
    file.add(POINT)

    assert file.points("acme/app") == [POINT]


@requirement("files.no-pipe-hangs-a-verb")
def test_a_pipe_in_place_of_the_log_is_neither_written_nor_read(tmp_path: Path) -> None:
    path = tmp_path / "health.jsonl"
    os.mkfifo(path)
    file = HealthFile(path)

    assert not file.add(POINT)
    assert file.points("acme/app") == []


def test_only_the_newest_are_read(tmp_path: Path) -> None:
    file = HealthFile(tmp_path / "health.jsonl")
    for _ in range(70):
        file.add(POINT)

    assert len(file.points("acme/app")) == 60


def test_where_nothing_can_be_written_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    file = HealthFile(tmp_path / "file" / "health.jsonl")

    assert not file.add(POINT)
    assert file.points("acme/app") == []
