"""The lines of beads: how much work one of them takes."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.beads import write_issue
from holdfast.domain.tasks.task import Task


class AskedByName(UserDict[str, str]):
    """A mapping that may be asked for single names only."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError


def test_a_line_is_written_without_a_look_at_all_others() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    task = Task(
        id=TaskId("t_2"), title="Ship it.", created_at=at, updated_at=at, after=(TaskId("t_1"),)
    )

    line = write_issue(task, AskedByName(t_1="b-1", t_2="b-2"), frozenset({"b-1", "b-2"}))

    edges: Any = line["dependencies"]
    assert [one["depends_on_id"] for one in edges] == ["b-1"]
