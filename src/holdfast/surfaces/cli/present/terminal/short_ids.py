"""Show ids in short to a person at a terminal; the next command takes them so."""

from __future__ import annotations

from holdfast.domain.text.short_ids import with_short_ids
from holdfast.surfaces.cli.present.terminal.colour import Name, WholeName


def shortened(text: str) -> str:
    """Return a text with every id in it in short, in the same style."""
    return type(text)(with_short_ids(str(text)))


def as_at_terminal(part: str) -> str:
    """Return a name as a terminal shows it; any other text may quote somebody and stays."""
    if isinstance(part, Name) and not isinstance(part, WholeName):
        return shortened(part)
    return part
