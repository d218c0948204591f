"""The lines of a file, how distinctive they are, and how well a place fits."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


FULL = 3
_MOST_WEIGHT = 40
_CLOSING = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The number of equal lines before and after a place; shared file ends count as equal lines."""

    before: int
    after: int

    @property
    def total(self) -> int:
        """The number of equal lines on both sides."""
        return self.before + self.after

    def covers(self, other: Fit) -> bool:
        """Tell whether this fits at least as well as another on each side."""
        return self.before >= other.before and self.after >= other.after

    def beats(self, other: Fit) -> bool:
        """Tell whether this fits better than another on at least one side, and worse on none."""
        return self != other and self.covers(other)


def words(line: str) -> str:
    """Return a line with its white space normalised."""
    return " ".join(line.split())


def weight(line: str) -> int:
    """Return how distinctive a line is: its number of letters and digits, capped."""
    return min(sum(map(str.isalnum, line)), _MOST_WEIGHT)


def is_closing(line: str) -> bool:
    """Return whether a line is so short that it may only close a block, such as a bracket."""
    return weight(line) <= _CLOSING


class Budget:
    """How much work a search may still do; one step is about one comparison of two lines.

    A search that has used up its budget reports that and claims no match, because the lines it did
    not compare could match too.
    """

    def __init__(self, steps: int, *, whole: Budget | None = None) -> None:
        self._left = steps
        self._whole = whole

    @property
    def is_spent(self) -> bool:
        """Tell whether this budget, or the budget it is part of, is used up."""
        return self._left <= 0 or (self._whole is not None and self._whole.is_spent)

    def allows(self, steps: int) -> bool:
        """Tell whether the budget still covers this many steps."""
        return self._left >= steps and (self._whole is None or self._whole.allows(steps))

    def spend(self, steps: int) -> None:
        """Subtract the steps that were used."""
        self._left -= steps
        if self._whole is not None:
            self._whole.spend(steps)


class Text:
    """The lines of a file, with cached lookups."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    @classmethod
    def of(cls, lines: Sequence[str] | Text) -> Text:
        """Return the lines as a text."""
        return lines if isinstance(lines, Text) else cls(lines)

    @cached_property
    def words(self) -> list[str]:
        """The lines with normalised white space."""
        return [words(line) for line in self.lines]

    @cached_property
    def spots(self) -> dict[str, list[int]]:
        """The positions of each line, counted from 0."""
        found: dict[str, list[int]] = {}
        for at, line in enumerate(self.lines):
            found.setdefault(line, []).append(at)
        return found

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The set of distinct lines."""
        return frozenset(self.lines)

    def occurrences(self, text: Sequence[str]) -> list[int]:
        """Return every position of exactly these lines, counted from 0."""
        whole, count = list(text), len(text)
        # Most texts lack at least one of the lines, and the set shows that cheaply.
        if not self.distinct.issuperset(whole):
            return []
        spots = self.spots
        # The rarest line leaves the fewest positions to compare.
        row = min(range(count), key=lambda one: len(spots[whole[one]]))
        starts = [at - row for at in spots[whole[row]] if at >= row]
        return [at for at in starts if list(self.lines[at : at + count]) == whole]
