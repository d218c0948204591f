"""Watches a checkout: polls every second and reports changes."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.domain.code.code import Indexed

# If a poll is slow, the pauses grow with it: at most a tenth of one core, and ten seconds.
_PAUSE_PER_WORK = 9
_LONGEST_PAUSE_SECONDS = 10.0


def changes(
    look: Callable[[], Indexed], *, every: float, pause: Callable[[float], None] = sleep
) -> Iterator[Indexed]:
    """Poll without end; yield the result of each poll that found changes."""
    while True:
        pause(every)
        began = monotonic()
        indexed = look()
        if indexed.read or indexed.removed:
            yield indexed
        else:
            took = monotonic() - began
            pause(max(0.0, min(_LONGEST_PAUSE_SECONDS, _PAUSE_PER_WORK * took) - every))
