"""``python -m benchmarks.terminal_ui``: the CPU time until the terminal UI shows its list.

A store is filled, and some candidates cite lines of a repository. Then the program is started at a
terminal of 80 x 24 and of 120 x 40, until the list of a tab is on the screen; the CPU time of the
process and of the git processes that it started is read from the kernel.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
from itertools import islice
from pathlib import Path

import holdfast
from benchmarks.corpus import Corpus
from benchmarks.cpu import cpu_seconds
from benchmarks.figures import Figure, table

_BATCH = 500
_CANDIDATES = 60
_TARGET = 400.0
_PATIENCE = 120.0
_SIZES = ((80, 24), (120, 40))
_SHOWN = {"inbox": "60 waiting", "memory": "memories"}
"""The words by which the list of a tab is known to be on the screen."""


def main() -> None:
    """Fill a store, open the UI several times, and print the least CPU time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.terminal_ui", description=__doc__)
    parser.add_argument("--short", action="store_true", help="500 memories, for every test run")
    parser.add_argument("--memories", type=int, default=10_000, help="how many (10000)")
    parser.add_argument("--runs", type=int, default=5, help="how often each is opened (5)")
    options = parser.parse_args()
    size, runs = (500, 1) if options.short else (options.memories, options.runs)
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        home, repository = _filled(Path(folder), size)
        figures = [
            Figure(
                name=f"open {tab} at {size:,}, {columns} x {rows}",
                value=min(_opened(home, repository, tab, (columns, rows)) for _ in range(runs)),
                unit="ms CPU",
                at_most=_TARGET,
                note=f"least of {runs} runs, interpreter and git included",
            )
            for tab in _SHOWN
            for columns, rows in _SIZES
        ]
    sys.stdout.write(table(figures) + "\n")


def _filled(folder: Path, size: int) -> tuple[Path, Path]:
    """Return the home of a store with memories and candidates, and the repository they cite."""
    home, repository = folder / "home", folder / "repository"
    repository.mkdir()
    code = "".join(f"def step_{number}():\n    return {number}\n\n" for number in range(100))
    (repository / "steps.py").write_text(code, encoding="utf-8")
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    for words in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "Add the steps")):
        subprocess.run(["git", *words], cwd=repository, check=True)
    claims = Corpus().memories()
    with holdfast.open(home=home, folder=repository) as memory:
        for start in range(0, size, _BATCH):
            some = list(islice(claims, min(_BATCH, size - start)))
            memory.remember_all(some, because="made for measuring")
    os.environ["HOLDFAST_ORIGIN"] = "agent"
    with holdfast.open(home=home, folder=repository) as memory:
        for number, claim in enumerate(islice(claims, _CANDIDATES)):
            first = 3 * number + 1
            memory.remember(claim, evidence=[memory.span("steps.py", first, first + 1)])
    del os.environ["HOLDFAST_ORIGIN"]
    return home, repository


def _opened(home: Path, repository: Path, tab: str, size: tuple[int, int]) -> float:
    """Return the milliseconds of CPU until the list of a tab is on the screen."""
    ours, theirs = pty.openpty()
    columns, rows = size
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    program = Path(sys.executable).with_name("holdfast")
    environment = {**os.environ, "HOLDFAST_HOME": str(home), "TERM": "xterm-256color"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [str(program), "ui", "--tab", tab],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=repository,
        env=environment,
    )
    try:
        seen = ""
        while _SHOWN[tab] not in seen:
            if not select.select([ours], [], [], _PATIENCE)[0]:
                raise RuntimeError(seen[-2000:])
            seen += os.read(ours, 65_536).decode("utf-8", "replace")
        return cpu_seconds(process.pid) * 1000
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)


if __name__ == "__main__":
    main()
