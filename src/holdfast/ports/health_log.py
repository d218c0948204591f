"""Where it is noted how healthy a memory was, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.curation import HealthPoint


class HealthLog(Protocol):
    """The scores of every place, oldest first. Losing it loses a plot and nothing else."""

    def add(self, point: HealthPoint) -> bool:
        """Note a score; tell whether it could be noted."""
        ...

    def points(self, place: str) -> Sequence[HealthPoint]:
        """Return the newest scores of a place, oldest first; what cannot be read is passed over."""
        ...
