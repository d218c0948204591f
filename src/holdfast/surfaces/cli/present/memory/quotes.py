"""Print cited lines with their file name and line numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.quoting import cut_short
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.present.terminal.table import cut, terminal_width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.recall.quoting import Quote
    from holdfast.surfaces.cli.present.terminal.output import Output

_TAB = 4


def show_quotes(output: Output, quotes: Iterable[Quote], *, most: int, indent: str) -> None:
    """Write each quote below its file name, at most ``most`` lines of it."""
    for quote in quotes:
        short = cut_short(quote, most)
        last = short.first + len(short.lines) - 1
        width = len(str(last))
        output.say(indent, Dim(quote.reference))
        for number, line in enumerate(short.lines, start=short.first):
            shown = f"{number:>{width}} | {line.expandtabs(_TAB)}".rstrip()
            if output.is_terminal:
                shown = cut(shown, terminal_width() - len(indent))
            output.say(indent, shown)
        if short.more:
            output.say(indent, Dim(f"… {short.more:,} more line{'s' if short.more > 1 else ''}"))
