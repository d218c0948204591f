"""A conversation with a tool, as its transcript tells it. Everything in it is untrusted data."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime


class Speaker(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing that was said, or one tool that was called.

    ``number`` counts from 1 in the order of the conversation; ``name`` is the turn's own id in
    the transcript, where it has one. A turn of a tool has the tool's name, what it was given
    and what it answered in ``text``.
    """

    number: int
    speaker: Speaker
    text: str
    at: datetime | None = None
    name: str = ""
    tool: str = ""
    has_failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation: which tool, which session, where, and its turns in order."""

    tool: str
    session: str
    turns: tuple[Turn, ...]
    folder: str = ""
    branch: str = ""
    head: str = ""
    source: str = ""
    """Where it was read: a path, or another name a person can follow."""

    def reference(self, turn: Turn) -> str:
        """Return the way a turn is cited: ``claude:5f1c…#12``."""
        return f"{self.tool}:{self.session}#{turn.number}"
