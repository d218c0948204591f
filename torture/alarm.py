"""False alarms: a check during writes reports no loss, and one after a real loss always does."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.units.engine import HeadComparison, SqliteEngine
from torture.crew import Crew, in_child
from torture.damage import look
from torture.journal import Journal
from torture.judge import is_bad
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.writer import Writer

WRITERS = 3
MOST_WRITES = 100_000
MOST_LOOKS = 60_000


def run(task: Task) -> Report:
    """Check repeatedly while others write; then delete the log and check once more."""
    checks = task.number(short=12, full=200)
    folder = task.folder("alarm")
    home, journal = folder / "home", folder / "journal"
    in_child(lambda: holdfast.open(home=home, folder=folder).close())
    crew = Crew()
    try:
        for number in range(WRITERS):
            crew.start(f"w{number}", lambda number=number: _write(home, journal, number))  # type: ignore[misc]
        tally = in_child(lambda: _checked(home, checks))
    finally:
        crew.kill_all()
    tally += in_child(lambda: _after_a_loss(home))
    done = f"{checks} checks beside {WRITERS} writers, 1 log deleted"
    return Report(tool="alarm", done=done, tally=tally)


def _write(home: Path, journal: Path, number: int) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        writer = Writer(memory, Journal(journal), name=f"w{number}", seed=number)
        for _ in range(MOST_WRITES):
            writer.remember()


def _checked(home: Path, checks: int) -> Tally:
    if planted(Plant.LATE_HEAD):
        setattr(SqliteEngine, "compare_heads", _compared_late)  # noqa: B010 - a planted bug
    tally = Tally()
    for _ in range(checks):
        with holdfast.open(home=home, folder=home.parent) as memory:
            findings = memory.app.upkeep.check(lambda _done, _all: None)
            said = [one.message for one in findings if is_bad(one)]
            said += memory.warnings
        tally += Tally(faults=1)
        if said:
            tally += faulty(f"false alarm: {said[0]}")
    return tally


def _compared_late(engine: SqliteEngine) -> HeadComparison:
    """Read the head after the snapshot was taken, as an earlier version of the check did."""
    with engine.reading() as work:
        events = work.head().sequence
        for _ in range(MOST_LOOKS):
            outside = engine.head_check.read()
            if outside is not None and outside.head.sequence > events:
                break
            os.sched_yield()
            signal.sigtimedwait([], 0.002)
        return HeadComparison(outside, engine.head_check.complaint(outside, work), events)


def _after_a_loss(home: Path) -> Tally:
    for ending in ("-wal", "-shm"):
        (home / f"{STORE_FILE}{ending}").unlink(missing_ok=True)
    if look(home).reported:
        return Tally(faults=1)
    return Tally(faults=1) + faulty("the log was deleted and nobody says so")
