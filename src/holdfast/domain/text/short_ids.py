"""Ids in short, for people; every verb takes them so."""

from __future__ import annotations

import re

from holdfast.domain.ids import short

_ID = re.compile(r"(?<![\w/])[adimrstvw]_[0-9a-z]{26}\b(?!\.\w)")
"""The id of an agent, decision, session, memory, run, span, task, snapshot or workspace.

An id after a slash or before the ending of a file is part of a path, and stays.
"""


def with_short_ids(text: str) -> str:
    """Return a text with every id in it in short, but those in paths."""
    return _ID.sub(lambda found: short(found.group()), text)
