"""Finds the sections of a Markdown text, so that they count as symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.code.parsing.comments import shortened
from holdfast.adapters.code.parsing.nesting import Nested
from holdfast.domain.code.code import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_JOINT = " > "
_LONGEST_NAME = 120
_MOST = 5_000
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\r?$")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?$")
_TEXT = re.compile(rb" {0,3}[^\s#>|*+\-`~<]")
_FRONT = re.compile(rb"---[ \t]*\r?$")


def headings(lines: Sequence[bytes]) -> list[Nested]:
    """Return the sections of the text as symbols: from a heading to the line before the next."""
    found = list(_found(lines))[:_MOST]
    made: list[Nested] = []
    open_ones: list[tuple[int, int]] = []
    for place, (row, level, title) in enumerate(found):
        while open_ones and open_ones[-1][0] >= level:
            open_ones.pop()
        parent = open_ones[-1][1] if open_ones else -1
        above = f"{made[parent].symbol.name}{_JOINT}" if open_ones else ""
        last = next((at for at, rank, _ in found[place + 1 :] if rank <= level), len(lines))
        while last > row + 1 and not lines[last - 1].strip():
            last -= 1
        symbol = Symbol(
            name=above + title,
            kind="heading",
            first=row + 1,
            last=last,
            signature=f"{'#' * level} {title}",
        )
        open_ones.append((level, place))
        made.append(Nested(symbol, row + 1, parent, row, last))
    return made


def _found(lines: Sequence[bytes]) -> Iterator[tuple[int, int, str]]:
    """Return the row, level and text of each heading; fenced code is ignored."""
    fence = b""
    for row in range(_front_matter(lines), len(lines)):
        line = lines[row]
        mark = _FENCE.match(line)
        if fence:
            is_end = mark is not None and mark[1].startswith(fence)
            fence = b"" if is_end and not line.strip().strip(fence[:1]) else fence
        elif mark is not None:
            fence = mark[1]
        elif atx := _ATX.match(line):
            if title := _title(atx[2] or b""):
                yield row, len(atx[1]), title
        elif row + 1 < len(lines) and _is_underlined(lines, row):
            yield row, 1 if lines[row + 1].lstrip().startswith(b"=") else 2, _title(line)


def _front_matter(lines: Sequence[bytes]) -> int:
    """Return the first row after the front matter."""
    if not lines or not _FRONT.match(lines[0]):
        return 0
    return next((row + 1 for row in range(1, len(lines)) if _FRONT.match(lines[row])), 0)


def _is_underlined(lines: Sequence[bytes], row: int) -> bool:
    """Return whether a line is a one-line paragraph with a heading underline below it."""
    is_alone = row == 0 or not lines[row - 1].strip()
    return bool(is_alone and _TEXT.match(lines[row]) and _UNDERLINE.match(lines[row + 1]))


def _title(words: bytes) -> str:
    return shortened(words.decode("utf-8", "replace"), _LONGEST_NAME)
