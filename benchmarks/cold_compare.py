"""``python -m benchmarks.cold_compare OLD/src NEW/src``: cold commands of two source trees.

Each command is a whole process, interpreter included, in a small git repository. The two
trees take turns, so that a busy machine slows both of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

_QUESTION = "what is the port that we keep for it"
_PROGRAM = "import sys; from holdfast.surfaces.cli.main import main; sys.exit(main())"
_MEMORIES = 50
_EVENT = {"session_id": "cold", "prompt": "go on", "prompt_id": "p1"}


@dataclass(frozen=True, kw_only=True)
class Call:
    """One command: its words, its settings, and what it reads from its input."""

    name: str
    words: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = (("HOLDFAST_RECALL_RETRIEVAL", "words"),)
    stdin: str = ""

    def arguments(self, run: int) -> list[str]:
        """Return the interpreter's arguments; each run of a write differs from the others."""
        if not self.words:
            return ["-c", "import holdfast"]
        return ["-c", _PROGRAM, *(word.replace("{run}", str(run)) for word in self.words)]


CALLS = (
    Call(name="import holdfast", words=()),
    Call(name="status --badge", words=("status", "--badge")),
    Call(
        name="remember",
        words=(
            "remember",
            "--because",
            "measured",
            "--evidence",
            "a.py:1-2",
            "Ports: {run} apart.",
        ),
    ),
    Call(name="recall by words", words=("recall", "--q", _QUESTION)),
    Call(
        name="recall by words, exact tokens",
        words=("recall", "--q", _QUESTION),
        settings=(("HOLDFAST_RECALL_RETRIEVAL", "words"), ("HOLDFAST_RECALL_TOKENS", "exact")),
    ),
    Call(
        name="recall with meaning",
        words=("recall", "--q", _QUESTION),
        settings=(("HOLDFAST_RECALL_RETRIEVAL", "hybrid"),),
    ),
    Call(
        name="hook, prompt",
        words=("hook", "claude", "UserPromptSubmit"),
        stdin=json.dumps(_EVENT),
    ),
    Call(name="verify", words=("verify",)),
)


class Bench:
    """A store and a repository of its own for each of the two source trees."""

    def __init__(self, source: Path, folder: Path) -> None:
        self._source = source.resolve()
        self._home = folder / "home"
        self._repository = folder / "repository"
        self._repository.mkdir(parents=True)
        (self._repository / "a.py").write_text("one = 1\ntwo = 2\n", encoding="utf-8")
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            subprocess.run(["git", *identity, *words], cwd=self._repository, check=True)
        remember = next(call for call in CALLS if call.name == "remember")
        for number in range(_MEMORIES):
            self.cpu(remember, -number - 1)

    def cpu(self, call: Call, run: int) -> float:
        """Return the CPU time of one call and of the programs that it started, in ms."""
        environment = {
            **os.environ,
            **dict(call.settings),
            "HOLDFAST_HOME": str(self._home),
            "PYTHONPATH": str(self._source),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        child = subprocess.Popen(
            [sys.executable, *call.arguments(run)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self._repository,
            env=environment,
        )
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(call.stdin.encode())
        child.stdin.close()
        complaints = child.stderr.read()
        child.stderr.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise RuntimeError(complaints.decode())
        return (used.ru_utime + used.ru_stime) * 1_000


def compared(old: Bench, new: Bench, call: Call, *, runs: int) -> str:
    """Return a row: the least and the median of both, and by how much the new one differs."""
    for bench in (old, new):
        bench.cpu(call, runs)
    pairs = [(old.cpu(call, run), new.cpu(call, run)) for run in range(runs)]
    before, after = ([pair[side] for pair in pairs] for side in (0, 1))
    least = min(after) / min(before) - 1
    middle = statistics.median(after) / statistics.median(before) - 1
    return (
        f"| {call.name} | {min(before):.1f} | {min(after):.1f} | {least:+.1%}"
        f" | {statistics.median(before):.1f} | {statistics.median(after):.1f} | {middle:+.1%} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cold_compare", description=__doc__)
    parser.add_argument("old", type=Path, help="the src folder of the tree before")
    parser.add_argument("new", type=Path, help="the src folder of the tree after")
    parser.add_argument("--runs", type=int, default=40, help="runs of each command")
    parser.add_argument("--only", help="only commands with this in their name")
    options = parser.parse_args()
    calls = [call for call in CALLS if (options.only or "") in call.name]
    with tempfile.TemporaryDirectory(prefix="holdfast-cold-") as folder:
        old = Bench(options.old, Path(folder) / "old")
        new = Bench(options.new, Path(folder) / "new")
        print("| command | least before | after | change | median before | after | change |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for call in calls:
            print(compared(old, new, call, runs=options.runs), flush=True)


if __name__ == "__main__":
    main()
