"""The machine's clock and random numbers."""

from __future__ import annotations

import os
from datetime import UTC, datetime

_ENTROPY_BYTES = 10
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = datetime(9000, 1, 1, tzinfo=UTC)


class MachineClock:
    """Real time, in UTC, and unpredictable random bits."""

    def now(self) -> datetime:
        """Return the current time to the millisecond, the precision of stores.

        A clock that is wrong by ages gives the nearest time that ids can hold in order.
        """
        try:
            moment = min(max(datetime.now(UTC), _FIRST), _LAST)
        except (OverflowError, ValueError):  # Python has no year 10,000
            moment = _LAST
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    def entropy(self) -> int:
        """Return 80 random bits from the operating system."""
        return int.from_bytes(os.urandom(_ENTROPY_BYTES), "big")
