"""A conversation with a tool, read from its transcript. All of its content is untrusted data."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from datetime import datetime


class Speaker(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, or one call of a tool.

    ``number`` counts from 1 in the order of the conversation; ``name`` is the turn's own id in the
    transcript, if it has one. A turn of a tool has the tool's name, and its input and output in
    ``text``.
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
    """A conversation: its tool, session and folder, and its turns in order."""

    tool: str
    session: str
    turns: tuple[Turn, ...]
    folder: str = ""
    branch: str = ""
    head: str = ""
    source: str = ""
    """Where it was read: a path, or another name that people can follow."""

    def reference(self, turn: Turn) -> str:
        """Return the reference that cites a turn: ``claude:5f1c…#12``."""
        return f"{self.tool}:{self.session}#{turn.number}"


def own_words(transcript: Transcript) -> Transcript:
    """Return the conversation without the text that Holdfast injected into it."""
    turns = tuple(replace(turn, text=without_injected(turn.text)) for turn in transcript.turns)
    return replace(transcript, turns=turns)
