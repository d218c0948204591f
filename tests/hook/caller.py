"""A coding tool as the hook meets it: it sends its event as JSON and reads the answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.cli.program import Finished, Program

CONTEXT = '<holdfast-context id="'


@dataclass
class Caller:
    """One session of one tool."""

    program: Program
    dialect: str = "claude"
    session: str = "3f0c1c6e-1d2b-4c55-9a83-0a1f7d0c1111"
    turn: int = field(default=0)

    def call(self, event: str, **more: Any) -> Finished:
        """Call the hook; it must end well and say nothing beside the answer."""
        payload = {
            "session_id": self.session,
            "cwd": str(self.program.folder),
            "hook_event_name": event,
            **more,
        }
        done = self.program("hook", self.dialect, event, stdin=json.dumps(payload))
        assert (done.code, done.err) == (0, "")
        return done

    def context(self, event: str, **more: Any) -> str:
        """Call the hook and return the text for the agent; empty where there is none."""
        out = self.call(event, **more).out
        if not out.strip():
            return ""
        shape = json.loads(out)
        return str(shape.get("hookSpecificOutput", shape).get("additionalContext", ""))

    def start(self, source: str = "startup") -> str:
        """Start the session."""
        return self.context("SessionStart", source=source)

    def prompt(self, text: str = "carry on with it") -> str:
        """Send a prompt of its own turn."""
        self.turn += 1
        return self.context("UserPromptSubmit", prompt=text, prompt_id=f"p{self.turn}")

    def bash(self, command: str) -> str:
        """Be about to run a command."""
        return self.context("PreToolUse", tool_name="Bash", tool_input={"command": command})

    def edit(self, path: str) -> str:
        """Be about to edit a file of the repository."""
        whole = str(self.program.folder / path)
        return self.context("PreToolUse", tool_name="Edit", tool_input={"file_path": whole})

    def note(self) -> dict[str, Any]:
        """Return what is noted of the session."""
        path = self.program.home / "sittings" / f"{self.session}.json"
        shape: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return shape


def keep(program: Program, claim: str, kind: str = "rule", *words: str) -> str:
    """Remember something as a person; return its id."""
    return program("remember", "--kind", kind, "--because", "we agreed", *words, claim).well().id
