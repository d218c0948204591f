"""Gemini CLI: a growing message is written again; its last version counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import TranscriptDraft, part, text_of, words
from holdfast.adapters.transcripts.json_lines import OneConversation, file_stem, json_lines, opened
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

_SPEAKERS = {"user": Speaker.USER, "gemini": Speaker.ASSISTANT}
_LARGEST_WHOLE = 64 * 1024 * 1024
_OWN_WORDS = ("<session_context>",)


class GeminiTranscripts(OneConversation):
    """Reads ``~/.gemini/tmp/<project>/chats/session-….jsonl``, and the older ``.json``."""

    tool = "gemini"

    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Return the last version of each message."""
        messages: dict[str, Line] = {}
        session = ""
        for line in _whole(path) if path.endswith(".json") else _each(path, tell=tell):
            if "sessionId" in line and "id" not in line:
                session = text_of(line, "sessionId")
            changed = part(line, "$set").get("messages", line.get("messages"))
            for message in changed if isinstance(changed, list) else [line]:
                if isinstance(message, dict) and (name := text_of(message, "id")):
                    messages[name] = message
        draft = TranscriptDraft()
        for name, message in messages.items():
            _say(message, draft, name=name)
        return draft.finished(tool=self.tool, session=session or file_stem(path), source=path)


def _each(path: str, *, tell: Tell) -> Iterator[Line]:
    return (line for _, line in json_lines(path, tell=tell))


def _whole(path: str) -> list[Line]:
    with opened(path) as file:
        raw = file.read(_LARGEST_WHOLE + 1)
    try:
        value = json.loads(raw) if len(raw) <= _LARGEST_WHOLE else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UnreadableSourceError(path, "it is no session of Gemini CLI.")
    return [value]


def _say(message: Line, draft: TranscriptDraft, *, name: str) -> None:
    speaker, at = _SPEAKERS.get(text_of(message, "type")), draft.moment(message.get("timestamp"))
    if speaker is None:
        return
    text = words(message.get("content"))
    if not text.lstrip().startswith(_OWN_WORDS):
        draft.say(speaker, text, at=at, name=name)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            key = text_of(call, "id") or f"{name}/{call.get('name')}"
            draft.call(call.get("name"), call.get("args"), at=at, name=key, call=key)
            failed = call.get("status") == "error"
            draft.answer(key, _answer(call.get("result")), has_failed=failed)


def _answer(result: object) -> str:
    """Return the text inside the functionResponse that wraps a tool's output."""
    match result:
        case str():
            return result
        case list():
            return "\n".join(filter(None, (_answer(one) for one in result)))
        case {"functionResponse": {"response": {"output": str(output)}}}:
            return output
        case {"functionResponse": {"response": response}}:
            return json.dumps(response, ensure_ascii=False)
        case _:
            return words(result)
