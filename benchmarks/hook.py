"""``python -m benchmarks.hook``: the cost of one call of a tool's hook, interpreter included."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, table
from benchmarks.principal import A_PERSON
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Kind, Origin
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember

_MEMORIES, _RULES, _RUNS = 10_000, 1_000, 15
_TARGET = 50.0
_BATCH = 2_000
_OTHERS = (Kind.FACT, Kind.DECISION, Kind.GOTCHA, Kind.INSIGHT, Kind.OBSERVATION)


class Session:
    """A session of a tool in a repository with many memories; each call is a process."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home = home
        self.folder = folder
        self.turns = itertools.count()

    def cpu(self, session: str, event: str, **more: object) -> tuple[float, str]:
        """Return the CPU milliseconds of one call, and its output."""
        payload = {"session_id": session, "cwd": str(self.folder), **more}
        command = [sys.executable, "-P", "-m", "holdfast", "hook", "claude", event]
        environment = {**os.environ, "HOLDFAST_HOME": str(self.home)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command,
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=self.folder,
            env=environment,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent * 1000, done.stdout.decode()

    def prompt(self, session: str) -> tuple[float, str]:
        """Send a prompt that is no question."""
        return self.cpu(
            session, "UserPromptSubmit", prompt="go on", prompt_id=f"p{next(self.turns)}"
        )

    def bash(self, session: str, command: str) -> tuple[float, str]:
        """Send the event before a shell command."""
        return self.cpu(session, "PreToolUse", tool_name="Bash", tool_input={"command": command})


def filled(home: Path, folder: Path, *, memories: int, rules: int) -> None:
    """Store this many memories; each rule is about a different command."""
    texts = Corpus().memories()
    kinds = itertools.cycle(_OTHERS)
    reason = Grounds(because="measured")
    wishes = [
        Remember(
            origin=Origin.HUMAN,
            claim=f"Never run `tool{number} deploy`. {next(texts)}",
            kind=Kind.RULE,
            grounds=reason,
        )
        for number in range(rules)
    ]
    wishes += [
        Remember(origin=Origin.HUMAN, claim=next(texts), kind=next(kinds), grounds=reason)
        for _ in range(memories - rules)
    ]
    memory = open_holdfast(principal=A_PERSON, home=home, folder=folder)
    try:
        for start in range(0, len(wishes), _BATCH):
            memory.memories.remember_all(wishes[start : start + _BATCH])
    finally:
        memory.close()


def measured(home: Path, folder: Path, *, runs: int, size: str) -> list[Figure]:
    """Return the least CPU time of several calls, for each kind of call."""
    at = Session(home, folder)
    at.cpu("main", "SessionStart", source="startup")
    for _ in range(3):
        at.prompt("main")
    calls = {
        f"python itself, nothing run, {size}": [_python() for _ in range(runs)],
        f"prompt, nothing to say, {size}": [_quiet(*at.prompt("main")) for _ in range(runs)],
        f"command, no warning, {size}": [
            _quiet(*at.bash("main", "make test && git status")) for _ in range(runs)
        ],
        f"file read, {size}": [
            _quiet(*at.cpu("main", "PreToolUse", tool_name="Read", tool_input={"file_path": "x"}))
            for _ in range(runs)
        ],
        f"command, one warning, {size}": [
            _loud(*at.bash("main", f"tool{number} deploy")) for number in range(runs)
        ],
        f"prompt, news to tell, {size}": [_news(at, run) for run in range(runs)],
        f"session start, {size}": [
            _loud(*at.cpu(f"s{run}", "SessionStart", source="startup")) for run in range(runs)
        ],
    }
    quiet = ("nothing to say", "no warning", "file read")
    return [
        Figure(
            name=name,
            value=min(values),
            unit="ms CPU",
            at_most=_TARGET if any(word in name for word in quiet) else None,
            note=f"least of {runs} calls",
        )
        for name, values in calls.items()
    ]


def _python() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-P", "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def _quiet(spent: float, answer: str) -> float:
    assert not answer, answer[:500]
    return spent


def _loud(spent: float, answer: str) -> float:
    assert "holdfast-context" in answer, answer[:500]
    return spent


def _news(at: Session, run: int) -> float:
    memory = open_holdfast(principal=A_PERSON, home=at.home, folder=at.folder)
    try:
        wish = Remember(
            origin=Origin.HUMAN, claim=f"News {run} is here.", grounds=Grounds(because="measured")
        )
        memory.memories.remember(wish)
    finally:
        memory.close()
    return _loud(*at.prompt("main"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook", description=__doc__)
    parser.add_argument("--memories", type=int, default=_MEMORIES)
    parser.add_argument("--rules", type=int, default=_RULES)
    parser.add_argument("--runs", type=int, default=_RUNS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as work:
        home, folder = Path(work, "home"), Path(work, "app")
        folder.mkdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        os.environ["HOLDFAST_EMBEDDING_MODEL"] = "none"
        filled(home, folder, memories=options.memories, rules=options.rules)
        size = f"{options.memories:,} memories, {options.rules:,} rules"
        figures = measured(home, folder, runs=options.runs, size=size)
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main()
