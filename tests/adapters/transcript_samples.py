"""Small transcripts in the shapes that coding tools write them, made for a test."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

SESSION = "5f1c0d3e-0000-4000-8000-00000000abcd"
FENCED = '<holdfast-context id="n1">\nPorts are 8080.\n</holdfast-context>'
ASKED = "Let's go with Postgres for the event log."
ANSWERED = "Agreed. The event log goes into Postgres."


def written(path: Path, lines: Iterable[object], *, torn: str = "") -> Path:
    """Write lines of JSON; ``torn`` is the start of one that is still being written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    path.write_text(text + torn, encoding="utf-8")
    return path


def claude_line(number: int, sort: str, content: object, **changes: object) -> dict[str, object]:
    """One line of Claude Code; each follows the one before it."""
    role = {"user": "user", "assistant": "assistant"}.get(sort)
    line: dict[str, object] = {
        "type": sort,
        "uuid": f"u{number}",
        "parentUuid": f"u{number - 1}" if number > 1 else None,
        "isSidechain": False,
        "sessionId": SESSION,
        "timestamp": f"2026-11-15T06:50:{number:02d}.000Z",
        "cwd": "/home/ada/shop",
        "gitBranch": "main",
    }
    if role:
        line["message"] = {"role": role, "content": content}
    return {**line, **changes}


def claude_session() -> list[object]:
    """A conversation with a tool call that fails, a branch that was left, and a subagent."""
    return [
        {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION},
        claude_line(1, "user", f"{FENCED}\n{ASKED}<system-reminder>be quick</system-reminder>"),
        claude_line(2, "attachment", None, attachment={"text": "injected"}),
        claude_line(3, "assistant", "I would use Redis.", uuid="left", parentUuid="u2"),
        claude_line(
            4,
            "assistant",
            [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}},
            ],
            parentUuid="u2",
        ),
        claude_line(
            5,
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "is_error": True,
                    "content": [{"type": "text", "text": "no rule"}],
                }
            ],
        ),
        claude_line(6, "system", None, subtype="info"),
        claude_line(7, "assistant", "side", isSidechain=True, parentUuid=None),
        claude_line(8, "user", "summary of before", isCompactSummary=True, parentUuid="u6"),
        claude_line(9, "assistant", [{"type": "text", "text": ANSWERED}]),
        {"type": "last-prompt", "leafUuid": "u9", "sessionId": SESSION},
    ]


def codex_rollout() -> list[object]:
    """A rollout with everything the harness adds to it."""

    def item(ordinal: int, payload: dict[str, object]) -> dict[str, object]:
        moment = f"2026-11-15T06:51:{ordinal:02d}.000Z"
        return {
            "timestamp": moment,
            "ordinal": ordinal,
            "type": "response_item",
            "payload": payload,
        }

    def message(role: str, *texts: str) -> dict[str, object]:
        parts = [{"type": "input_text", "text": text} for text in texts]
        return {"type": "message", "role": role, "content": parts}

    git = {"commit_hash": "ab" * 20, "branch": "main"}
    meta = {"id": SESSION, "cwd": "/home/ada/shop", "git": git}
    agents = "# AGENTS.md instructions for /home/ada/shop\n\nBe brief."
    around = "<environment_context>\n<cwd>/home/ada/shop</cwd>\n</environment_context>"
    failed = json.dumps({"output": "boom", "metadata": {"exit_code": 2}})
    return [
        {"timestamp": "2026-11-15T06:51:00.000Z", "type": "session_meta", "payload": meta},
        item(1, message("user", agents, around)),
        item(2, message("developer", "memory says hello")),
        item(3, message("user", ASKED)),
        item(
            4,
            {
                "type": "function_call",
                "name": "shell",
                "arguments": '{"command": ["make", "test"]}',
                "call_id": "c1",
            },
        ),
        item(5, {"type": "function_call_output", "call_id": "c1", "output": failed}),
        item(
            6,
            {
                "type": "function_call",
                "name": "get",
                "namespace": "mcp__x",
                "arguments": "",
                "call_id": "c2",
            },
        ),
        item(
            7,
            {
                "type": "function_call_output",
                "call_id": "c2",
                "output": "Process exited with code 0\nfine",
            },
        ),
        item(8, {"type": "reasoning", "summary": []}),
        item(9, {**message("assistant", ANSWERED), "id": "msg_9"}),
        {"type": "event_msg", "payload": {"type": "token_count"}, "timestamp": "x"},
    ]


def gemini_session() -> list[object]:
    """A session in which a message is written twice and a hook has spoken."""
    call = {
        "id": "call-1",
        "name": "read_file",
        "args": {"path": "a.py"},
        "status": "error",
        "result": [{"functionResponse": {"response": {"output": "no such file"}}}],
    }
    return [
        {"sessionId": SESSION, "projectHash": "0" * 64, "kind": "main"},
        {
            "id": "m0",
            "type": "user",
            "content": [{"text": "<session_context>today</session_context>"}],
        },
        {
            "id": "m1",
            "timestamp": "2026-11-15T06:14:08.555Z",
            "type": "user",
            "content": [{"text": f"<hook_context>Ports are 8080.</hook_context>\n\n{ASKED}"}],
        },
        {"$set": {"lastUpdated": "2026-11-15T06:14:08.555Z"}},
        {"id": "m2", "type": "gemini", "content": "Let me"},
        {"id": "m2", "type": "gemini", "content": ANSWERED, "toolCalls": [call]},
        {"id": "m3", "type": "info", "content": "updated"},
        {"$set": {"messages": [{"id": "m4", "type": "user", "content": "thanks"}]}},
    ]


def copilot_events() -> list[object]:
    """A log of events with hooks between them."""

    def event(number: int, sort: str, data: dict[str, object]) -> dict[str, object]:
        return {
            "type": sort,
            "data": data,
            "id": f"e{number}",
            "timestamp": "2026-11-15T06:50:42.341Z",
        }

    where = {"cwd": "/home/ada/shop", "branch": "main", "headCommit": "cd" * 20}
    return [
        event(1, "session.start", {"sessionId": SESSION, "context": where}),
        event(2, "hook.start", {"hookType": "sessionStart"}),
        event(3, "user.message", {"content": ASKED, "transformedContent": "x"}),
        event(4, "assistant.message", {"content": "", "toolRequests": [{"toolCallId": "c1"}]}),
        event(
            5,
            "tool.execution_start",
            {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "ls"}},
        ),
        event(
            6,
            "tool.execution_complete",
            {"toolCallId": "c1", "success": False, "error": {"message": "denied"}},
        ),
        event(7, "assistant.message", {"content": ANSWERED}),
    ]


def aider_history() -> str:
    """Two chats in one file."""
    return f"""
# aider chat started at 2026-11-14 06:00:00

> Aider v0.86.2
> Main model: x

#### first chat

Yes.

# aider chat started at 2026-11-15 06:00:00

#### {ASKED}
#### And nothing else.

{ANSWERED}

> Applied edit to a.py

Done.
"""


def opencode_database(path: Path) -> Path:
    """A database with two sessions and that of a subagent, its tables still in the journal."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT,
                                  directory TEXT, time_created INTEGER);
            CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
                                  data TEXT);
            CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
                               time_created INTEGER, data TEXT);
            """
        )
        # Ids of sessions run backwards: the newest has the smallest.
        for row in (("ses_1", None, 3), ("ses_2", "ses_1", 2), ("ses_9", None, 1)):
            database.execute("INSERT INTO session VALUES (?, 'p', ?, '/home/ada/shop', ?)", row)
        for name, role in (("msg_1", "user"), ("msg_2", "assistant")):
            held = json.dumps({"role": role})
            database.execute("INSERT INTO message VALUES (?, 'ses_1', 1, ?)", (name, held))
        state = {"status": "error", "input": {"command": "make"}, "error": "no rule"}
        parts: list[tuple[str, str, object]] = [
            ("prt_1", "msg_1", {"type": "text", "text": ASKED}),
            ("prt_2", "msg_1", {"type": "text", "text": "not typed", "synthetic": True}),
            ("prt_3", "msg_2", {"type": "step-start"}),
            ("prt_4", "msg_2", {"type": "tool", "tool": "bash", "state": state}),
            ("prt_5", "msg_2", {"type": "text", "text": ANSWERED}),
        ]
        for name, message, data in parts:
            database.execute(
                "INSERT INTO part VALUES (?, ?, 'ses_1', 1794725467805, ?)",
                (name, message, json.dumps(data)),
            )
        database.execute("INSERT INTO part VALUES ('prt_6', 'msg_2', 'ses_1', 1, 'broken')")
        database.commit()
    return path
