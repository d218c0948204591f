"""The MCP door as tests meet it: in this process over a store in memory, or as a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.conversation import Conversation
from holdfast.surfaces.mcp.guarded_calls import GuardedToolCalls
from holdfast.surfaces.mcp.tool_calls import ToolCalls
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.builders import ADA, AN_AGENT, FixedClock, PlainSurroundings, WordCounter
from tests.mcp.schema import fits
from tests.patience import PATIENCE

SRC = Path(__file__).parents[2] / "src"
COMMAND = [sys.executable, "-m", "holdfast", "mcp"]
CLAIM = "Refresh tokens rotate on every use."
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "modern-raw", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "0"},
}


@dataclass
class OpenEngine:
    """A memory that is open from the start; it counts how often it was released."""

    app: Holdfast
    trouble: Exception | None = None
    closing: Exception | None = None
    times_released: int = 0
    person: str = ""

    def here(self) -> Holdfast:
        if self.trouble is not None:
            raise self.trouble
        return self.app

    def release(self) -> None:
        self.times_released += 1
        if self.closing is not None:
            raise self.closing


OUTPUT = {str(tool["name"]): tool.get("outputSchema") for tool in TOOLS}


@dataclass
class Door:
    """A conversation in this process, with what lies behind it."""

    app: Holdfast = field(
        default_factory=lambda: Holdfast(
            principal=ADA,
            store=InMemoryStore(),
            clock=FixedClock(),
            counter=WordCounter(),
            surroundings=PlainSurroundings(files={"src/app.py": "one\ntwo\nthree\n"}),
            heuristics=ENGLISH,
        )
    )
    reports: list[str] = field(default_factory=list)
    profile: str = "full"

    def __post_init__(self) -> None:
        self.engine = OpenEngine(replace(self.app, principal=AN_AGENT))
        self.tool_calls = GuardedToolCalls(
            lambda: ToolCalls(self.engine), report=self.reports.append
        )
        self.seconds = 0.0
        self.arriving: list[bytes] = []
        self.sent: list[Any] = []
        self.conversation = Conversation(
            self.tool_calls,
            send=self._send,
            arrived=self._arrived,
            profile=lambda: self.profile,
            now=lambda: self.seconds,
        )

    def _send(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        self.sent.append(json.loads(line))

    def _arrived(self) -> list[bytes]:
        lines, self.arriving = self.arriving, []
        return lines

    def hear(self, line: bytes) -> Any:
        """Return what is answered to a line, read from its JSON; None for silence."""
        said = self.tell(line)
        answers = [one for one in said if "method" not in one]
        assert len(answers) <= 1
        return answers[0] if answers else None

    def tell(self, line: bytes) -> list[Any]:
        """Return every message that a line leads to."""
        before = len(self.sent)
        self.conversation.hear(line)
        return self.sent[before:]

    def ask(self, method: str, params: object = None, *, request_id: object = 1) -> Any:
        return self.hear(json.dumps(a_request(method, params, request_id=request_id)).encode())

    def call(self, tool: str, /, **arguments: object) -> Any:
        """Return the result of a tool; what is structured fits the tool's published schema."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        if "structuredContent" in result:
            assert fits(result["structuredContent"], OUTPUT[tool])
        return result

    def propose(self, value: str = CLAIM, **changes: object) -> Any:
        arguments = {"kind": "fact", "value": value, "evidence": ["src/app.py:1-2"]} | changes
        return self.call("memory.create", **arguments)


def a_request(method: str, params: object = None, *, request_id: object = 1) -> dict[str, object]:
    message: dict[str, object] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def text_of(result: Any) -> str:
    """Return the one text block of a result."""
    [block] = result["content"]
    assert block["type"] == "text"
    return str(block["text"])


def kept(door: Door, memory_id: str) -> MemoryRecord:
    record = door.app.memories.show(memory_id)
    assert isinstance(record, MemoryRecord)
    return record


def told_by_a_person(app: Holdfast, claim: str, **changes: Any) -> str:
    grounds = Grounds(because="I decided it.")
    wish = Remember(claim=claim, origin=Origin.HUMAN, grounds=grounds, **changes)
    return app.memories.remember(wish).record.memory.id


@dataclass
class Folder:
    """A repository to stand in and a home for the store."""

    repo: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOLDFAST_HOME": str(self.home),
            "HOLDFAST_MODELS": str(self.home / "models"),
            "PYTHONPATH": str(SRC),
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
        }

    def spawn(self, *words: str) -> Process:
        return Process(
            subprocess.Popen(
                [*COMMAND, *words],
                cwd=self.repo,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )


class Process:
    """A running server and the raw lines that go in and come out."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen = popen

    def send(self, line: bytes) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(line + b"\n")
        self.popen.stdin.flush()

    def next_answer(self) -> Any:
        assert self.popen.stdout is not None
        return json.loads(self.popen.stdout.readline())

    def ask(self, method: str, params: object = None, *, request_id: int = 1) -> Any:
        self.send(json.dumps(a_request(method, params, request_id=request_id)).encode())
        return self.next_answer()

    def call(self, tool: str, /, **arguments: object) -> Any:
        """Return the result of a tool; what is structured fits the tool's published schema."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        if "structuredContent" in result:
            assert fits(result["structuredContent"], OUTPUT[tool])
        return result

    def end(self) -> tuple[int, bytes, bytes]:
        """Hang up; return the exit code and what was still written."""
        rest, errors = self.popen.communicate(timeout=PATIENCE)
        return self.popen.returncode, rest, errors

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.popen.poll() is None:
            self.popen.kill()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe is not None and not pipe.closed:
                _close_quietly(pipe.close)
        self.popen.wait()


def _close_quietly(close: Callable[[], None]) -> None:
    try:
        close()
    except BrokenPipeError:
        return  # a test that broke the pipe on purpose leaves bytes behind
