"""Copilot CLI: a log of events; a few kinds of events are the conversation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import TranscriptDraft, part, text_of, words
from holdfast.adapters.transcripts.json_lines import OneConversation, file_stem, json_lines
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell


class CopilotTranscripts(OneConversation):
    """Reads ``~/.copilot/session-state/<session>/events.jsonl``."""

    tool = "copilot"

    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Return the conversation from the events."""
        draft, about, session = TranscriptDraft(), dict[str, str](), ""
        for _, line in json_lines(path, tell=tell):
            data = part(line, "data")
            if line.get("type") == "session.start" and not session:
                where = part(data, "context")
                session = text_of(data, "sessionId")
                about = {
                    "folder": text_of(where, "cwd"),
                    "branch": text_of(where, "branch"),
                    "head": text_of(where, "headCommit"),
                }
            else:
                _say(line, data, draft)
        held = Path(path).parent.name if file_stem(path) == "events" else file_stem(path)
        return draft.finished(tool=self.tool, session=session or held, source=path, **about)


def _say(line: Line, data: Line, draft: TranscriptDraft) -> None:
    at, name = draft.moment(line.get("timestamp")), text_of(line, "id")
    match line.get("type"):
        case "user.message":
            draft.say(Speaker.USER, data.get("content"), at=at, name=name)
        case "assistant.message":
            draft.say(Speaker.ASSISTANT, data.get("content"), at=at, name=name)
        case "tool.execution_start":
            call = data.get("toolCallId")
            tool, given = data.get("mcpToolName") or data.get("toolName"), data.get("arguments")
            draft.call(tool, given, at=at, name=name, call=call)
        case "tool.execution_complete":
            failed = data.get("success") is False
            answer = words(part(data, "result")) or text_of(part(data, "error"), "message")
            draft.answer(data.get("toolCallId"), answer, has_failed=failed)
        case _:
            pass
