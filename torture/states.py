"""Crash states: records every write and sync of a run, and replays what a cut could leave.

This is more hostile than a real disk: unsynced writes may be lost, torn or reordered.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import holdfast
from torture.crew import Crew, in_children
from torture.journal import LINES_PER_OPERATION, Journal, history
from torture.judge import judge
from torture.pace import Pace
from torture.planted_writer import writer_here
from torture.replay import Disk, Model, Step, steps
from torture.report import Report, Tally
from torture.samples import Sample, old_sample
from torture.task import Task

WORKERS = 2
WRITERS = 2
LEAST_OPERATIONS = 25
STATES_PER_RECORDING = 250
_HERE = Path(__file__).parent
_SOURCE = _HERE / "recorder.c"
_LIBRARY = _HERE / "build" / "recorder.so"


def run(task: Task) -> Report:
    """Record a few runs and judge many states of each, in both models."""
    if reason := _unable():
        return Report(tool="states", done="", skipped=reason)
    wanted = task.number(short=60, full=5_000)
    seconds = 1.2 if task.full else 0.5
    chance = random.Random(task.seed)
    old = old_sample(task.folder("samples"), seed=task.seed)
    tally = Tally()
    recordings = changes = 0
    while tally.faults < wanted and not task.is_over(tally):
        recordings += 1
        recording = Recording(task.folder("states").resolve(), old if recordings % 2 == 0 else None)
        recording.make(seconds=seconds, seed=chance.randrange(10**6))
        changes += len(recording.steps)
        count = min(STATES_PER_RECORDING, (wanted + 1) // 2, wanted - tally.faults)
        tally += _judge_states(recording, count, chance.randrange(10**9))
    return Report(
        tool="states",
        done=f"{recordings} recordings, new and upgraded stores, {changes:,} steps, posix and ext4",
        tally=tally,
    )


class Recording:
    """One run under the recorder: on a new store, or on an old one that it upgrades."""

    def __init__(self, folder: Path, start: Sample | None) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.steps: list[Step] = []
        self._start = start

    def make(self, *, seconds: float, seed: int) -> None:
        """Run, and parse the recording."""
        self.root.mkdir()
        if self._start is not None:
            self._start.copy_to(self.root / "home", self.folder / "journal")
        environment = os.environ | {
            "LD_PRELOAD": str(_LIBRARY),
            "RECORD_ROOT": str(self.root),
            "RECORD_JOURNAL": str(self.folder / "journal"),
            "RECORD_TO": str(self.folder / "recording"),
        }
        line = [sys.executable, "-m", "torture", "record", "--work", str(self.folder)]
        line += ["--seed", str(seed), "--seconds", str(seconds)]
        subprocess.run(line, env=environment, check=True)
        self.steps = list(steps(self.folder / "recording"))

    def disk(self, model: Model) -> Disk:
        """Return the disk at the start of the run."""
        disk = Disk(model)
        if self._start is not None:
            disk.hold(self._start.home, at=str(self.root / "home"))
            disk.told = history(self._start.journal)
        return disk


def record(folder: Path, seconds: float, seed: int) -> None:
    """Let writers work on a new store for a while; this runs under the recorder."""
    crew = Crew()
    home, journal = folder / "root" / "home", folder / "journal"
    pace = Pace(journal, crew)
    for number in range(WRITERS):
        crew.start(f"writer{number}", partial(_write, home, journal, seed + number))
    crew.start("rebuilder", lambda: _rebuild(home))
    time.sleep(seconds)
    pace.wait(LEAST_OPERATIONS * LINES_PER_OPERATION)
    crew.kill_all()


def _judge_states(made: Recording, count: int, seed: int) -> Tally:
    shares = [count // WORKERS + (number < count % WORKERS) for number in range(WORKERS)]

    def judged(number: int) -> Tally:
        chance = random.Random(seed + number)
        points = sorted(chance.choices(range(len(made.steps)), k=shares[number]))
        disks = {model: made.disk(model) for model in Model}
        target = made.folder / f"state{number}"
        tally = Tally()
        for place, step in enumerate(made.steps):
            for disk in disks.values():
                disk.follow(step)
            while points and points[0] == place:
                points.pop(0)
                model = chance.choice(list(Model))
                tally += _judge_state(disks[model], made.root, target, chance).because(
                    f"seed {seed}, step {place}, {model}"
                )
        return tally

    found = in_children([partial(judged, number) for number in range(WORKERS)])
    tally = sum(found, Tally())
    acks = sum(step.data.count(b"ACK ") for step in made.steps if step.kind == "A")
    return Tally(
        acks=acks,
        faults=count,
        lost=tally.lost,
        ghost=tally.ghost,
        torn=tally.torn,
        bad=tally.bad,
        notes=tally.notes,
    )


def _judge_state(disk: Disk, root: Path, target: Path, chance: random.Random) -> Tally:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    disk.leave(str(root), target, chance)
    return judge(target / "home", disk.told)


def _unable() -> str:
    compiler = shutil.which("cc")
    is_built = _LIBRARY.exists() and _LIBRARY.stat().st_mtime >= _SOURCE.stat().st_mtime
    if is_built:
        return ""
    if compiler is None:
        return "needs a C compiler (cc) for the recorder"
    _LIBRARY.parent.mkdir(exist_ok=True)
    line = [compiler, "-O2", "-shared", "-fPIC", "-o", str(_LIBRARY), str(_SOURCE), "-ldl"]
    subprocess.run(line, check=True)
    return ""


def _write(home: Path, journal: Path, seed: int) -> None:
    writer_here(home, Journal(journal), name="w", seed=seed).run()


def _rebuild(home: Path) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        while True:
            time.sleep(0.2)
            memory.app.upkeep.rebuild(lambda _done, _all: None)
