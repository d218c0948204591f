"""Rate limits: a token bucket for each caller."""

from __future__ import annotations

import math
from collections import OrderedDict
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.surfaces.http.refusals import RateLimitedError

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_CALLERS = 10_000
_BURST_SECONDS = 2.0


class Buckets:
    """Lets each caller send ``rate`` requests per second, and twice as many at once."""

    def __init__(self, rate: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._most = max(1.0, rate * _BURST_SECONDS)
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Return if the caller may send a request now.

        Raises:
            RateLimitedError: They may not; the error says after how many seconds they may.
        """
        if not self._rate:
            return
        now = self._clock()
        left, at = self._kept.pop(caller, (self._most, now))
        left = min(self._most, left + (now - at) * self._rate)
        self._kept[caller] = (left - 1 if left >= 1 else left, now)
        if len(self._kept) > _MOST_CALLERS:
            self._kept.popitem(last=False)
        if left < 1:
            raise RateLimitedError(math.ceil((1 - left) / self._rate))
