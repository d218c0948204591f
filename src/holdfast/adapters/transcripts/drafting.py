"""Collects the turns of a conversation, without injected memories, each limited in size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.domain.moments import moment_of
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

LARGEST_TURN = 64 * 1024

_FIRST_YEAR, _LAST_YEAR = 1969, 9999


class TranscriptDraft:
    """The turns of one conversation, in the order they were added."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._calls: dict[str, int] = {}
        self._odd_times = 0

    def moment(self, value: object) -> datetime | None:
        """Return a parsed time; one that cannot be is counted."""
        read = moment(value)
        self._odd_times += read is None and value not in (None, "")
        return read

    def say(
        self,
        speaker: Speaker,
        text: object,
        *,
        at: datetime | None = None,
        name: object = "",
        who: str = "",
    ) -> None:
        """Add a message of a person or the assistant; an empty message is not added."""
        clean = kept(without_injected(words(text)).strip())
        if clean:
            turn = Turn(number=0, speaker=speaker, text=clean, at=at, name=str(name or ""), who=who)
            self._put(turn)

    def call(
        self,
        tool: object,
        given: object,
        *,
        at: datetime | None = None,
        name: object = "",
        call: object = "",
    ) -> None:
        """Add a tool call; its output follows later under the same call id."""
        text = kept(without_injected(compact(given)).strip())
        turn = Turn(
            number=0,
            speaker=Speaker.TOOL,
            text=text,
            at=at,
            name=str(name or ""),
            tool=str(tool or ""),
        )
        self._put(turn)
        if call:
            self._calls[str(call)] = len(self._turns) - 1

    def answer(self, call: object, text: object, *, has_failed: bool = False) -> None:
        """Add a tool's output to its call; output without a call is dropped."""
        place = self._calls.get(str(call))
        if place is None:
            return
        turn = self._turns[place]
        whole = f"{turn.text}\n{without_injected(words(text)).strip()}".strip()
        self._turns[place] = replace(turn, text=kept(whole), has_failed=has_failed)

    def _put(self, turn: Turn) -> None:
        self._turns.append(turn)

    def finished(self, *, tool: str, session: str, source: str, **about: str) -> Transcript:
        """Return the conversation with its turns numbered from 1."""
        said = [turn for turn in self._turns if turn.text]
        turns = tuple(replace(turn, number=number) for number, turn in enumerate(said, start=1))
        return Transcript(
            tool=tool,
            session=session,
            turns=turns,
            source=source,
            folder=about.get("folder", ""),
            branch=about.get("branch", ""),
            head=about.get("head", ""),
            odd_times=self._odd_times,
        )


def kept(text: str) -> str:
    """Return a text of limited size; a note at its end says how much is missing."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= LARGEST_TURN:
        return text
    start = raw[:LARGEST_TURN].decode("utf-8", "ignore").rstrip()
    return f"{start}\n[… {len(raw) - LARGEST_TURN:,} more bytes are left out here]"


def words(content: object) -> str:
    """Return the text of a message: a plain text, or the text parts of a list."""
    match content:
        case str():
            return content
        case list():
            return "\n".join(filter(None, (words(part) for part in content)))
        case {"text": str(text)}:
            return text
        case {"content": inner}:
            return words(inner)
        case _:
            return ""


def compact(value: object) -> str:
    """Return a tool's input on few lines; a single command is shown unchanged."""
    if not value:
        return ""
    match value:
        case str():
            return _unwrapped(value)
        case {"command": str(command), **rest} if set(rest) <= {"description", "timeout"}:
            return command
        case {"command": [*parts]} if all(isinstance(part, str) for part in parts):
            return " ".join(map(str, parts))
        case _:
            return json.dumps(value, ensure_ascii=False)


def _unwrapped(text: str) -> str:
    """Return the decoded arguments if they are JSON inside a text."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return compact(value)


def moment(value: object) -> datetime | None:
    """Return a parsed time, in any format of the tools; None if it is invalid.

    A time before 1970, or at the end of the calendar, is a mistake of the file.
    """
    read = moment_of(value, zone=None)
    return read if read is not None and _FIRST_YEAR < read.year < _LAST_YEAR else None


def part(line: Mapping[str, object], name: str) -> dict[str, object]:
    """Return a nested object; an empty one if it is missing or of another type."""
    value = line.get(name)
    return value if isinstance(value, dict) else {}


def text_of(line: Mapping[str, object], name: str) -> str:
    """Return a text field; an empty text if it is missing or of another type."""
    value = line.get(name)
    return value if isinstance(value, str) else ""
