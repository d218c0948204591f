"""The machine's clock and random numbers."""

from __future__ import annotations

import os
from datetime import UTC, datetime

_ENTROPY_BYTES = 10


class MachineClock:
    """Real time, in UTC, and unpredictable random bits."""

    def now(self) -> datetime:
        """Return the current time to the millisecond, the precision of stores."""
        moment = datetime.now(UTC)
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    def entropy(self) -> int:
        """Return 80 random bits from the operating system."""
        return int.from_bytes(os.urandom(_ENTROPY_BYTES), "big")
