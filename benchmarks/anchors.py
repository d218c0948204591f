"""Measures how fast evidence is verified, on a repository that ``benchmarks.anchors`` generates.

The program runs as a person runs it, in its own process; the times include git.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.code_index import write_tree
from benchmarks.figures import Figure, table
from benchmarks.principal import A_PERSON
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Origin
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember

_FILES, _ANCHORS, _HUGE = 10_000, 1_000, 200_000
_SPAN = 8
_RUNS = 5
_CHECK = """
import sys, time
from pathlib import Path
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.usecases.anchors.verify import Verify
principal = Principal.of(PrincipalKind.PERSON)
memory = open_holdfast(principal=principal, home=Path(sys.argv[1]), folder=Path(sys.argv[2]))
start = time.process_time()
memory.evidence.verify(Verify())
print((time.process_time() - start) * 1000)
"""


def measured(folder: Path, *, files: int, anchors: int, huge: int) -> list[Figure]:
    """Return the times to verify evidence, cold, unchanged and changed, and of a status."""
    root, home = folder / "tree", folder / "home"
    write_tree(root, files)
    _commit(root, "Begin")
    _remember(root, home, anchors)
    about = f"{anchors:,} anchors in {files:,} files"
    cache = home / "cache" / "verdicts"

    def verify() -> None:
        _program(home, root, "verify", "--json")

    # Files written just before are read again, because they may change within a clock tick.
    time.sleep(2.5)
    cold = _best(verify, before=lambda: shutil.rmtree(cache, ignore_errors=True))
    again = _best(verify)
    alone = min(_alone(home, root) for _ in range(_RUNS))
    _change(root)
    changed = _best(verify, before=lambda: shutil.rmtree(cache, ignore_errors=True))
    figures = [
        _figure(f"verify {about}, cold", cold, at_most=1_500),
        Figure(
            name=f"check {about}, nothing changed",
            value=alone,
            unit="ms CPU",
            at_most=150,
            note="in a fresh process, without its start",
        ),
        _figure("the same with the start of the program", again),
        _figure(f"verify {about}, a tenth of the files edited, cold", changed),
    ]
    return [*figures, *_status(folder / "huge", home, huge)] if huge else figures


def _figure(name: str, taken: tuple[float, float], *, at_most: float | None = None) -> Figure:
    wall, cpu = taken
    return Figure(
        name=name,
        value=cpu,
        unit="ms CPU",
        at_most=at_most,
        note=f"wall {wall:.0f} ms, git included",
    )


def _status(root: Path, home: Path, files: int) -> list[Figure]:
    for number in range(files):
        path = root / f"d{number % 400}" / f"f{number}.txt"
        if number < 400:
            path.parent.mkdir(parents=True)
        path.write_bytes(b"%d\n" % number)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    _commit(root, "Begin")
    taken = _best(lambda: _program(home, root, "status", "--json"))
    return [_figure(f"status in {files:,} files", taken, at_most=300)]


def _remember(root: Path, home: Path, count: int) -> None:
    chance = random.Random(1)
    paths = sorted(path.relative_to(root) for path in root.glob("*/*/*.py"))
    wishes = []
    for number in range(count):
        path = chance.choice(paths)
        lines = (root / path).read_text(encoding="utf-8").count("\n")
        first = chance.randrange(1, lines - _SPAN)
        place = f"{path}:{first}-{first + _SPAN - 1}"
        wishes.append(
            Remember(
                origin=Origin.HUMAN,
                claim=f"Fact {number} is about {path}.",
                grounds=Grounds(places=(place,)),
            )
        )
    memory = open_holdfast(principal=A_PERSON, home=home, folder=root)
    memory.memories.remember_all(wishes)
    memory.close()


def _change(root: Path) -> None:
    """Insert a line at the top of every tenth file."""
    for path in sorted(root.glob("*/*/*.py"))[::10]:
        path.write_text(f"# Looked at.\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    _commit(root, "Look at them")


def _commit(root: Path, message: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "gc.auto=0"]
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)
    command = ["git", "-C", str(root), *who, "commit", "--quiet", "--message", message]
    subprocess.run(command, check=True)


def _program(home: Path, root: Path, *words: str) -> None:
    command = [sys.executable, "-m", "holdfast", "--home", str(home), "-C", str(root), *words]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def _alone(home: Path, root: Path) -> float:
    """Return the CPU milliseconds of a verification in a fresh process with an open store."""
    command = [sys.executable, "-c", _CHECK, str(home), str(root)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def _best(
    work: Callable[[], None], *, before: Callable[[], None] = lambda: None
) -> tuple[float, float]:
    """Return the best of a few runs in milliseconds: wall time, and CPU time of all processes."""
    runs = []
    for _ in range(_RUNS):
        before()
        wall, start = time.perf_counter(), os.times()
        work()
        end = os.times()
        cpu = sum(end[2:4]) - sum(start[2:4])
        runs.append(((time.perf_counter() - wall) * 1000, cpu * 1000))
    return min(runs, key=lambda run: run[1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.anchors", description=__doc__)
    parser.add_argument("--short", action="store_true", help="200 files, for every test run")
    parser.add_argument("--work", type=Path, help="folder for the tree (default: temporary)")
    options = parser.parse_args()
    files, anchors, huge = (200, 50, 0) if options.short else (_FILES, _ANCHORS, _HUGE)
    with tempfile.TemporaryDirectory(prefix="holdfast-anchors-", dir=options.work) as folder:
        figures = measured(Path(folder), files=files, anchors=anchors, huge=huge)
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main()
