"""Places that still contain the text of a forgotten memory, and what was done there."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import near_form
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId

_LONGEST_NEEDLE = 200
"""Pages cut off long claims, so only the beginning of a claim is searched for."""
_SHORTEST_NEEDLE = 8
"""A shorter text also occurs in unrelated places."""
_EMPHASIS = re.compile(r"(?<!\w)[*_~`]+|[*_~`]+(?!\w)")
"""The marks of Markdown around words; a `*` or `_` inside a word belongs to it."""
_QUOTING = re.compile(r"^[ \t]*(?:>[ \t]?|\\)", re.MULTILINE)


class Reach(StrEnum):
    """What happened to the text in one place."""

    REMOVED = "removed"
    """The text was removed, or the file made from it was deleted."""
    LEFT = "left"
    """A person must remove it."""
    HISTORY = "in git history"
    """Only rewriting the history removes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A place that contained the text, what happened there, and what to do about it."""

    place: str
    reach: Reach
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneText:
    """The claim of a forgotten memory, and the ids under which pages held it.

    ``names`` are its id and those of the memories that it superseded: an entry has the first of
    them as its uid. ``later`` are the claims that superseded it. ``embedded`` are the texts that
    an embedding model may have read, and ``checks`` those of its checks.
    """

    memory: MemoryId
    claim: str
    names: frozenset[MemoryId] = frozenset()
    later: tuple[str, ...] = ()
    embedded: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()

    def is_entry(self, uid: MemoryId | None, body: str) -> bool:
        """Tell whether an entry states the forgotten claim, under one of its ids or none.

        An entry with the forgotten id and the current claim is removed too: the next sync writes
        it again under the id of the current memory. Without an id only the same statement counts.
        """
        if uid is None:
            return statement_form(body) == statement_form(self.claim)
        said = near_form(body)
        if uid == self.memory and said in map(near_form, self.later):
            return True
        return (uid == self.memory or uid in self.names) and said == near_form(self.claim)

    def is_in(self, text: str) -> bool:
        """Tell whether a text contains the claim, ignoring line breaks and Markdown quote marks."""
        needle = _needle(self.claim)
        return len(needle) >= _SHORTEST_NEEDLE and needle in _searched(text)

    def is_said_in(self, text: str) -> bool:
        """Tell whether a text says the claim, whatever its case, articles and punctuation are.

        Markdown emphasis counts as punctuation.
        """
        if self.is_in(text):
            return True
        said = _wording(self.claim)
        return len(said) >= _SHORTEST_NEEDLE and f" {said} " in _said(text)


def remains(traces: tuple[Trace, ...]) -> bool:
    """Tell whether a searched place still contains the text."""
    return any(trace.reach is not Reach.REMOVED for trace in traces)


# One file is searched for many texts, one after the other.
@lru_cache(maxsize=1)
def _searched(text: str) -> str:
    return _plain(text)


@lru_cache(maxsize=1)
def _said(text: str) -> str:
    return f" {near_form(_EMPHASIS.sub('', text))} "


# A prune looks for many claims in every text of a store.
@lru_cache(maxsize=1_024)
def _needle(claim: str) -> str:
    return _plain(claim)[:_LONGEST_NEEDLE].rstrip()


@lru_cache(maxsize=1_024)
def _wording(claim: str) -> str:
    said = near_form(_EMPHASIS.sub("", claim[:_LONGEST_NEEDLE]))
    return said.rpartition(" ")[0] if len(claim) > _LONGEST_NEEDLE else said


def _plain(text: str) -> str:
    return " ".join(_QUOTING.sub("", text).split())
