"""Time and names, asked for rather than taken, so tests can hold them still."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The present moment, and randomness for names."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""
        ...

    def entropy(self) -> int:
        """Return 80 random bits, never the same twice."""
        ...
