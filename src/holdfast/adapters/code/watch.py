"""Following a checkout: look again every second, say what changed."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.domain.code import Indexed

# Where looking takes long, the pauses are longer too: a tenth of one core, and ten seconds.
_PAUSE_PER_WORK = 9
_LONGEST_PAUSE_SECONDS = 10.0


def changes(
    look: Callable[[], Indexed], *, every: float, pause: Callable[[float], None] = sleep
) -> Iterator[Indexed]:
    """Look again and again; return what was done each time something had changed, without end."""
    while True:
        pause(every)
        began = monotonic()
        indexed = look()
        if indexed.read or indexed.removed:
            yield indexed
        else:
            took = monotonic() - began
            pause(max(0.0, min(_LONGEST_PAUSE_SECONDS, _PAUSE_PER_WORK * took) - every))
