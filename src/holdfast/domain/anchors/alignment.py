"""Map each line of an old version of a file to the same line in the current version.

The comparison ignores white space inside lines; the caller checks whether a text is exactly the
same. Lines that occur once in each version are the fixed points of the mapping.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.anchors.file_lines import FULL, Budget, Fit, Text, is_closing, weight
from holdfast.domain.anchors.line_alignment import GONE, align

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# Chosen by hand; ``make torture-git`` checks the verdicts that they lead to.
_LONGEST_RUN = 200
_TELLING = 8
_NEAR = 8
_ALIKE = 2
_COST_OF_FIT = 4


class FileComparison:
    """An old version of a file, or of a part of it, compared with the current version."""

    def __init__(self, then: Sequence[str] | Text, now: Sequence[str] | Text) -> None:
        self.text_then = Text.of(then)
        self.text_now = Text.of(now)
        self.then = self.text_then.lines
        self.now = self.text_now.lines

    @property
    def then_words(self) -> list[str]:
        """The old lines with normalised white space."""
        return self.text_then.words

    @property
    def now_words(self) -> list[str]:
        """The current lines with normalised white space."""
        return self.text_now.words

    @cached_property
    def kept(self) -> list[int]:
        """For each old line the index of the current line it became, or GONE."""
        return align(self.then_words, self.now_words)

    @cached_property
    def alone(self) -> frozenset[str]:
        """The lines that occur once in each version."""
        then, now = Counter(self.then_words), Counter(self.now_words)
        return frozenset(line for line, times in then.items() if times == now[line] == 1)

    def fit(self, at: int, to: int, count: int) -> Fit:
        """Return how well the context of some old lines matches that of some current lines."""
        return Fit(before=self._run(at - 1, to - 1, -1), after=self._run(at + count, to + count, 1))

    def fit_within(self, budget: Budget, at: int, to: int, count: int) -> Fit:
        """Return how well the contexts match, and charge the cost to the budget."""
        found = self.fit(at, to, count)
        budget.spend(_COST_OF_FIT + found.total)
        return found

    def _run(self, at: int, to: int, step: int) -> int:
        then, now, length = self.then_words, self.now_words, 0
        while 0 <= at < len(then) and 0 <= to < len(now) and length < _LONGEST_RUN:
            if then[at] != now[to]:
                return length
            length += 1
            at += step
            to += step
        # If both files end here, nothing contradicts the match: this counts as a full fit.
        both_end = not 0 <= at < len(then) and not 0 <= to < len(now)
        return length + FULL if both_end else length

    def around(self, to: int, count: int, fit: Fit) -> list[str]:
        """Return the equal current lines around a place, without a gap, with the place itself."""
        first, last = max(0, to - fit.before), min(len(self.now), to + count + fit.after)
        return self.now_words[first:last]

    def information(
        self, to: int, count: int, fit: Fit, *, but: Collection[str] = frozenset()
    ) -> int:
        """Return how distinctive the unique lines around a place are; ``but`` lists exceptions."""
        lines = set(self.around(to, count, fit))
        return sum(weight(line) for line in lines if line in self.alone and line not in but)

    def is_pinned(
        self, to: int, count: int, fit: Fit, *, but: Collection[str] = frozenset()
    ) -> tuple[bool, bool]:
        """Tell for the lines above and the lines below whether a unique line fixes the place."""
        end = to + count
        rest = range(end, min(len(self.now), end + fit.after))
        above = fit.before > to or any(
            self._proves(row, but) for row in range(max(0, to - fit.before), to)
        )
        return above, fit.after > len(rest) or any(self._proves(row, but) for row in rest)

    def is_whole(
        self, to: int, count: int, fit: Fit, *, but: Collection[str] = frozenset()
    ) -> bool:
        """Tell whether unique lines fix the place up to its edges, and not only in the middle.

        Lines above the first unique line may belong to the text that was there before. Below the
        last unique line only closing lines, such as brackets, may follow.
        """
        end = to + count
        is_top, is_bottom = self.is_pinned(to, count, fit, but=but)
        proved = self.proved(to, count, but=but)
        if not proved:
            return is_top and is_bottom
        closes = all(is_closing(self.now[row]) for row in range(proved[-1] + 1, end))
        return (is_top or proved[0] == to) and (is_bottom or closes)

    def proved(self, to: int, count: int, *, but: Collection[str]) -> list[int]:
        """Return the rows of a place that hold a unique, distinctive line."""
        return [row for row in range(to, to + count) if self._proves(row, but)]

    def edges(
        self, to: int, count: int, fit: Fit, *, but: Collection[str] = frozenset()
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the lines at the top and at the bottom of a place that no unique line fixes."""
        is_top, is_bottom = self.is_pinned(to, count, fit, but=but)
        end, proved = to + count, self.proved(to, count, but=but)
        first, last = (proved[0], proved[-1] + 1) if proved else (end, to)
        top = () if is_top else self.now_words[to:first]
        bottom = () if is_bottom else self.now_words[last:end]
        return frozenset(top), frozenset(bottom)

    def gaps(self, at: int, to: int, count: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return the lines between a place and the nearest unique lines above and below it.

        The lines come from both versions: if an edge of the place equals one of them, it may be
        that line.
        """
        above = next((row for row in range(at - 1, -1, -1) if self._stays(row)), GONE)
        after = range(at + count, len(self.then))
        below = next((row for row in after if self._stays(row)), len(self.then))
        start = self.kept[above] if above != GONE else GONE
        stop = self.kept[below] if below < len(self.then) else len(self.now)
        then, now = self.then_words, self.now_words
        return (
            frozenset([*then[above + 1 : at], *now[start + 1 : to]]),
            frozenset([*then[at + count : below], *now[to + count : stop]]),
        )

    def _stays(self, row: int) -> bool:
        """Tell whether an old line is kept, unique and distinctive."""
        to = self.kept[row]
        return to != GONE and self._proves(to, frozenset())

    def is_alike(self, at: int, to: int, count: int) -> bool:
        """Tell whether two places share enough distinctive lines nearby, as copies do."""
        told = self._told(self.then_words, at, count) & self._told(self.now_words, to, count)
        return len(told) >= _ALIKE

    @staticmethod
    def _told(lines: Sequence[str], at: int, count: int) -> set[str]:
        near = lines[max(0, at - _NEAR) : at + count + _NEAR]
        return {line for line in near if weight(line) >= _TELLING}

    def _proves(self, row: int, but: Collection[str]) -> bool:
        line = self.now_words[row]
        return line in self.alone and line not in but and weight(line) >= _TELLING
