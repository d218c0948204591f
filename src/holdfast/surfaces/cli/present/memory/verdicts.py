"""Print verdicts on evidence: a coloured word, the current place, and the diff.

Print cited lines with their file name and line numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.anchors.locating import SPACES_ONLY
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.recall.rendering import cut_short
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Styled, Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.measuring import terminal_width
from holdfast.surfaces.cli.present.terminal.table import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.anchor import Checked, Sighting
    from holdfast.domain.recall.rendering import Quote
    from holdfast.surfaces.cli.present.terminal.output import Output


STYLES: dict[Verdict, type[Styled]] = {
    Verdict.FRESH: Good,
    Verdict.MOVED: Good,
    Verdict.DRIFTED: Warn,
    Verdict.ORPHANED: Bad,
    Verdict.UNVERIFIABLE: Dim,
}


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict in its colour."""
    return STYLES[verdict](verdict.value)


def sighting_words(sighting: Sighting) -> str:
    """Return the state of a span as a coloured word."""
    return STYLES[sighting.verdict](one_line(sighting.words))


def show_changes(output: Output, checked: Iterable[Checked], *, indent: str = "  ") -> None:
    """Write the diffs between the lines that were cited and the lines there now."""
    for one in checked:
        place = one_line(one.reference)
        if one.sighting.change:
            output.say(indent, Dim(place))
        elif one.sighting.how == SPACES_ONLY:
            output.say(indent, Dim(f"{place}: {SPACES_ONLY}; the old lines are not stored"))
        for line in one.sighting.change:
            style = Good if line.startswith("+") else Bad if line.startswith("-") else Dim
            output.say(indent, style(line))


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
