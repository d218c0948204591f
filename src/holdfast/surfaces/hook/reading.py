"""Parse a tool's payload into one occasion; each tool and version has its own field names."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from holdfast.domain.sessions.hook_calls import HookCall, HookEvent, SessionStart
from holdfast.surfaces.hook.dialects import DIALECTS, hears

if TYPE_CHECKING:
    from collections.abc import Mapping

_SESSIONS = (
    *("session_id", "sessionId", "conversation_id", "taskId", "trajectory_id", "sessionID"),
)
_TURNS = ("prompt_id", "turn_id", "generation_id", "execution_id", "promptId", "message_id")
_PROMPTS = ("prompt", "initialPrompt", "user_prompt")
_TOOLS = ("tool_name", "toolName", "tool", "title")
_GIVEN = ("tool_input", "toolArgs", "toolInput", "parameters", "args", "tool_info", "details")
_FOLDERS = ("cwd", "directory", "workspace_path")
_REPLIES = ("last_assistant_message", "prompt_response")
_TRANSCRIPTS = ("transcript_path", "transcriptPath")
_SOURCES = {
    "resume": SessionStart.RESUME,
    "clear": SessionStart.CLEAR,
    "compact": SessionStart.COMPACT,
}
_RESUMING = frozenset({"TaskResume"})
_SHORT_NAME = 16
_UUID_DIGITS, _UUID_DASHES = 32, 4
_OWN_PREFIXES = frozenset({"ses", "msg"})  # of opencode, before at most 26 letters
_LONGEST_SUFFIX = 26
_LONGEST_PROMPT = 64 * 1024


def hook_call_of(dialect: str, event: str, payload: Mapping[str, object]) -> HookCall | None:
    """Return the event as an occasion; None if the event is unknown or names no session."""
    name = DIALECTS[dialect].events.get(event)
    flat = {**payload, **_nested(payload)}
    session = safe_name(_text(flat, _SESSIONS))
    if name is None or not session:
        return None
    return HookCall(
        tool=dialect,
        happening=HookEvent(name),
        session=session,
        folder=_folder(flat),
        prompt=_storable(_text(flat, _PROMPTS)[:_LONGEST_PROMPT]),
        used=_text(flat, _TOOLS),
        given=_given(flat),
        transcript=_text(flat, _TRANSCRIPTS),
        reply=_storable(_text(flat, _REPLIES)[:_LONGEST_PROMPT]),
        source=_source(flat, event),
        turn=safe_name(_text(flat, _TURNS)),
        is_subagent=bool(_text(flat, ("agent_id", "agentId"))),
        hears=hears(dialect, event),
    )


def _storable(text: str) -> str:
    """Return a text as it can be stored and asked for: without NULs and halves of pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def safe_name(name: str) -> str:
    """Return the name of a session or a turn in a form that is safe for notes and file names.

    A short name and a name in the usual form of coding tools stay unchanged. Any other name is
    replaced by its hash: it may be a key or a token that was put into the wrong field.
    """
    if not name or name.isdigit() or _is_uuid(name):
        return name
    is_word = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    if is_word and len(name) <= _SHORT_NAME:
        return name
    prefix, _, suffix = name.partition("_")
    if prefix in _OWN_PREFIXES and suffix.isalnum() and len(suffix) <= _LONGEST_SUFFIX:
        return name
    import hashlib

    return f"h-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:_UUID_DIGITS]}"


def _is_uuid(name: str) -> bool:
    digits = name.replace("-", "")
    is_long = len(digits) == _UUID_DIGITS and name.count("-") == _UUID_DASHES
    return is_long and all(digit in "0123456789abcdefABCDEF" for digit in digits)


def _nested(payload: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that Cline and Gemini put into an object of their own."""
    for name in (
        "preToolUse",
        "postToolUse",
        "userPromptSubmit",
        "taskStart",
        "tool_call",
        "details",
    ):
        part = payload.get(name)
        if isinstance(part, dict):
            found = {str(key): value for key, value in part.items()}
            if isinstance(found.get("name"), str):
                found["toolName"] = found["name"]
            if isinstance(found.get("input"), dict):
                found["toolInput"] = found["input"]
            return found
    return {}


def _text(payload: Mapping[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _folder(payload: Mapping[str, object]) -> str:
    folder = _text(payload, _FOLDERS)
    roots = payload.get("workspace_roots") or payload.get("workspaceRoots")
    if not folder and isinstance(roots, list) and roots and isinstance(roots[0], str):
        folder = roots[0]
    return folder or os.environ.get("CLAUDE_PROJECT_DIR", "") or _here()


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - pathlib costs 7 ms
    except OSError:
        return ""


def _given(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the arguments of the tool call; a command may be in the payload itself."""
    for name in _GIVEN:
        value = payload.get(name)
        if isinstance(value, str) and value.startswith("{"):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
        if isinstance(value, str):
            return {"input": value}
    if isinstance(payload.get("command"), str):
        return {"command": payload["command"]}
    return {}


def _source(payload: Mapping[str, object], event: str) -> SessionStart:
    if event in _RESUMING:
        return SessionStart.RESUME
    return _SOURCES.get(_text(payload, ("source",)), SessionStart.STARTUP)
