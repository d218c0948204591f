"""Print rows: a table on a terminal, tab-separated values in a pipe.

Print a tree of lines.

A word diff: with colours on a terminal, with marks elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.gates.unseen import escaped
from holdfast.domain.text.word_diff import DiffSide, plain_diff, word_diff
from holdfast.domain.values import dataclass, field
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, ShownPlace, Styled
from holdfast.surfaces.cli.present.terminal.cutting import cut, end_of_place, that_fit
from holdfast.surfaces.cli.present.terminal.measuring import columns, terminal_width
from holdfast.surfaces.cli.present.terminal.short_ids import as_at_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.surfaces.cli.present.terminal.output import Output


_GAP = "  "
_NARROWEST_LAST = 30
_NARROWEST_CUT = 12
_MOST_WRAPPED = 4


def show_table(
    output: Output,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    is_numbered: bool = False,
    is_wrapped: bool = False,
) -> None:
    """Write the rows; nothing if there are none.

    On a terminal they have headings and columns, and no line is wider than the terminal. The last
    column is cut, or wrapped if it is a claim or a reason. Numbered rows have their number before
    them, and are wrapped.
    """
    if not rows:
        return
    if not output.is_terminal:
        lines = ["\t".join([one_line(str(cell)) for cell in row]) for row in rows]
        output.say("\n".join(lines))
        return
    rows = [[as_at_terminal(cell) for cell in row] for row in rows]
    if is_numbered:
        is_wrapped = True
        heads = ("#", *heads)
        rows = [[Dim(str(number)), *row] for number, row in enumerate(rows, start=1)]
    for line in table_lines(heads, rows, width=terminal_width(), is_wrapped=is_wrapped):
        output.say(*line)


def table_lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int, is_wrapped: bool = False
) -> list[list[str]]:
    """Return the lines of a table in a width, each as the parts of a line.

    The last column is cut, or wrapped below the others. If cutting leaves too little of it, empty
    columns are left out; if that is not enough, the last columns get a line of their own below the
    others. Ids are never cut.
    """
    grid: list[list[str]] = [[Dim(head) for head in heads]]
    grid += [[_clean(cell) for cell in row] for row in rows]
    if is_wrapped:
        grid = _without_empty_columns(grid)
    widths = _widths(grid)
    room = width - min(widths[-1], _NARROWEST_LAST)
    if _taken(widths[:-1]) > room:
        grid = _without_empty_columns(grid)
        widths = _widths(grid)
    if _taken(widths[:-1]) > room or (is_wrapped and _taken(widths) - len(_GAP) > width):
        return _in_two_lines(grid, width, most=_MOST_WRAPPED if is_wrapped else 1)
    widths[-1] = min(widths[-1], width - _taken(widths[:-1]))
    return [_spaced(row, widths) for row in grid]


def _in_two_lines(grid: Sequence[Sequence[str]], width: int, *, most: int) -> list[list[str]]:
    """Return each row as a line with the columns that fit, and lines with the other ones."""
    above, room = len(grid[0]) - 1, width + len(_GAP)
    while above > 1 and _taken(_narrowed([row[:above] for row in grid], room)) > room:
        above -= 1
    widths = _narrowed([row[:above] for row in grid], room)
    lines: list[list[str]] = []
    for row in grid:
        # The last column is a claim or a reason: on a line of another column it would continue it.
        beside = _GAP.join(cell for cell in row[above:-1] if cell)
        lines += [_spaced(row[:above], widths), *_wrapped(beside, width - len(_GAP), most)]
        lines += _wrapped(row[-1], width - len(_GAP), most)
    return lines


def _wrapped(text: str, width: int, most: int) -> list[list[str]]:
    """Return a text in at most this many lines, broken between words; the last one is cut."""
    lines = (folded(text, width) if most > 1 else [text]) if text else []
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [[_GAP, cut(line, width)] for line in lines]


def _spaced(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells of a row, each cut and filled to its width; nothing follows the last one."""
    parts: list[str] = []
    for cell, width in zip(cells, widths, strict=True):
        shown = cut(cell, width)
        parts += [shown, " " * (width - columns(shown)) + _GAP]
    return parts[:-1]


def _narrowed(grid: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of columns, the widest ones without ids reduced until all fit the room."""
    widths = _widths(grid)
    cuttable = [
        place
        for place, column in enumerate(zip(*grid, strict=True))
        if not any(isinstance(cell, Name) for cell in column)
    ]
    least = [max(map(_least, column)) for column in zip(*grid, strict=True)]
    while _taken(widths) > room:
        cuttable = [place for place in cuttable if widths[place] > least[place]]
        if not cuttable:
            break
        widths[max(cuttable, key=widths.__getitem__)] -= 1
    return widths


def _least(cell: str) -> int:
    """Return the fewest columns a cell is cut to; the end of a place is whole."""
    if not isinstance(cell, ShownPlace):
        return _NARROWEST_CUT
    return max(_NARROWEST_CUT, min(columns(cell), columns(end_of_place(cell)) + 1))


def _widths(grid: Sequence[Sequence[str]]) -> list[int]:
    return [max(columns(cell) for cell in column) for column in zip(*grid, strict=True)]


def _taken(widths: Sequence[int]) -> int:
    """Return the columns of a terminal that these columns take, with the gap after each."""
    return sum(widths) + len(_GAP) * len(widths)


def _without_empty_columns(grid: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return a grid without the columns, except the last, in which only the heading has text."""
    last = len(grid[0]) - 1
    kept = [place for place in range(last) if any(row[place] for row in grid[1:])]
    return [[row[place] for place in (*kept, last)] for row in grid]


def _clean(cell: str) -> str:
    plain = escaped(one_line(str(cell)))
    return type(cell)(plain) if isinstance(cell, Styled) else plain


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


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
            fits = that_fit(rest, width)
            lines[-1], rest = rest[:fits], rest[fits:]
            lines.append("")
        lines[-1] = rest
    return [type(text)(line) for line in lines]


def wrapped(text: str, *, indent: str = "", more: str = "", is_terminal: bool) -> list[str]:
    """Return a text in lines of a terminal, cut between words; a pipe gets it on one line.

    ``indent`` stands before it where it is written, and ``more`` before each line after the first.
    """
    width = terminal_width() - columns(indent) - columns(more)
    if not is_terminal or columns(text) <= terminal_width() - columns(indent):
        return [text]
    first, *rest = folded(text, width)
    return [first, *(type(text)(f"{more}{line}") for line in rest)]


@dataclass(frozen=True, slots=True)
class Branch:
    """A line, and the lines below it."""

    line: list[str]
    branches: list[Branch] = field(default_factory=list)


def show_tree(output: Output, root: Branch) -> None:
    """Write a tree from its root."""
    _show_branch(output, root, sign="", indent="")


def _show_branch(output: Output, branch: Branch, *, sign: str, indent: str) -> None:
    """Write a line after its sign, and the lines below it; a terminal gets them in its width."""
    below = f"{indent}{'│  ' if branch.branches else '   '}"
    output.say(Dim(sign), *output.fitting(branch.line, indent=below))
    for place, one in enumerate(branch.branches, start=1):
        is_last = place == len(branch.branches)
        sign, more = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        _show_branch(output, one, sign=indent + sign, indent=indent + more)


def diff_words(output: Output, old: str, new: str) -> list[str]:
    """Return the difference as parts of a line."""
    pieces = word_diff(one_line(old), one_line(new))
    if not output.is_coloured:
        return [plain_diff(pieces)]
    styles = {DiffSide.SAME: str, DiffSide.GONE: Bad, DiffSide.NEW: Good}
    return [styles[piece.part](piece.marked) for piece in pieces]
