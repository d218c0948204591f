"""A figure, its target, and the table they are printed in."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number; ``at_most`` or ``at_least`` is its target."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target is met; empty if there is none."""
        if self.at_most is not None:
            return "met" if self.value <= self.at_most else "missed"
        if self.at_least is not None:
            return "met" if self.value >= self.at_least else "missed"
        return ""

    @property
    def target(self) -> str:
        """The target in words."""
        if self.at_most is not None:
            return f"≤ {self.at_most:,g}"
        return "" if self.at_least is None else f"≥ {self.at_least:,g}"


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a Markdown table."""
    rows = ["| figure | value | unit | target | | note |", "|---|---:|---|---|---|---|"]
    rows += [
        f"| {one.name} | {one.value:,.4g} | {one.unit} | {one.target} | {one.verdict} |"
        + f" {one.note} |"
        for one in figures
    ]
    return "\n".join(rows)


def cpu_milliseconds(work: Callable[[], object]) -> float:
    """Return the CPU time one call takes, in milliseconds."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


def median_cpu(work: Sequence[Callable[[], object]]) -> float:
    """Return the median CPU time of several calls, in milliseconds."""
    return statistics.median(cpu_milliseconds(one) for one in work)
