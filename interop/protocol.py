"""The protocol itself: the Inspector and the conformance scenarios, in both eras.

The Inspector speaks to 'holdfast mcp' and to 'holdfast serve'. The conformance program speaks only
HTTP; most of its scenarios call tools that a test server has to have, so those that need none are
run, and each of them must pass.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from interop.checks import Verdict

ROOT = Path(__file__).parents[1]
ERAS = ("legacy", "modern")
SCENARIOS = {
    "2025-11-25": (
        *("server-initialize", "server-session-lifecycle", "ping", "tools-list"),
        *("resources-list", "resources-subscribe", "resources-unsubscribe", "prompts-list"),
        *("server-sse-multiple-streams", "dns-rebinding-protection"),
    ),
    "2026-07-28": (
        *("tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams"),
        *("dns-rebinding-protection", "caching", "http-header-validation"),
        "sep-2164-resource-not-found",
        *(
            f"input-required-result-{what}"
            for what in (
                *("missing-input-response", "unsupported-methods"),
                *("ignore-extra-params", "validate-input"),
            )
        ),
    ),
}
"""The scenarios that need no tool of a test server, by version of the protocol."""
_ASKED = (
    *(("tools/list", "--strict"), ("resources/list",), ("resources/templates/list",)),
    *(("prompts/list",), ("prompts/get", "--prompt-name", "review")),
    ("tools/call", "--tool-name", "memory.list", "--tool-args-json", '{"limit": 3}'),
)
_PASSED = re.compile(r"^Passed: (\d+)/(\d+), 0 failed", re.MULTILINE)
_PATIENCE_SECONDS = 120


def verdicts(modules: Path) -> list[Verdict]:
    """Return what the Inspector and the conformance scenarios found."""
    with tempfile.TemporaryDirectory(prefix="holdfast-interop-") as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        own = {
            **os.environ,
            "HOLDFAST_HOME": str(home),
            "HOLDFAST_MODELS": str(home / "none"),
            "PYTHONPATH": str(ROOT / "src"),
        }
        words = ["remember", "Owls fly.", "--because", "seen", "--scope", "global"]
        subprocess.run([*_HOLDFAST, *words], env=own, check=True, capture_output=True)
        with _serving(own) as url:
            return [
                *_inspected(modules, own, "stdio", [*_HOLDFAST, "mcp"]),
                *_inspected(modules, own, "http", ["--server-url", url]),
                *_conforming(modules, url),
            ]


_HOLDFAST = [sys.executable, "-m", "holdfast"]


@contextmanager
def _serving(own: dict[str, str]) -> Generator[str, None, None]:
    """Run a server that asks for no tokens; the scenarios send an origin of this machine."""
    port = "8751"
    origins = [word for host in ("localhost", "127.0.0.1") for word in _origin(host, port)]
    words = [*_HOLDFAST, "serve", "--without-tokens", "--port", port, *origins]
    server = subprocess.Popen(
        words, env=own, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    output = cast("IO[str]", server.stdout)
    try:
        yield f"{output.readline().split()[-1]}/mcp"
    finally:
        server.terminate()
        server.wait()
        output.close()


def _origin(host: str, port: str) -> list[str]:
    return ["--allow-origin", f"http://{host}:{port}"]


def _inspected(
    modules: Path, own: dict[str, str], transport: str, target: list[str]
) -> list[Verdict]:
    found: list[Verdict] = []
    for era in ERAS:
        failed: list[str] = []
        for method, *more in _ASKED:
            inspector = modules / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
            options = ["--cli", "--protocol-era", era, "--format", "json"]
            words = [*_node(modules), str(inspector), *options, *target, "--method", method, *more]
            code, said = _ran(words, own)
            if code != 0:
                failed.append(f"{method} ended with {code}: {said[-120:]}")
        seen = "; ".join(failed) or f"{len(_ASKED)} methods"
        found.append(Verdict(name=f"inspector {transport} {era}", is_held=not failed, seen=seen))
    return found


def _conforming(modules: Path, url: str) -> list[Verdict]:
    program = modules / "@modelcontextprotocol/conformance/dist/index.js"
    found: list[Verdict] = []
    for version, scenarios in SCENARIOS.items():
        failed: list[str] = []
        for scenario in scenarios:
            options = ["server", "--url", url, "--scenario", scenario, "--spec-version", version]
            _, said = _ran([*_node(modules), str(program), *options], dict(os.environ))
            if _PASSED.search(said) is None:
                failed.append(scenario)
        seen = ", ".join(failed) or f"{len(scenarios)} scenarios"
        found.append(Verdict(name=f"conformance {version}", is_held=not failed, seen=seen))
    return found


def _node(modules: Path) -> list[str]:
    return [str(modules / "node/bin/node")]


def _ran(words: list[str], own: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        words,
        env=own,
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
    )
    return done.returncode, done.stdout + done.stderr


def told(modules: Path) -> str:
    """Return the verdicts as one line of JSON."""
    return json.dumps({"verdicts": [vars(one) for one in verdicts(modules)]})
