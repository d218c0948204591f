"""Time and random numbers as a port, so that tests can fix both."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The current time, and randomness for ids."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        ...

    def entropy(self) -> int:
        """Return 80 random bits, different on every call."""
        ...
