"""Print rows: a table on a terminal, tab-separated values in a pipe.

Print a tree of lines.

A word diff: with colours on a terminal, with marks elsewhere.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.gates.hidden import escaped
from holdfast.domain.text.word_diff import DiffSide, plain_diff, word_diff
from holdfast.domain.values import dataclass, field
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.surfaces.cli.present.terminal.output import Output


_GAP = "  "
_NARROWEST_LAST = 20
_DEFAULT_WIDTH = 100


def show_table(output: Output, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write the rows.

    On a terminal they have headings and columns, and the last column is cut to the width.
    """
    if not output.is_terminal:
        if rows:
            lines = ["\t".join([one_line(str(cell)) for cell in row]) for row in rows]
            output.say("\n".join(lines))
        return
    clean = [[_clean(cell) for cell in row] for row in rows]
    widths = [
        max([columns(head), *(columns(row[place]) for row in clean)])
        for place, head in enumerate(heads)
    ]
    room = terminal_width() - sum(widths[:-1]) - len(_GAP) * (len(heads) - 1)
    last = max(room, _NARROWEST_LAST)
    output.say(*_spaced([Dim(head) for head in heads], widths))
    for row in clean:
        output.say(*_spaced([*row[:-1], cut(row[-1], last)], widths))


def _spaced(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    parts: list[str] = []
    for cell, width in zip(cells[:-1], widths, strict=False):
        parts += [cell, " " * (width - columns(cell)) + _GAP]
    return [*parts, cells[-1]]


def _clean(cell: str) -> str:
    plain = escaped(one_line(str(cell)))
    return type(cell)(plain) if isinstance(cell, Styled) else plain


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def cut(text: str, width: int) -> str:
    """Return a text cut to a width, with a sign where it was cut."""
    if columns(text) <= width:
        return text
    kept, used = [], 0
    for sign in str(text):
        used += columns(sign)
        if used > width - 1:
            break
        kept.append(sign)
    shorter = "".join(kept).rstrip() + "…"
    return type(text)(shorter) if isinstance(text, Styled) else shorter


def folded(text: str, width: int) -> list[str]:
    """Return a text in lines that fit a width, in the same style."""
    lines: list[str] = [""]
    for word in escaped(str(text)).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(longer) <= width:
            lines[-1] = longer
            continue
        rest = word
        if lines[-1]:
            lines.append("")
        while columns(rest) > width:
            lines[-1], rest = rest[:width], rest[width:]
            lines.append("")
        lines[-1] = rest
    return [type(text)(line) for line in lines]


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )


def terminal_width() -> int:
    """Return the width of the terminal; the variable COLUMNS overrides it."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isascii() and wanted.isdigit() and int(wanted):
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or _DEFAULT_WIDTH
    except OSError:
        return _DEFAULT_WIDTH


@dataclass(frozen=True, slots=True)
class Branch:
    """A line, and the lines below it."""

    line: list[str]
    branches: list[Branch] = field(default_factory=list)


def show_tree(output: Output, root: Branch) -> None:
    """Write a tree from its root."""
    output.say(*root.line)
    _show_branches(output, root.branches, indent="")


def _show_branches(output: Output, branches: list[Branch], *, indent: str) -> None:
    for place, branch in enumerate(branches, start=1):
        is_last = place == len(branches)
        output.say(Dim(indent + ("└─ " if is_last else "├─ ")), *branch.line)
        _show_branches(output, branch.branches, indent=indent + ("   " if is_last else "│  "))


def diff_words(output: Output, old: str, new: str) -> list[str]:
    """Return the difference as parts of a line."""
    pieces = word_diff(one_line(old), one_line(new))
    if not output.is_coloured:
        return [plain_diff(pieces)]
    styles = {DiffSide.SAME: str, DiffSide.GONE: Bad, DiffSide.NEW: Good}
    return [styles[piece.part](piece.marked) for piece in pieces]
