"""Ids in short, for people; every verb takes them so."""

from __future__ import annotations

import re

from holdfast.domain.ids import short

_ID = re.compile(r"\b[adimrstvw]_[0-9a-z]{26}\b")
"""The id of an agent, decision, session, memory, run, span, task, snapshot or workspace."""


def with_short_ids(text: str) -> str:
    """Return a text with every id in it in short."""
    return _ID.sub(lambda found: short(found.group()), text)
