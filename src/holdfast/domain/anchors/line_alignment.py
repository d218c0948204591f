"""Match the equal lines of two versions of a file."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


GONE = -1
_MOST_CELLS = 40_000


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
