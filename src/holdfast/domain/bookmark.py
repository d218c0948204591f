"""How far a transcript was read, and what in it is new since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.transcript import Transcript, Turn

_TURNS_BEFORE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """For each conversation of a file, the last turn that was read."""

    last: Mapping[str, str] = field(default_factory=dict)

    def moved(self, transcript: Transcript) -> Bookmark:
        """Return the bookmark at the end of a conversation."""
        if not transcript.turns:
            return self
        return replace(
            self, last={**self.last, transcript.session: turn_name(transcript.turns[-1])}
        )


def turn_name(turn: Turn) -> str:
    """Return what a turn is known by: its own id, or its number where it has none."""
    return turn.name or f"#{turn.number}"


def new_part(transcript: Transcript, bookmark: Bookmark | None) -> Transcript:
    """Return what was said since the bookmark, after the few turns that lead to it.

    A bookmark that is not found, because the conversation was rewound, counts as none.
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
    """Tell whether the last dated turn is older than a moment; undated ones count as new."""
    dated = [turn.at for turn in transcript.turns if turn.at is not None]
    return bool(dated) and max(dated) < moment


def is_of(transcript: Transcript, folder: str) -> bool:
    """Tell whether a conversation was held in a folder or beneath it."""
    where = transcript.folder.rstrip("/")
    return where == folder or where.startswith(f"{folder.rstrip('/')}/")
