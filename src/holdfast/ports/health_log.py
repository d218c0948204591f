"""The history of health scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.review.curation import HealthPoint


class HealthLog(Protocol):
    """The health scores of every place, oldest first. If it is lost, only a plot is lost."""

    def add(self, point: HealthPoint) -> bool:
        """Store a score; return whether that succeeded."""
        ...

    def points(self, place: str) -> Sequence[HealthPoint]:
        """Return the newest scores of a place, oldest first, without those that cannot be read."""
        ...
