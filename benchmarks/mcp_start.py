"""Measures how fast ``holdfast mcp`` initialises, and whether concurrent clients lose writes.

The CPU time is of the whole process, with its start and exit, so it is an upper bound.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure

ROOT = Path(__file__).parents[1]
WRITES = 10
BUDGET_MS = 60
Answer = dict[str, Any]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "0"},
}


def spawn(repo: Path, home: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "HOLDFAST_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(
        [sys.executable, "-m", "holdfast", "mcp"],
        cwd=repo,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ask(server: subprocess.Popen[bytes], method: str, params: Mapping[str, object]) -> Answer:
    assert server.stdin is not None
    assert server.stdout is not None
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answer: Answer = json.loads(server.stdout.readline())
    return answer


def greeting(repo: Path, home: Path) -> tuple[float, float]:
    """Return the CPU milliseconds of an initialisation, and how long the client waits for it."""
    started = time.perf_counter()
    server = spawn(repo, home)
    answer = ask(server, "initialize", HELLO)
    waited = time.perf_counter() - started
    assert answer["result"]["serverInfo"]["name"] == "holdfast"
    assert server.stdin is not None
    server.stdin.close()
    _, status, usage = os.wait4(server.pid, 0)
    assert status == 0
    server.returncode = 0
    for pipe in (server.stdout, server.stderr):
        assert pipe is not None
        pipe.close()
    return 1000 * (usage.ru_utime + usage.ru_stime), 1000 * waited


def write_many(repo: Path, home: Path, number: int, said: list[str], errors: list[str]) -> None:
    server = spawn(repo, home)
    # Each client has a name of its own: one source may propose 200 candidates an hour.
    ask(server, "initialize", {**HELLO, "clientInfo": {"name": f"bench-{number}", "version": "0"}})
    for turn in range(WRITES):
        claim = f"Client {number} noted item {turn}."
        arguments = {"kind": "fact", "value": claim, "evidence": ["app.py:1"]}
        answer = ask(server, "tools/call", {"name": "memory.create", "arguments": arguments})
        if answer["result"]["isError"]:
            errors.append(answer["result"]["content"][0]["text"])
        else:
            said.append(claim)
    _, complaints = server.communicate()
    errors.extend(complaints.decode().splitlines())


def kept(repo: Path, home: Path, clients: int) -> list[str]:
    server = spawn(repo, home)
    claims: list[str] = []
    for number in range(clients):
        arguments = {"status": "candidate", "q": f"client {number}", "limit": 100}
        answer = ask(server, "tools/call", {"name": "memory.list", "arguments": arguments})
        claims += [item["claim"] for item in answer["result"]["structuredContent"]["memories"]]
    server.communicate()
    return sorted(set(claims))


def a_repository(folder: Path) -> Path:
    repo = folder / "repo"
    repo.mkdir()
    (repo / "app.py").write_text("one\n", encoding="utf-8")
    name = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*name, "commit", "-q", "-m", "start"]):
        subprocess.run(["git", *words], cwd=repo, check=True)
    return repo


def mcp(folder: Path, *, starts: int, clients: int) -> list[Figure]:
    """Initialise many times, then let many clients write at once."""
    folder.mkdir()
    repo, home = a_repository(folder), folder / "home"
    greeting(repo, home)
    costs = [greeting(repo, home) for _ in range(starts)]
    cpu, waited = ([cost[part] for cost in costs] for part in (0, 1))
    said: list[str] = []
    errors: list[str] = []
    threads = [
        threading.Thread(target=write_many, args=(repo, home, number, said, errors))
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lost = set(said) - set(kept(repo, home, clients))
    return [
        Figure(
            name="mcp: spawn to initialize answered",
            value=min(cpu),
            unit="ms CPU",
            at_most=BUDGET_MS,
            note=f"least of {starts} whole lives, median {statistics.median(cpu):.0f};"
            f" waited {statistics.median(waited):.0f} ms",
        ),
        Figure(
            name=f"mcp: {clients} clients writing at once",
            value=len(lost) + len(errors),
            unit="lost or refused",
            at_most=0,
            note=f"{len(said)} acknowledged; {'; '.join(errors[:2])}",
        ),
    ]
