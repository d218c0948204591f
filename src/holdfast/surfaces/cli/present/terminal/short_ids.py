"""Show ids in short to a person at a terminal; the next command takes them so."""

from __future__ import annotations

import re

from holdfast.domain.ids import short
from holdfast.surfaces.cli.present.terminal.colour import Name, WholeName

_ID = re.compile(r"\b[adimrstvw]_[0-9a-z]{26}\b")
"""The id of an agent, decision, session, memory, run, span, task, snapshot or workspace."""


def shortened(text: str) -> str:
    """Return a text with every id in it in short, in the same style."""
    return type(text)(_ID.sub(lambda found: short(found.group()), str(text)))


def as_at_terminal(part: str) -> str:
    """Return a name as a terminal shows it; any other text may quote somebody and stays."""
    if isinstance(part, Name) and not isinstance(part, WholeName):
        return shortened(part)
    return part
