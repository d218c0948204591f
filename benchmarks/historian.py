"""``python -m benchmarks.historian``: a supervised run in a repository with many commits.

The CPU time counts the program, the specialists that it starts, and git.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Figure, table

_COMMITS, _SHORT_COMMITS = 10_000, 300
_MOST_SECONDS = 60.0
_VERBS = ("Add", "Fix", "Move", "Rename", "Remove", "Document", "Speed up", "Test")
_NOUNS = ("importer", "queue", "parser", "cache", "login", "report", "feed", "index", "badge")
_WHYS = (
    "We decided to keep {noun} offsets in the feed because the {noun} restarts.",
    "Never call the {noun} without a timeout.",
    "It was slow.",
    "The {noun} must not log tokens.",
    "",
)


def repository(folder: Path, commits: int) -> None:
    """Make a repository with this many commits; fast-import writes them in a second."""
    chance = random.Random(1)
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    lines: list[str] = []
    for number in range(1, commits + 1):
        verb, noun = chance.choice(_VERBS), chance.choice(_NOUNS)
        why = chance.choice(_WHYS).format(noun=noun)
        message = f"{verb} the {noun} of part {number % 97}\n\n{why} Part {number}.\n"
        content = f"line {number}\n"
        lines += [
            "commit refs/heads/main",
            f"committer T <t@t> {1_600_000_000 + number * 3_600} +0000",
            f"data {len(message.encode())}\n{message}",
            f"M 100644 inline src/{noun}{number % 50}.py",
            f"data {len(content)}\n{content}",
        ]
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=folder, input="\n".join(lines).encode(), check=True
    )
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=folder, check=True)


def supervised(folder: Path, home: Path, *words: str) -> tuple[float, dict[str, object]]:
    """Return the CPU seconds of a supervised run, and its answer."""
    environment = {**os.environ, "HOLDFAST_HOME": str(home), "HOLDFAST_ORIGIN": "human"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "holdfast", "supervise", "release 1.2", "--json", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer: dict[str, object] = json.loads(done.stdout)
    return spent, answer


def measured(commits: int) -> list[Figure]:
    """Measure a cold start, and a second run with one new commit."""
    work = Path(tempfile.mkdtemp(prefix="hf-historian-"))
    try:
        folder, home = work / "repository", work / "home"
        repository(folder, commits)
        cold, answer = supervised(folder, home, "--budget", "10m")
        _check(answer, commits)
        who = ("-c", "user.name=t", "-c", "user.email=t@t")
        more = ("commit", "-q", "--allow-empty", "-m", "Add one more")
        subprocess.run(["git", *who, *more], cwd=folder, check=True)
        warm, again = supervised(folder, home)
        _check(again, 1)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return [
        Figure(
            name=f"historian, cold start, {commits:,} commits",
            value=cold,
            unit="s CPU",
            at_most=_MOST_SECONDS,
        ),
        Figure(name="supervised run with one new commit", value=warm, unit="s CPU"),
    ]


def _check(answer: dict[str, object], commits: int) -> None:
    steps = answer["steps"]
    assert isinstance(steps, list)
    history = next(one for one in steps if one["work"] == "history")
    assert history["specialist"] == "rules", history["attempts"]
    assert history["inputs"]["commits"]["count"] == commits


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.historian", description=__doc__)
    parser.add_argument("--short", action="store_true", help=f"{_SHORT_COMMITS} commits")
    options = parser.parse_args()
    print(table(measured(_SHORT_COMMITS if options.short else _COMMITS)))


if __name__ == "__main__":
    main()
