"""False alarms: a check during writes reports no loss, and one after a real loss always does."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NoReturn

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.units.engine import HeadComparison, SqliteEngine
from torture.crew import Crew, in_child
from torture.damage import look
from torture.journal import Journal, history
from torture.judge import is_bad
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.writer import Writer

WRITERS = 3
MOST_WRITES = 100_000
MOST_LOOKS = 60_000
LAST_WRITES = 5
LOOK_SECONDS = 0.01


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
        _wait_for_writers(journal)
        tally = in_child(lambda: _checked(home, checks))
    finally:
        crew.kill_all()
    crew.start("last", lambda: _write_to_the_log(home, journal))
    crew.wait()
    tally += in_child(lambda: _after_a_loss(home))
    done = f"{checks} checks beside {WRITERS} writers, 1 log deleted"
    return Report(tool="alarm", done=done, tally=tally)


def _write(home: Path, journal: Path, number: int) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        writer = Writer(memory, Journal(journal), name=f"w{number}", seed=number)
        for _ in range(MOST_WRITES):
            writer.remember()


def _wait_for_writers(journal: Path) -> None:
    """Wait until every writer has written once, so that the checks run beside writers."""
    while len({name.partition(":")[0] for name in history(journal).acknowledged}) < WRITERS:
        time.sleep(LOOK_SECONDS)


def _write_to_the_log(home: Path, journal: Path) -> NoReturn:
    """Empty the log, write a little and die, so that the log holds what is nowhere else."""
    store = apsw.Connection(str(home / STORE_FILE))
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    memory = holdfast.open(home=home, folder=home.parent)
    writer = Writer(memory, Journal(journal), name="last", seed=WRITERS)
    for _ in range(LAST_WRITES):
        writer.remember()
    os._exit(0)


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
