"""Quote: read the lines that a memory cites, to show them before a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.memory.anchor import FoundLines
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.recall.quoting import Quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.surroundings import Surroundings

MOST_LINES = 40
_MOST_QUOTES = 4


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
            kept = lines[:MOST_LINES]
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
