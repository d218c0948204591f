"""Claims of a series, such as one for each build, differ in a name and contradict nothing."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord

_FEW = 4
"""How many claims make a series; chosen by hand, because people seldom accept so many values."""


def is_series(
    accepted: Sequence[MemoryRecord], excludes: Callable[[MemoryRecord, MemoryRecord], bool]
) -> bool:
    """Return whether several accepted claims seem to exclude each other, each one every other.

    All of them were accepted, so the part in which they differ is a name and not a value.
    ``excludes`` is asked for the newest few only, the newer claim first.
    """
    newest = sorted(accepted, key=lambda one: -one.sequence)[:_FEW]
    return len(newest) == _FEW and all(
        excludes(newer, older) for newer, older in combinations(newest, 2)
    )
