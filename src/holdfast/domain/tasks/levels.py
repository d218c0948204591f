"""Levels: a number of each task, above the levels of all tasks that it waits for.

A task begins at the level of the moment at which it was added, so an edge from a newer to an older
task fits as it is. There is room between two moments for the tasks that have to be moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import millis

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

STEP = 1 << 30
"""The most that is left free between two tasks that are moved; about a minute."""
_PER_MILLISECOND = 1 << 14


def first_level(created_at: datetime) -> int:
    """Return the level of a task that waits for nothing; it fits in 63 bits until the year 9999."""
    return millis(created_at) * _PER_MILLISECOND


def levels_between(floor: int | None, count: int, ceiling: int | None) -> Sequence[int]:
    """Return so many rising levels above one and below another; none if there is no room."""
    if floor is None:
        floor = (0 if ceiling is None else ceiling) - STEP * (count + 1)
    step = STEP if ceiling is None else min(STEP, (ceiling - floor) // (count + 1))
    return tuple(floor + step * number for number in range(1, count + 1)) if step > 0 else ()
