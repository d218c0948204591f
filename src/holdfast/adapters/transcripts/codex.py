"""Codex CLI: a rollout of items; the program's own messages to the model are left out."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import TranscriptDraft, part, text_of, words
from holdfast.adapters.transcripts.json_lines import OneConversation, file_stem, json_lines
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

_SPEAKERS = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_ANSWERS = frozenset({"function_call_output", "custom_tool_call_output"})
_OWN_WORDS = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<skill>",
    "<subagent_notification>",
)
_EXIT_CODE = re.compile(r"(?:exited with code|exit code:?) ([0-9]+)", re.IGNORECASE)
_START = 400


class CodexTranscripts(OneConversation):
    """Reads ``~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl``, optionally compressed with zstd."""

    tool = "codex"

    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Return the conversation of a rollout."""
        draft, about, session = TranscriptDraft(), dict[str, str](), ""
        for number, line in json_lines(path, tell=tell):
            payload = part(line, "payload")
            if line.get("type") == "session_meta" and not session:
                git = part(payload, "git")
                session = text_of(payload, "id")
                about = {
                    "folder": text_of(payload, "cwd"),
                    "branch": text_of(git, "branch"),
                    "head": text_of(git, "commit_hash"),
                }
            elif line.get("type") == "response_item":
                name = text_of(payload, "id") or f"#{line.get('ordinal', number)}"
                _say(payload, draft, at=line.get("timestamp"), name=name)
        return draft.finished(
            tool=self.tool, session=session or file_stem(path), source=path, **about
        )


def _say(item: Line, draft: TranscriptDraft, *, at: object, name: str) -> None:
    when, sort = draft.moment(at), item.get("type")
    speaker = _SPEAKERS.get(text_of(item, "role"))
    if sort == "message" and speaker is not None:
        draft.say(speaker, _own_words_taken_out(item.get("content")), at=when, name=name)
    elif sort in _CALLS:
        space = text_of(item, "namespace")
        tool = f"{space}__{item.get('name')}" if space else item.get("name", "shell")
        given = item.get("arguments") or item.get("input") or item.get("action")
        draft.call(tool, given, at=when, name=name, call=item.get("call_id"))
    elif sort in _ANSWERS:
        text, has_failed = _answer(item.get("output"))
        draft.answer(item.get("call_id"), text, has_failed=has_failed)


def _own_words_taken_out(content: object) -> str:
    """Return a message without the parts that the program inserted."""
    parts = content if isinstance(content, list) else [content]
    texts = [words(one) for one in parts]
    return "\n".join(text for text in texts if not text.lstrip().startswith(_OWN_WORDS))


def _answer(output: object) -> tuple[str, bool]:
    """Return a tool's output, and whether it failed; older versions store both as JSON."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            packed = json.loads(output)
        except (ValueError, RecursionError):
            packed = None
        if isinstance(packed, dict) and isinstance(packed.get("output"), str):
            code = part(packed, "metadata").get("exit_code")
            return str(packed["output"]), code not in {None, 0}
    if isinstance(output, dict):
        return words(output), output.get("success") is False
    text = words(output)
    code = _EXIT_CODE.search(text[:_START])
    return text, code is not None and code[1] != "0"
