"""Measures the CPU time of one command from process start to exit, at a given store size."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.figures import Figure

_QUESTION = "what is the port that we keep for it"


def cold_start(home: Path, size: int, *, runs: int) -> list[Figure]:
    """Run each command several times and return the least CPU time."""
    commands = {
        "status --badge": (["status", "--badge"], 50.0),
        "remember": (
            ["remember", "--scope", "global", "--because", "measured", "Ports are {run} apart."],
            120.0,
        ),
        "recall by words": (["recall", "--q", _QUESTION], 120.0),
        "recall with meaning": (["recall", "--q", _QUESTION], 400.0),
    }
    return [
        Figure(
            name=f"cold {name} at {size:,}",
            value=min(_cpu(home, words, run, name) for run in range(runs)),
            unit="ms CPU",
            at_most=most,
            note=f"least of {runs} runs, interpreter included",
        )
        for name, (words, most) in commands.items()
    ]


def _cpu(home: Path, words: list[str], run: int, name: str) -> float:
    program = Path(sys.executable).with_name("holdfast")
    command = [str(program), *(word.replace("{run}", str(run)) for word in words)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    retrieval = "hybrid" if "meaning" in name else "words"
    environment = {
        **os.environ,
        "HOLDFAST_HOME": str(home),
        "HOLDFAST_RECALL_RETRIEVAL": retrieval,
    }
    # An installed program has compiled code; from a source tree the first run compiles it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    answer = subprocess.run(command, capture_output=True, cwd=home, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.returncode:
        raise RuntimeError(answer.stderr.decode())
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000
