"""Conversations of any program: a JSON object for each message, one in a line or all in a list.

A message has a role or the speaker's name, its text, and, if known, its time, id and session.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import TranscriptDraft, text_of, words
from holdfast.adapters.transcripts.json_lines import file_stem, json_lines, no_one, opened
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

_WHO = ("role", "speaker", "name")
_TEXT = ("content", "text")
_TIMES = ("at", "timestamp", "ts", "created_at", "time")
_SESSIONS = ("session", "session_id", "conversation", "conversation_id", "thread")
_PEOPLE = frozenset({"user", "human", "person"})
_AGENTS = frozenset({"assistant", "agent", "ai", "bot", "model", "gpt"})
_OTHERS = frozenset({"system", "developer", "tool", "function"})
_LARGEST_WHOLE = 64 * 1024 * 1024
_NO_CHAT = "it holds no message with a role or speaker and a text."


class ChatTranscripts:
    """Reads messages as most programs write them: ``{"role": "user", "content": "…"}``."""

    tool = "chat"

    def read(self, path: str) -> Transcript:
        """Return the last conversation of a file."""
        *_, last = self.conversations(path, tell=no_one)
        return last

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return the conversations of a file in the order in which they begin."""
        drafts: dict[str, TranscriptDraft] = {}
        for message in _messages(path, tell=tell):
            if is_message(message):
                session = _first(message, _SESSIONS) or file_stem(path)
                _say(message, drafts.setdefault(session, TranscriptDraft()))
        if not drafts:
            raise UnreadableSourceError(path, _NO_CHAT)
        return [
            draft.finished(tool=self.tool, session=session, source=path)
            for session, draft in drafts.items()
        ]


def is_message(line: Mapping[str, object]) -> bool:
    """Tell whether an object is a message: somebody speaks, and something is said."""
    is_said = any(isinstance(line.get(name), str | list) for name in _TEXT)
    return is_said and any(isinstance(line.get(name), str) for name in _WHO)


def _messages(path: str, *, tell: Tell) -> Iterator[Line]:
    found = _whole(path)
    if found is None:
        yield from (line for _, line in json_lines(path, tell=tell))
    else:
        yield from (message for message in found if isinstance(message, dict))


def _whole(path: str) -> list[object] | None:
    """Return the messages of a file that is one list or object; None if it has one in a line."""
    with opened(path) as file:
        raw = file.read(_LARGEST_WHOLE + 1)
    if len(raw) > _LARGEST_WHOLE:
        return None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    return value if isinstance(value, list) else [value]


def _say(message: Line, draft: TranscriptDraft) -> None:
    who = _first(message, _WHO)
    role = who.casefold()
    at = next((when for name in _TIMES if (when := draft.moment(message.get(name)))), None)
    text = next((said for name in _TEXT if (said := words(message.get(name)))), "")
    if role in _OTHERS:
        return
    speaker = Speaker.ASSISTANT if role in _AGENTS else Speaker.USER
    name = text_of(message, "speaker") or ("" if role in _AGENTS | _PEOPLE else who)
    draft.say(speaker, text, at=at, name=_identity(message), who=name)


def _identity(message: Line) -> str:
    value = message.get("id")
    return str(value) if isinstance(value, str | int) else ""


def _first(message: Line, names: Iterable[str]) -> str:
    """Return the first field that is there, as text; a session may be a number."""
    for name in names:
        value = message.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""
