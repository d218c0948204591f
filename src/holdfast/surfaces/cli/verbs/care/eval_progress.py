"""The progress bars of eval."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from holdfast.domain.evaluation.benchmark import Trial
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.progress import ProgressBar


class WatchedEval:
    """A progress bar per step of the work, one after the other."""

    def __init__(self, name: str, context: CommandContext) -> None:
        self._name = name
        self._part = ""
        self._context = context
        self._step = ""
        self._bars = ExitStack()
        self._bar: ProgressBar | None = None

    def __call__(self, step: str, done: int, total: int) -> None:
        """Draw the progress of a step."""
        if self._bar is None or step != self._step:
            self._bars.close()
            self._step = step
            label = f"{self._name}{self._part}: {step}"
            self._bar = self._bars.enter_context(self._context.progress(label))
        self._bar(done, total)

    def over(self, trials: Iterable[Trial], count: int) -> Iterator[Trial]:
        """Yield the trials one after the other, and show which one runs."""
        for number, trial in enumerate(trials, start=1):
            self._part = "" if count == 1 else f" {number} of {count}"
            self._bar = None
            yield trial

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.close()
