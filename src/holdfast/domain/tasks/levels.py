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
_SPARE = 7  # parts of a gap that stay free above the tasks that are moved into it


def first_level(created_at: datetime) -> int:
    """Return the level of a task that waits for nothing; it fits in 63 bits until the year 9999."""
    return millis(created_at) * _PER_MILLISECOND


def levels_above(floor: int, count: int, ceiling: int | None) -> Sequence[int]:
    """Return so many rising levels above one and below another; none if there is no room."""
    step = STEP if ceiling is None else min(STEP, (ceiling - floor) // (count + _SPARE))
    return tuple(floor + step * number for number in range(1, count + 1)) if step > 0 else ()


def levels_below(ceiling: int, count: int, floor: int | None) -> Sequence[int]:
    """Return so many rising levels below one and above another; none if there is no room."""
    return levels_above(ceiling - STEP * (count + 1) if floor is None else floor, count, ceiling)
