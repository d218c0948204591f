"""A conversation with a tool, read from its transcript. All of its content is untrusted data.

Bookmarks record how far a transcript was read, so that only new turns are read later.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
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
    who: str = ""
    """The speaker's name, in a conversation of several people."""


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
    odd_times: int = 0
    """How many messages name a time that cannot be, such as one before 1970."""

    def reference(self, turn: Turn) -> str:
        """Return the reference that cites a turn: ``claude:5f1c…#12``."""
        return f"{self.tool}:{self.session}#{turn.number}"


def own_words(transcript: Transcript) -> Transcript:
    """Return the conversation without the text that Holdfast injected into it."""
    turns = tuple(replace(turn, text=without_injected(turn.text)) for turn in transcript.turns)
    return replace(transcript, turns=turns)


_TURNS_BEFORE = 4
_MARK = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """The last turn that was read, for each session of a transcript file.

    ``marks`` has short hashes of the texts that were read, by session, to notice other texts.
    """

    last: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)

    def moved(self, transcript: Transcript) -> Bookmark:
        """Return the bookmark moved to the end of a session."""
        if not transcript.turns:
            return self
        session = transcript.session
        return replace(
            self,
            last={**self.last, session: turn_name(transcript.turns[-1])},
            marks={**self.marks, session: "".join(map(_mark, transcript.turns))},
        )

    def differing(self, transcript: Transcript) -> int:
        """Return how many turns that were read have another text now."""
        known = self.marks.get(transcript.session, "")
        before = [known[at : at + _MARK] for at in range(0, len(known), _MARK)]
        now = map(_mark, transcript.turns)
        return sum(one != other for one, other in zip(before, now, strict=False))


def _mark(turn: Turn) -> str:
    text = turn.text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:_MARK]


def turn_name(turn: Turn) -> str:
    """Return the name of a turn: its own id, or its number if it has none."""
    return turn.name or f"#{turn.number}"


def new_part(transcript: Transcript, bookmark: Bookmark | None) -> Transcript:
    """Return the turns after the bookmark, preceded by a few turns as context.

    If the bookmarked turn is missing, because the session was rewound, the whole transcript is
    new.
    """
    last = None if bookmark is None else bookmark.last.get(transcript.session)
    names = [turn_name(turn) for turn in transcript.turns]
    if last is None or last not in names:
        return transcript
    seen = len(names) - names[::-1].index(last)
    if seen == len(names):
        return replace(transcript, turns=())
    return replace(transcript, turns=transcript.turns[max(0, seen - _TURNS_BEFORE) :])


def ended_before(transcript: Transcript, moment: datetime) -> bool:
    """Tell whether the last dated turn is older than a moment; undated transcripts count as new."""
    dated = [turn.at for turn in transcript.turns if turn.at is not None]
    return bool(dated) and max(dated) < moment


def is_of(transcript: Transcript, folder: str) -> bool:
    """Tell whether a session ran in a folder or below it."""
    where = transcript.folder.rstrip("/")
    return where == folder or where.startswith(f"{folder.rstrip('/')}/")
