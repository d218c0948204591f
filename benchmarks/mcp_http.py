"""``python -m benchmarks.mcp_http``: many MCP clients at once on one server, in both eras.

The official SDK's clients write through ``holdfast serve``. No call may fail, and no memory that
was acknowledged may be missing afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.figures import Figure, table

ROOT = Path(__file__).parents[1]
MODES = ("legacy", "2026-07-28")
WRITES = 10


async def write_many(url: str, number: int) -> tuple[list[str], list[str]]:
    """Return the claims that were acknowledged to one client, and its errors."""
    said: list[str] = []
    errors: list[str] = []
    plain = httpx2.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    async with (
        httpx2.AsyncClient(transport=plain, timeout=300) as http,
        Client(
            streamable_http_client(f"{url}/mcp", http_client=http), mode=MODES[number % 2]
        ) as door,
    ):
        for turn in range(WRITES):
            claim = f"Client {number} noted item {turn}."
            given = {"kind": "fact", "claim": claim, "evidence": ["url:https://example.org/x"]}
            result = await door.call_tool("memory.create", given)
            (errors if result.is_error else said).append(claim)
    return said, errors


async def at_once(url: str, clients: int) -> tuple[list[str], list[str]]:
    """Let all clients write at once."""
    found = await asyncio.gather(*(write_many(url, number) for number in range(clients)))
    return [one for said, _ in found for one in said], [one for _, bad in found for one in bad]


def kept(home: Path) -> set[str]:
    """Return the claims in the store, as the command line lists them."""
    words = [sys.executable, "-m", "holdfast", "export", "-"]
    done = subprocess.run(words, env=_environment(home), check=True, capture_output=True, text=True)
    return {line for line in done.stdout.splitlines() if '"claim"' in line}


def _environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "HOLDFAST_HOME": str(home),
        "HOLDFAST_MODELS": str(home / "none"),
        "HOLDFAST_REVIEW_WAITING": "0",
        "PYTHONPATH": str(ROOT / "src"),
    }


def measured(folder: Path, clients: int) -> list[Figure]:
    """Return what was lost or refused, and the CPU time of the server for each call."""
    home = folder / "home"
    home.mkdir()
    start = [sys.executable, "-m", "holdfast", "remember", "It begins.", "--because", "so"]
    subprocess.run(start, env=_environment(home), check=True, capture_output=True)
    words = [sys.executable, "-m", "holdfast", "serve", "--without-tokens", "--port", "0"]
    server = subprocess.Popen(
        words,
        env=_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    url = server.stdout.readline().split()[-1]
    said, errors = asyncio.run(at_once(url, clients))
    server.terminate()
    _, status, usage = os.wait4(server.pid, 0)
    server.returncode = os.waitstatus_to_exitcode(status)
    server.stdout.close()
    lines = "\n".join(kept(home))
    lost = [claim for claim in said if claim not in lines]
    spent = 1_000 * (usage.ru_utime + usage.ru_stime)
    return [
        Figure(
            name=f"mcp over http: {clients} clients writing at once",
            value=len(lost) + len(errors),
            unit="lost or refused",
            at_most=0,
            note=f"{len(said)} acknowledged; exit {server.returncode}",
        ),
        Figure(
            name="mcp over http: a call",
            value=spent / max(1, len(said)),
            unit="ms CPU of the server",
            note="with its start, sessions and greetings",
        ),
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        sys.stdout.write(table(measured(Path(folder), options.clients)) + "\n")


if __name__ == "__main__":
    main()
