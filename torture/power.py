"""Power cuts on a real file system: only what is on the disk at that moment survives.

Writers work on an ext4 in a file. They are stopped, the file is copied, and they continue. The copy
has only what the file system had sent to the disk, without the page cache. It is mounted, which
replays its journal, and judged. Not tested: a drive that reorders or tears writes in its own cache;
see ``states``.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import holdfast
from torture.crew import Crew, in_child
from torture.journal import LINES_PER_OPERATION, Journal, history
from torture.judge import judge
from torture.loopdisk import MountError, blank_disk, cut, mounted, unable
from torture.pace import Pace
from torture.planted_writer import writer_here
from torture.report import Report, Tally
from torture.task import Task

WRITERS = 3
CUTS_PER_DISK = 10
LONGEST_RUN_SECONDS = 0.9
LEAST_OPERATIONS_PER_CUT = 5


def run(task: Task) -> Report:
    """Cut the power the wanted number of times."""
    if reason := unable():
        return Report(tool="power", done="", skipped=reason)
    cuts = task.number(short=2, full=100)
    chance = random.Random(task.seed)
    tally = Tally()
    disks = 0
    try:
        while tally.faults < cuts:
            disks += 1
            tally += _one_disk(task, chance, min(CUTS_PER_DISK, cuts - tally.faults))
    except MountError as error:
        return Report(tool="power", done="", skipped=str(error))
    return Report(
        tool="power", done=f"{WRITERS} writers on ext4 in a file, {disks} disks", tally=tally
    )


def _one_disk(task: Task, chance: random.Random, cuts: int) -> Tally:
    folder = task.folder("power")
    image, journal = folder / "disk.img", folder / "journal"
    blank_disk(image)
    tally = Tally()
    crew = Crew()
    pace = Pace(journal, crew)
    with mounted(image, folder / "disk") as disk:
        home = disk / "home"
        for number in range(WRITERS):
            crew.start(f"writer{number}", lambda: _write(home, journal))
        crew.start("rebuilder", lambda: _rebuild(home))
        try:
            for _ in range(cuts):
                pace.wait(LEAST_OPERATIONS_PER_CUT * LINES_PER_OPERATION)
                time.sleep(chance.uniform(0.1, LONGEST_RUN_SECONDS))
                crew.stop()
                cut(image, folder / "copy.img")
                tally += _judged(folder, journal) + Tally(faults=1)
                crew.go_on()
        finally:
            crew.kill_all()
    return tally + Tally(acks=len(history(journal).acknowledged))


def _judged(folder: Path, journal: Path) -> Tally:
    told = history(journal)
    with mounted(folder / "copy.img", folder / "copy") as copy:
        found = in_child(lambda: judge(copy / "home", told))
    return Tally(
        lost=found.lost, ghost=found.ghost, torn=found.torn, bad=found.bad, notes=found.notes
    )


def _write(home: Path, journal: Path) -> None:
    seed = time.time_ns() ^ os.getpid()
    writer_here(home, Journal(journal), name="w", seed=seed).run()


def _rebuild(home: Path) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        while True:
            memory.app.upkeep.rebuild(lambda _done, _all: None)
            time.sleep(0.1)
