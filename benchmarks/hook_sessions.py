"""``python -m benchmarks.hook_sessions``: what keeping sessions adds to a call of a tool's hook.

A repository gets 200 sessions of ten turns each. The calls of a coding tool are measured with the
sessions kept and told, and with both settings off. Each figure is the least of several calls,
interpreter included.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import holdfast
from benchmarks.figures import Figure, table
from benchmarks.hook import Session
from benchmarks.hydrate import fill, history

_SESSIONS, _RUNS = 200, 15
_SHORT_SESSIONS, _SHORT_RUNS = 20, 2
_SETTINGS = ("HOLDFAST_SESSION_TURNS", "HOLDFAST_SESSION_HYDRATE")


def measured(at: Session, *, runs: int, state: str) -> list[Figure]:
    """Return the least CPU time of each kind of call."""
    at.cpu(f"main {state}", "SessionStart", source="startup")
    ends = {"tool_name": "Edit", "tool_input": {"file_path": str(at.folder / "a.py")}}
    calls: dict[str, Callable[[int], tuple[float, str]]] = {
        "session start": lambda run: at.cpu(f"{state} {run}", "SessionStart", source="startup"),
        "prompt": lambda _: at.prompt(f"main {state}"),
        "before a tool": lambda _: at.bash(f"main {state}", "make test"),
        "tool end": lambda _: at.cpu(f"main {state}", "PostToolUse", **ends),
        "turn end": lambda _: at.cpu(f"main {state}", "Stop"),
    }
    return [
        Figure(
            name=f"{name}, sessions {state}",
            value=min(call(run)[0] for run in range(runs)),
            unit="ms CPU",
            note=f"least of {runs} calls",
        )
        for name, call in calls.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook_sessions", description=__doc__)
    parser.add_argument("--short", action="store_true", help="few sessions, few calls")
    parser.add_argument("--sessions", type=int, default=_SESSIONS)
    parser.add_argument("--runs", type=int, default=_RUNS)
    options = parser.parse_args()
    sessions = _SHORT_SESSIONS if options.short else options.sessions
    runs = _SHORT_RUNS if options.short else options.runs
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as work:
        home, folder = Path(work, "home"), Path(work, "app")
        points = history(folder)
        with holdfast.open(home=home, folder=folder) as memory:
            fill(memory, points, sessions)
            memory.remember("Tests run with make test.", because="measured")
        for state in ("on", "off"):
            os.environ.update(dict.fromkeys(_SETTINGS, state))
            figures += measured(Session(home, folder), runs=runs, state=state)
    sys.stdout.write(f"{sessions:,} sessions\n{table(figures)}\n")


if __name__ == "__main__":
    main()
