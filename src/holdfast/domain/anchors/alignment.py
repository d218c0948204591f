"""Map each line of an old version of a file to the same line in the current version.

The comparison ignores white space inside lines; the caller checks whether a text is exactly the
same. Lines that occur once in each version are the fixed points of the mapping.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

GONE = -1
# Chosen by hand; ``make torture-git`` checks the verdicts that they lead to.
_LONGEST_RUN = 200
_FULL = 3
_MOST_CELLS = 40_000
_MOST_WEIGHT = 40
_TELLING = 8
_NEAR = 8
_ALIKE = 2
_CLOSING = 10
_COST_OF_FIT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The number of equal lines before and after a place; shared file ends count as equal lines."""

    before: int
    after: int

    @property
    def total(self) -> int:
        """The number of equal lines on both sides."""
        return self.before + self.after

    @property
    def is_full(self) -> bool:
        """Tell whether each side has as many equal lines as an anchor records."""
        return self.before >= _FULL and self.after >= _FULL

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
        return length + _FULL if both_end else length

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


def align(then: Sequence[str], now: Sequence[str]) -> list[int]:
    """Return for each old line the index of the current line it became, or GONE, in order."""
    kept = [GONE] * len(then)
    parts = [(0, len(then), 0, len(now))]
    while parts:
        part = _trimmed(then, now, parts.pop(), kept)
        first, last, start, end = part
        if first == last or start == end:
            continue
        anchors = _anchors(then, now, part)
        if not anchors:
            _common(then, now, part, kept)
            continue
        for at, to in [*anchors, (last, end)]:
            parts.append((first, at, start, to))
            first, start = at, to
            if at < last:
                kept[at] = to
                first, start = at + 1, to + 1
    return kept


def _trimmed(
    then: Sequence[str], now: Sequence[str], part: tuple[int, int, int, int], kept: list[int]
) -> tuple[int, int, int, int]:
    """Match the equal lines at both ends, and return the range between them."""
    first, last, start, end = part
    while first < last and start < end and then[first] == now[start]:
        kept[first] = start
        first, start = first + 1, start + 1
    while first < last and start < end and then[last - 1] == now[end - 1]:
        last, end = last - 1, end - 1
        kept[last] = end
    return first, last, start, end


def _anchors(
    then: Sequence[str], now: Sequence[str], part: tuple[int, int, int, int]
) -> list[tuple[int, int]]:
    """Return the longest increasing sequence of lines that are unique on each side."""
    first, last, start, end = part
    mine, theirs = Counter(then[first:last]), Counter(now[start:end])
    places = {line: to for to, line in enumerate(now[start:end], start) if theirs[line] == 1}
    pairs = [
        (at, places[line])
        for at, line in enumerate(then[first:last], first)
        if mine[line] == 1 and line in places
    ]
    ends: list[int] = []
    last_of: list[int] = []
    previous: list[int] = []
    for index, (_, to) in enumerate(pairs):
        length = bisect_left(ends, to)
        previous.append(last_of[length - 1] if length else GONE)
        ends[length : length + 1] = [to]
        last_of[length : length + 1] = [index]
    row: list[tuple[int, int]] = []
    index = last_of[-1] if last_of else GONE
    while index != GONE:
        row.append(pairs[index])
        index = previous[index]
    return row[::-1]


def _common(
    then: Sequence[str], now: Sequence[str], part: tuple[int, int, int, int], kept: list[int]
) -> None:
    """Match the longest common subsequence of lines, unless the table would be too large."""
    first, last, start, end = part
    rows, columns = last - first, end - start
    if rows * columns > _MOST_CELLS:
        return
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            if then[first + row] == now[start + column]:
                best[row][column] = best[row + 1][column + 1] + 1
            else:
                best[row][column] = max(best[row + 1][column], best[row][column + 1])
    row = column = 0
    while row < rows and column < columns:
        if then[first + row] == now[start + column]:
            kept[first + row] = start + column
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
