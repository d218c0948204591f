"""The event names of each coding tool, the events that take text for the agent, and its format.

One table for all tools. If a new version of a tool uses another name, add it here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

AUTO = "auto"
START, PROMPT, BEFORE, AFTER = "start", "prompt", "before-tool", "after-tool"
STOP, END, COMPACT, ASK = "stop", "end", "compact", "ask"
_OURS = {name: name for name in (START, PROMPT, BEFORE, AFTER, STOP, END, COMPACT, ASK)}


class Dialect(NamedTuple):
    """The hook format of one tool.

    ``events`` maps the tool's event names to Holdfast's. ``hears`` are the Holdfast events at which
    text reaches the agent. ``shape`` names the format of an answer. ``needs_json`` means that the
    tool reads only JSON, so an empty answer is ``{}``. ``is_hasty`` means that the tool waits only
    3 seconds for an answer.
    """

    events: Mapping[str, str]
    hears: frozenset[str]
    shape: str
    needs_json: bool = False
    is_hasty: bool = False


_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE,
    "PostToolUse": AFTER,
    "Stop": STOP,
    "SessionEnd": END,
    "PreCompact": COMPACT,
    "PermissionRequest": ASK,
}
_ALL = frozenset({START, PROMPT, BEFORE, AFTER})
DIALECTS: dict[str, Dialect] = {
    "claude": Dialect(events=_CLAUDE, hears=_ALL, shape="nested"),
    # Strict: an unknown key makes the tool discard the whole answer.
    "codex": Dialect(events=_CLAUDE, hears=_ALL, shape="nested"),
    # PreCompress is sent before every model call, compressed or not, so it has no use here.
    "gemini": Dialect(
        events={
            "SessionStart": START,
            "BeforeAgent": PROMPT,
            "BeforeTool": BEFORE,
            "AfterTool": AFTER,
            "AfterAgent": STOP,
            "SessionEnd": END,
            # Of its notifications only the one that asks a person for permission is installed.
            "Notification": ASK,
        },
        hears=_ALL,
        shape="nested",
        needs_json=True,
    ),
    "copilot": Dialect(
        events={
            **_CLAUDE,
            "sessionStart": START,
            "userPromptSubmitted": PROMPT,
            "preToolUse": BEFORE,
            "postToolUse": AFTER,
            "agentStop": STOP,
            "sessionEnd": END,
            "preCompact": COMPACT,
        },
        hears=frozenset({START, PROMPT}),
        shape="flat",
    ),
    "cursor": Dialect(
        events={
            **_CLAUDE,
            "sessionStart": START,
            "beforeSubmitPrompt": PROMPT,
            "preToolUse": BEFORE,
            "beforeShellExecution": BEFORE,
            "postToolUse": AFTER,
            "stop": STOP,
            "sessionEnd": END,
            "preCompact": COMPACT,
        },
        hears=_ALL,
        shape="cursor",
        needs_json=True,
    ),
    "cline": Dialect(
        events={
            "TaskStart": START,
            "TaskResume": START,
            "UserPromptSubmit": PROMPT,
            "PreToolUse": BEFORE,
            "PostToolUse": AFTER,
            "TaskComplete": STOP,
            "TaskCancel": END,
            "SessionShutdown": END,
            "PreCompact": COMPACT,
        },
        hears=_ALL,
        shape="cline",
        needs_json=True,
    ),
    "opencode": Dialect(events=_OURS, hears=_ALL, shape="plain", needs_json=True, is_hasty=True),
    "windsurf": Dialect(
        events={
            "pre_user_prompt": PROMPT,
            "pre_write_code": BEFORE,
            "pre_run_command": BEFORE,
            "post_write_code": AFTER,
            "post_run_command": AFTER,
            "post_cascade_response": STOP,
            "post_cascade_response_with_transcript": STOP,
        },
        hears=frozenset(),
        shape="none",
    ),
}
# Before a shell command, Cursor shows the hook's answer to the agent only if it is refused.
_DEAF = frozenset({"beforeShellExecution"})


def hears(dialect: str, event: str) -> bool:
    """Return whether text reaches the agent at an event, given by the tool's name for it."""
    spoken = DIALECTS[dialect]
    return event not in _DEAF and spoken.events.get(event) in spoken.hears


def detected(payload: Mapping[str, object], environment: Mapping[str, str] = os.environ) -> str:
    """Return the calling tool: from its payload, else from its variables, else Claude.

    The payload counts first: a tool that is started from another tool's terminal inherits that
    tool's variables.
    """
    transcript = str(payload.get("transcript_path") or payload.get("transcriptPath") or "")
    said = (
        ("cursor", "cursor_version" in payload or "conversation_id" in payload),
        ("cline", "clineVersion" in payload or "taskId" in payload),
        ("windsurf", "trajectory_id" in payload),
        ("copilot", "sessionId" in payload or "/.copilot/" in transcript),
        ("codex", "/rollout-" in transcript or "/.codex/" in transcript),
        ("gemini", "/.gemini/" in transcript),
        ("claude", "/.claude/" in transcript),
    )
    for name, is_so in said:
        if is_so:
            return name
    set_by = (
        ("copilot", ("COPILOT_PLUGIN_ROOT", "COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR")),
        ("cursor", ("CURSOR_VERSION", "CURSOR_PLUGIN_ROOT")),
        ("gemini", ("GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR")),
        ("claude", ("CLAUDE_CODE_SESSION_ID",)),
        ("codex", ("CODEX_HOME", "PLUGIN_ROOT")),
    )
    return next((name for name, names in set_by if any(map(environment.get, names))), "claude")
