"""A progress bar on a terminal, for work that takes longer than a second."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.output import fitted

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from holdfast.surfaces.cli.present.terminal.output import Output


_PATIENCE_SECONDS = 1.0
_PAUSE_SECONDS = 0.1
_CELLS = 30


class ProgressBar:
    """Call it with the amount done and the total (0 if the total is unknown)."""

    def __init__(self, label: str, output: Output) -> None:
        self._label = label
        # A dumb terminal cannot go back to the start of a line.
        self._is_shown = output.is_watched and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _PATIENCE_SECONDS
        self._is_drawn = False

    def __call__(self, done: int, total: int) -> None:
        """Redraw the bar if enough time has passed since the last drawing."""
        if not self._is_shown or (now := time.monotonic()) < self._next:
            return
        self._next = now + _PAUSE_SECONDS
        self._is_drawn = True
        self._draw(_bar(done, total))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _draw(self, bar: str) -> None:
        sys.stderr.write("\r\x1b[K" + fitted(f"{self._label}  {bar}", sys.stderr))
        sys.stderr.flush()


def _bar(done: int, total: int) -> str:
    if total <= 0:
        return f"{done:,}"
    share = min(done / total, 1.0)
    filled = round(share * _CELLS)
    return f"{'█' * filled}{' ' * (_CELLS - filled)} {share:4.0%}  {done:,} of {total:,}"
