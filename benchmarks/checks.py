"""Measures how much processor time the checks of memories take.

The repository has real files on disk; the time includes parsing the checks, listing and reading the
files, and searching them, but not the start of the program. The kinds of checks and the shapes of
their patterns are those of rules that people write; one check in a hundred is broken.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.code_index import write_tree
from benchmarks.figures import Figure, table
from holdfast.bootstrap.plugs.checks import check_ports
from holdfast.domain.checks.change import Change
from holdfast.usecases.checks.check_run import CheckTools
from holdfast.usecases.checks.evaluate import evaluate

_FILES, _CHECKS, _CHANGED, _RUNS = 2_000, 1_000, 50, 5
_BAR = 100
_HOSTILE = ("(a+)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}", "([a-z]+)*Z", "(x+x+)+y")
_SHAPES = (
    "must not match `\\b{word}_{number}\\(` in {paths}",
    "must not match `^\\s*from {word}{number} import` in {paths}",
    "must not match `{word}{number}\\.(get|post|put)\\(` in {paths}",
    "must not match `(?i)todo\\({word}{number}\\)` in {paths}",
)
_OTHERS = (
    "{paths} must not import {word}{number}.adapters",
    "dependency {word}{number} must not appear",
    "file {word}{number}.lock must not exist",
)
_PATHS = ("**/*.py", "src/**", "src/**/*.py", "**", "src/**, !src/legacy/**")
_ALONE = """
import sys, time
from pathlib import Path
from benchmarks.checks import written_checks, _run
from holdfast.domain.checks.change import Change, ChangeRange
texts = written_checks(int(sys.argv[3]))
start = time.process_time()
_run(Path(sys.argv[1]), texts, Change(kind=ChangeRange(sys.argv[2])))
print((time.process_time() - start) * 1000)
"""
_WORDS = ("socket", "legacy", "telemetry", "billing", "cache", "queue", "session", "report")


def measured(folder: Path, *, files: int, checks: int, changed: int) -> list[Figure]:
    """Return the times of a change, of the whole repository, and of patterns that explode."""
    root = folder / "tree"
    write_tree(root, files)
    _git(root, "add", "--all")
    _git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "Begin")
    _change(root, changed)
    about = f"{checks:,} built-in checks"
    slow = max(_explosion(root, pattern) for pattern in _HOSTILE)
    return [
        Figure(
            name=f"{about} on a change of {changed:,} files",
            value=_best(lambda: alone(root, "changed", checks)),
            unit="ms CPU",
            at_most=_BAR,
            note=f"of {files:,} files; without the start of the program and git's own time",
        ),
        Figure(
            name=f"{about} on all {files:,} files",
            value=_best(lambda: alone(root, "everything", checks), runs=2),
            unit="ms CPU",
        ),
        Figure(
            name="the slowest of six patterns that explode elsewhere, on 1 MB",
            value=slow,
            unit="ms CPU",
            note="linear in the text; Python's re does not end",
        ),
    ]


def written_checks(count: int) -> list[str]:
    """Return checks as people write them: mostly patterns, some imports, packages and files."""
    chance = random.Random(7)
    made: list[str] = []
    for number in range(count):
        shape = chance.choice(_SHAPES if number % 10 < 8 else _OTHERS)
        words = {"word": chance.choice(_WORDS), "number": number, "paths": chance.choice(_PATHS)}
        is_broken = number % 100 == 99
        made.append("must not match `import` in **" if is_broken else shape.format(**words))
    return made


def alone(root: Path, kind: str, checks: int) -> float:
    """Return the CPU milliseconds of a run in a fresh process, without the start of the program."""
    command = [sys.executable, "-c", _ALONE, str(root), kind, str(checks)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def _run(root: Path, texts: Sequence[str], change: Change) -> None:
    ports = check_ports(root, repo=lambda: "r", state=str(root.parent), seconds=lambda: 1.0)
    tools: CheckTools = ports.tools(change, has_commands=False)
    evaluate(texts, tools=tools)


def _explosion(root: Path, pattern: str) -> float:
    text = root / "src" / "long.txt"
    text.parent.mkdir(exist_ok=True)
    text.write_text("a" * 1_000_000)
    check = f"must not match `{pattern}` in src/long.txt"
    start = time.process_time()
    _run(root, [check], Change())
    taken = (time.process_time() - start) * 1000
    text.unlink()
    return taken


def _best(work: Callable[[], float], *, runs: int = _RUNS) -> float:
    return min(work() for _ in range(runs))


def _change(root: Path, changed: int) -> None:
    for path in sorted(root.rglob("*.py"))[:changed]:
        path.write_text(path.read_text() + "\n# changed\n")


def _git(root: Path, *words: str) -> None:
    if not (root / ".git").exists():
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), *words], check=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a small repository, a few seconds")
    given = parser.parse_args()
    files = 200 if given.short else _FILES
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), files=files, checks=_CHECKS, changed=_CHANGED)
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main()
