"""Where else the text of a forgotten memory stands, and what became of it there."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.selection import near_form
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId

_LONGEST_NEEDLE = 200
"""Pages show long claims cut off, so the beginning of a claim is looked for."""
_SHORTEST_NEEDLE = 8
"""A shorter text stands in many places that have nothing to do with the memory."""
_QUOTING = re.compile(r"^[ \t]*(?:>[ \t]?|\\)", re.MULTILINE)


class Reach(StrEnum):
    """What became of the text in one place."""

    REMOVED = "removed"
    """It was taken out, or the file that was made from it was removed."""
    LEFT = "left"
    """A person must take it out."""
    HISTORY = "in git history"
    """Only rewriting the history removes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A place that held the text, what became of it, and what to do about it."""

    place: str
    reach: Reach
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneText:
    """What a forgotten memory said, and the names under which it stood in pages.

    ``names`` are its id and those of memories whose place it took: an entry bears the first of
    them. ``later`` is what took its own place since.
    """

    memory: MemoryId
    claim: str
    names: frozenset[MemoryId] = frozenset()
    later: tuple[str, ...] = ()

    def is_entry(self, uid: MemoryId | None, body: str) -> bool:
        """Tell whether an entry says what was forgotten, under one of its names or under none.

        An entry that bears the forgotten id and says what stands now goes too: the next sync
        writes it again under the id of that memory.
        """
        said = near_form(body)
        if uid == self.memory and said in map(near_form, self.later):
            return True
        is_named = uid is None or uid == self.memory or uid in self.names
        return is_named and said == near_form(self.claim)

    def is_in(self, text: str) -> bool:
        """Tell whether a text holds the claim, however its lines are broken or quoted."""
        needle = _plain(self.claim)[:_LONGEST_NEEDLE].rstrip()
        return len(needle) >= _SHORTEST_NEEDLE and needle in _plain(text)


def remains(traces: tuple[Trace, ...]) -> bool:
    """Tell whether the text still stands in a place that was looked at."""
    return any(trace.reach is not Reach.REMOVED for trace in traces)


def _plain(text: str) -> str:
    return " ".join(_QUOTING.sub("", text).split())
