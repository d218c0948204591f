"""Runs a function for several values at the same time, each in a thread of its own."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Given = TypeVar("Given")
Made = TypeVar("Made")


def side_by_side(work: Callable[[Given], Made], values: Sequence[Given]) -> Iterator[Made]:
    """Yield the result for each value in order; the first failure is raised in its place."""
    if len(values) == 1:
        yield work(values[0])
        return
    runs = [_Run(work, value) for value in values]
    for run in runs:
        run.thread.start()
    for run in runs:
        run.thread.join()
    for run in runs:
        if run.failure is not None:
            raise run.failure
        yield from run.made


class _Run(Generic[Given, Made]):
    """One value: its thread, and the result or the failure."""

    def __init__(self, work: Callable[[Given], Made], value: Given) -> None:
        self.made: list[Made] = []
        self.failure: HoldfastError | None = None
        self.thread = Thread(target=self._run, args=(work, value), daemon=True)

    def _run(self, work: Callable[[Given], Made], value: Given) -> None:
        try:
            self.made.append(work(value))
        except HoldfastError as error:
            self.failure = error
