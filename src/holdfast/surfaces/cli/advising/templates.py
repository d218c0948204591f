"""Finds the advice for a note that was made from a template.

A sync needs this without the advice about answers, which imports most of recall.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def advice_among(notes: Mapping[str, str], note: str) -> str:
    """Return the advice of the first template that fits a note; empty if none does."""
    for template, said in notes.items():
        found = _pattern(template).fullmatch(note)
        if found is not None:
            return said.format(**found.groupdict())
    return ""


def advised_among(notes: Mapping[str, str], note: str) -> str:
    """Return a note with the advice for it, if there is any."""
    said = advice_among(notes, note)
    return f"{note}; {said}" if said else note


def _pattern(template: str) -> re.Pattern[str]:
    """Return the regular expression that matches every note made from a template.

    An id ends before the next sentence of a note.
    """
    words = re.sub(r"\\\{id\\\}", r"(?P<id>[^;]+)", re.escape(template))
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", words), re.DOTALL)
