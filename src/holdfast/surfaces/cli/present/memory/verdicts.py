"""Print verdicts on evidence: a coloured word, the current place, and the diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.anchor import Verdict
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Styled, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.anchor import Checked, Sighting
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
        if one.sighting.change:
            output.say(indent, Dim(one.reference))
        for line in one.sighting.change:
            style = Good if line.startswith("+") else Bad if line.startswith("-") else Dim
            output.say(indent, style(line))
