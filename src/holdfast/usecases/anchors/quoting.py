"""Quote: read the lines that evidence cites, and the lines around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.memory.anchor import FoundLines
from holdfast.domain.memory.evidence import (
    Evidence,
    read_place,
)
from holdfast.domain.recall.rendering import Quote
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.surroundings import Surroundings


MOST_LINES = 40
_MOST_QUOTES = 4
_WIDEST = 1_000
"""How many characters of a line are quoted: a file of data may be one line of a million."""


def quotes_of(
    record: MemoryRecord, checked: Sequence[Checked], *, surroundings: Surroundings
) -> tuple[Quote, ...]:
    """Return the lines that a memory's evidence cites, at their current places.

    A file that cannot be read gives no quote; the verdict on that evidence says why.
    """
    found: list[Quote] = []
    for place in dict.fromkeys(_places(record.evidence, checked)):
        if len(found) == _MOST_QUOTES:
            break
        try:
            lines = tuple(surroundings.read_lines(place))
        except EvidenceUnreadableError:
            continue
        if lines:
            kept = _short(lines[:MOST_LINES])
            quote = Quote(
                path=place.path, first=place.first, lines=kept, more=len(lines) - len(kept)
            )
            found.append(quote)
    return tuple(found)


def _places(evidence: Sequence[Evidence], checked: Sequence[Checked]) -> Iterator[FoundLines]:
    """Return the current place of each cited span, or its original place if it was not checked."""
    now = {one.span: one.sighting.places for one in checked if one.span is not None}
    for item in evidence:
        if item.span is None:
            continue
        if item.span in now:
            yield from now[item.span]
            continue
        named = read_place(item.reference)
        if named.first is not None and named.last is not None:
            yield FoundLines(path=named.path, first=named.first, last=named.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedLines:
    """The lines that evidence cites, and some lines before and after them."""

    quote: Quote
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def first(self) -> int:
        """The number of the first line that is shown."""
        return self.quote.first - len(self.before)


def lines_around(quote: Quote, *, margin: int, surroundings: Surroundings) -> CitedLines:
    """Return a quote with the lines around it; without them if the file cannot be read.

    What stands after a quote that was cut short are cited lines too, so none are read there.
    """
    start = max(1, quote.first - margin)
    end = quote.first + len(quote.lines) - 1
    last = end if quote.more else end + margin
    try:
        lines = tuple(surroundings.read_lines(FoundLines(path=quote.path, first=start, last=last)))
    except EvidenceUnreadableError:
        return CitedLines(quote=quote)
    above = quote.first - start
    after = lines[above + len(quote.lines) :]
    return CitedLines(quote=quote, before=_short(lines[:above]), after=_short(after))


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines of which long ones are cut, and say so."""
    return tuple(
        line
        if len(line) <= _WIDEST
        else f"{line[:_WIDEST]}… ({counted(len(line) - _WIDEST, 'more character')})"
        for line in lines
    )
