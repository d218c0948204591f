"""Detects which tool wrote a transcript, from its content and not from its name alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.aider import STARTED, AiderTranscripts
from holdfast.adapters.transcripts.chat import ChatTranscripts, is_message
from holdfast.adapters.transcripts.claude import ClaudeTranscripts
from holdfast.adapters.transcripts.codex import CodexTranscripts
from holdfast.adapters.transcripts.copilot import CopilotTranscripts
from holdfast.adapters.transcripts.gemini import GeminiTranscripts
from holdfast.adapters.transcripts.json_lines import start_of
from holdfast.adapters.transcripts.opencode import OpencodeTranscripts, is_opencode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.ports.sessions.transcripts import TranscriptReader

READERS: dict[str, type[TranscriptReader]] = {
    "claude": ClaudeTranscripts,
    "codex": CodexTranscripts,
    "gemini": GeminiTranscripts,
    "copilot": CopilotTranscripts,
    "opencode": OpencodeTranscripts,
    "aider": AiderTranscripts,
    "chat": ChatTranscripts,
}
_START = 256 * 1024
_MOST_LINES = 50
_SQLITE = b"SQLite format 3\0"
_LIST_START = 2_000
_SPEAKING = ("role", "speaker")
_COPILOT = ("session.", "user.", "assistant.", "tool.", "hook.")


def detected(path: str) -> str | None:
    """Return the tool that wrote a transcript; None if the format is unknown."""
    start = start_of(path, size=_START)
    if start.startswith(_SQLITE):
        return "opencode" if is_opencode(path) else None
    text = start.decode("utf-8", "replace")
    if text.lstrip().startswith(STARTED):
        return "aider"
    for line in text.splitlines()[:_MOST_LINES]:
        if (tool := _tool_of(_object(line))) is not None:
            return tool
    return _tool_of(_object(text)) or _cut_short(text) or _chat_of(text)


def _object(line: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _tool_of(line: Mapping[str, object]) -> str | None:
    sort = str(line.get("type", ""))
    if "payload" in line and "timestamp" in line:
        return "codex"
    if "data" in line and sort.startswith(_COPILOT):
        return "copilot"
    if "sessionId" in line and ("projectHash" in line or "messages" in line):
        return "gemini"
    if "sessionId" in line and ("uuid" in line or "operation" in line or "leafUuid" in line):
        return "claude"
    return None


def _chat_of(text: str) -> str | None:
    """Detect messages that no tool has marked: one in a line, or all in a list."""
    lines = [_object(line) for line in text.splitlines()[:_MOST_LINES]]
    start = text.lstrip()[:_LIST_START]
    is_whole = start.startswith("[") or (start.startswith("{") and '"messages"' in start)
    is_list = is_whole and any(f'"{name}"' in start for name in _SPEAKING)
    return "chat" if any(map(is_message, lines)) or is_list else None


def _cut_short(text: str) -> str | None:
    """Detect the tool of one long JSON text from its beginning, which is all that was read."""
    start = text[:2000]
    return "gemini" if '"sessionId"' in start and '"projectHash"' in start else None
