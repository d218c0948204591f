"""The scales of a chart: where a value is, and which values are labelled."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


WIDTH = 760
_FEWEST_DECADES = 2
_FEWEST_DIGITS = 0.01
_LARGEST_PLAIN = 100
_TICKS = 5


class Scale(StrEnum):
    """The scale of an axis: linear (by difference) or logarithmic (by ratio)."""

    LINEAR = "linear"
    LOG = "log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruler:
    """Maps a value to a position between two ends of the drawing."""

    low: float
    high: float
    start: float
    end: float
    scale: Scale

    def at(self, value: float) -> float:
        """Return the position of a value; one beyond an end is at that end."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.scale is Scale.LOG:
            low, high, here = math.log10(low), math.log10(high), math.log10(here)
        return self.start + (self.end - self.start) * (here - low) / (high - low)

    def ticks(self) -> list[float]:
        """Return the values that get a label."""
        if self.scale is Scale.LINEAR:
            step = _round_step((self.high - self.low) / _TICKS)
            first = math.ceil(self.low / step - 1e-9)
            return [step * place for place in range(first, math.floor(self.high / step + 1e-9) + 1)]
        decades = range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)
        between = (1, 2, 5) if len(decades) <= _FEWEST_DECADES + 1 else (1,)
        marks = [unit * 10.0**decade for decade in decades for unit in between]
        return [mark for mark in marks if self.low <= mark <= self.high * (1 + 1e-9)]


def plain_number(value: float) -> str:
    """Return a number for people: three significant digits, thousands separated."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    if abs(value) >= _LARGEST_PLAIN:
        return f"{value:,.0f}"
    if abs(value) < _FEWEST_DIGITS:
        return f"{value:.2g}"
    return f"{value:.3g}"


def ruler_of(values: Sequence[float], scale: Scale, start: float, *, end: float = 0.0) -> Ruler:
    """Return a ruler with round ends that holds all values."""
    end = end or WIDTH - 70
    if scale is Scale.LOG:
        above = [value for value in values if value > 0] or [1.0]
        first, last = math.floor(math.log10(min(above))), math.ceil(math.log10(max(above)))
        # One decade more if the smallest value is a power of ten; its bar would have no length.
        first -= 1 if min(above) == 10.0**first or first == last else 0
        return Ruler(low=10.0**first, high=10.0**last, start=start, end=end, scale=scale)
    low, high = min([0.0, *values]), max([0.0, *values])
    high = 1.0 if low == high else high
    step = _round_step((high - low) / _TICKS)
    return Ruler(
        low=math.floor(low / step + 1e-9) * step,
        high=math.ceil(high / step - 1e-9) * step,
        start=start,
        end=end,
        scale=scale,
    )


def _round_step(rough: float) -> float:
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * many for many in (1, 2, 5, 10) if unit * many >= rough * (1 - 1e-9))
