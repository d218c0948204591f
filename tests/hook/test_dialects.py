"""Each tool is answered in its own shape, and in no other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.app.occasions import Occasions
from holdfast.app.performing import DECLARED
from holdfast.domain.memory.callers import TABLE, Operation, Permission, PrincipalKind, answer
from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, HookEvent, SessionStart
from holdfast.domain.sessions.tool_action import asked_for
from holdfast.surfaces.hook.dialects import DIALECTS, detected
from holdfast.surfaces.hook.reading import hook_call_of
from holdfast.surfaces.hook.speaking import spoken
from tests.cli.program import Program
from tests.hook.caller import CONTEXT, Caller
from tests.requirements import requirement

CODEX_KEYS = {"continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"}
SAID = HookAnswer(context="TEXT", message="NEWS", stop="NO")

STARTS: list[tuple[str, str, dict[str, Any], tuple[str, ...]]] = [
    (
        "claude",
        "SessionStart",
        {"source": "startup", "transcript_path": "/h/.claude/projects/x/y.jsonl"},
        ("hookSpecificOutput", "additionalContext"),
    ),
    (
        "codex",
        "SessionStart",
        {"source": "startup", "model": "m", "permission_mode": "default"},
        ("hookSpecificOutput", "additionalContext"),
    ),
    (
        "gemini",
        "SessionStart",
        {"source": "startup", "timestamp": "2026-11-15T06:14:06.719Z"},
        ("hookSpecificOutput", "additionalContext"),
    ),
    ("copilot", "sessionStart", {"source": "new", "timestamp": 1}, ("additionalContext",)),
    ("copilot", "SessionStart", {"source": "startup"}, ("additionalContext",)),
    ("cursor", "sessionStart", {"cursor_version": "1.0"}, ("additional_context",)),
    ("cline", "TaskStart", {"taskStart": {"taskMetadata": {}}}, ("contextModification",)),
    ("opencode", "start", {"source": "startup"}, ("context",)),
]


@requirement("hook.speaks-each-dialect")
@pytest.mark.parametrize(("dialect", "event", "more", "way"), STARTS)
def test_a_start_reaches_the_agent_of_every_tool(
    caller: Caller, dialect: str, event: str, more: dict[str, Any], way: tuple[str, ...]
) -> None:
    tool = Caller(caller.program, dialect=dialect)

    shape: Any = tool.call(event, **more).json

    for name in way:
        shape = shape[name]
    assert shape.startswith(CONTEXT)


@requirement("hook.speaks-each-dialect")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_to_say_is_nothing_or_an_empty_object(dialect: str) -> None:
    for event in DIALECTS[dialect].events:
        out = spoken(dialect, event, HookAnswer())

        assert out == ("{}\n" if DIALECTS[dialect].needs_json else "")


@requirement("hook.speaks-each-dialect")
def test_codex_hears_no_key_it_does_not_know_and_nothing_at_the_end() -> None:
    for event, ours in DIALECTS["codex"].events.items():
        shape = json.loads(spoken("codex", event, SAID) or "{}")

        assert set(shape) <= CODEX_KEYS
        inner = shape.get("hookSpecificOutput", {})
        if ours in {"stop", "end", "compact", "ask"}:
            assert inner == {}
            continue
        assert inner["hookEventName"] == event
        assert ("permissionDecision" in inner) is (ours == "before-tool")


@requirement("hook.speaks-each-dialect")
@pytest.mark.parametrize(
    ("dialect", "event", "shape"),
    [
        (
            "claude",
            "PreToolUse",
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "additionalContext": "TEXT",
                    "permissionDecision": "ask",
                    "permissionDecisionReason": "NO",
                },
                "systemMessage": "NEWS",
            },
        ),
        (
            "gemini",
            "BeforeTool",
            {
                "decision": "deny",
                "reason": "NO",
                "hookSpecificOutput": {"hookEventName": "BeforeTool", "additionalContext": "TEXT"},
                "systemMessage": "NEWS",
            },
        ),
        (
            "copilot",
            "preToolUse",
            {"permissionDecision": "ask", "permissionDecisionReason": "NO"},
        ),
        ("copilot", "userPromptSubmitted", {"additionalContext": "TEXT"}),
        (
            "cursor",
            "preToolUse",
            {
                "additional_context": "TEXT",
                "permission": "ask",
                "user_message": "NO",
                "agent_message": "NO",
            },
        ),
        (
            "cursor",
            "beforeSubmitPrompt",
            {"additional_context": "TEXT", "continue": True, "user_message": "NEWS"},
        ),
        ("cursor", "sessionStart", {"additional_context": "TEXT"}),
        (
            "cline",
            "PreToolUse",
            {"contextModification": "TEXT", "cancel": True, "errorMessage": "NO"},
        ),
        ("cline", "UserPromptSubmit", {"contextModification": "TEXT"}),
        ("opencode", "prompt", {"context": "TEXT", "message": "NEWS"}),
    ],
)
def test_what_is_said_has_the_shape_of_its_tool(
    dialect: str, event: str, shape: dict[str, Any]
) -> None:
    assert json.loads(spoken(dialect, event, SAID)) == shape


def test_windsurf_is_told_nothing_at_all() -> None:
    for event in DIALECTS["windsurf"].events:
        assert spoken("windsurf", event, SAID) == ""


@pytest.mark.parametrize(
    ("payload", "environment", "tool"),
    [
        ({"cursor_version": "1"}, {}, "cursor"),
        ({"taskId": "1", "clineVersion": "3"}, {}, "cline"),
        ({"trajectory_id": "1"}, {}, "windsurf"),
        ({"sessionId": "1"}, {"CLAUDECODE": "1"}, "copilot"),
        ({"transcript_path": "/h/.codex/sessions/2026/rollout-1.jsonl"}, {}, "codex"),
        ({"transcript_path": "/x/rollout-1.jsonl"}, {"CLAUDE_CODE_SESSION_ID": "1"}, "codex"),
        ({"transcript_path": "/h/.gemini/tmp/x.jsonl"}, {}, "gemini"),
        ({"transcript_path": "/h/.claude/projects/x.jsonl"}, {"CODEX_HOME": "/x"}, "claude"),
        ({}, {"COPILOT_PLUGIN_ROOT": "/x", "CLAUDE_PLUGIN_ROOT": "/x"}, "copilot"),
        ({}, {"CODEX_HOME": "/x", "CLAUDE_PLUGIN_ROOT": "/x"}, "codex"),
        ({}, {"CLAUDE_CODE_SESSION_ID": "1"}, "claude"),
        ({}, {}, "claude"),
    ],
)
def test_a_tool_is_known_by_what_it_says_and_then_by_what_it_sets(
    payload: dict[str, object], environment: dict[str, str], tool: str
) -> None:
    assert detected(payload, environment) == tool


def test_the_tool_is_found_out_where_the_call_says_auto(caller: Caller) -> None:
    auto = Caller(caller.program, dialect="auto")

    said = auto.call("SessionStart", sessionId=auto.session, source="new").json

    assert said["additionalContext"].startswith(CONTEXT)


@pytest.mark.parametrize(
    ("dialect", "event", "payload", "wanted"),
    [
        (
            "copilot",
            "preToolUse",
            {"sessionId": "a", "toolName": "bash", "toolArgs": '{"command": "ls"}'},
            {"happening": HookEvent.BEFORE_TOOL, "used": "bash", "given": {"command": "ls"}},
        ),
        (
            "copilot",
            "preToolUse",
            {"sessionId": "a", "toolName": "x", "toolArgs": "{not json"},
            {"given": {}},
        ),
        (
            "codex",
            "PreToolUse",
            {"session_id": "a", "tool_input": "text"},
            {"given": {"input": "text"}},
        ),
        (
            "cursor",
            "stop",
            {"conversation_id": "c", "generation_id": "g", "workspace_roots": ["/w"]},
            {"session": "c", "turn": "g", "folder": "/w", "happening": HookEvent.STOP},
        ),
        ("cline", "TaskResume", {"taskId": "t"}, {"source": SessionStart.RESUME}),
        (
            "claude",
            "SessionStart",
            {"session_id": "a", "source": "fork"},
            {"source": SessionStart.STARTUP},
        ),
        (
            "gemini",
            "SessionStart",
            {"session_id": "a", "source": "clear"},
            {"source": SessionStart.CLEAR},
        ),
    ],
)
def test_every_tools_payload_is_read(
    dialect: str, event: str, payload: dict[str, object], wanted: dict[str, object]
) -> None:
    hook_call = hook_call_of(dialect, event, payload)

    assert hook_call is not None
    assert {name: getattr(hook_call, name) for name in wanted} == wanted


def test_an_event_or_a_session_we_do_not_know_is_no_occasion() -> None:
    assert hook_call_of("gemini", "PreCompress", {"session_id": "a"}) is None
    assert hook_call_of("claude", "SessionStart", {}) is None


@requirement("session.approvals")
def test_gemini_asks_for_permission_in_a_notification(caller: Caller) -> None:
    details = {"type": "exec", "title": "Confirm Shell Command", "command": "rm -rf dist"}
    payload = {"session_id": "g1", "notification_type": "ToolPermission", "details": details}

    call = hook_call_of("gemini", "Notification", payload)

    assert call is not None
    assert call.happening is HookEvent.ASK
    assert asked_for(call.used, call.given) == "Confirm Shell Command: rm -rf dist"
    gemini = Caller(caller.program, dialect="gemini", session="g1")
    assert gemini.call("Notification", details=details).out == "{}\n"


def test_gemini_prompts_are_read_without_what_we_put_there(caller: Caller) -> None:
    gemini = Caller(caller.program, dialect="gemini", session="g1")
    first = gemini.call("SessionStart", source="startup").json
    context = first["hookSpecificOutput"]["additionalContext"]

    prompt = f"<hook_context>{context}</hook_context>\n\nhello"

    assert gemini.call("BeforeAgent", prompt=prompt).out == "{}\n"


def test_the_verb_answers_where_options_come_after(program: Program) -> None:
    done = program("hook", "gemini", "SessionStart", "--no-color").well()

    assert done.out == "{}\n"


@requirement("callers.one-table")
def test_every_event_of_every_tool_is_one_that_a_tool_may_cause() -> None:
    named = {event for dialect in DIALECTS.values() for event in dialect.events.values()}
    attend = getattr(Occasions.attend, DECLARED)

    assert named <= {happening.value for happening in HookEvent}
    for happening in HookEvent:
        operation = attend.operation(HookCall(tool="x", happening=happening, session="s"))
        assert answer(PrincipalKind.TOOL, operation) is Permission.ALLOWED


@requirement("callers.one-table")
def test_an_event_that_a_tool_may_not_cause_is_answered_with_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = dict.fromkeys(PrincipalKind, Permission.REFUSED)
    monkeypatch.setitem(TABLE, Operation.READ, refused)

    assert caller.start() == ""
