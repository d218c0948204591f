"""A stopped process that holds a lock: readers answer at once, writers learn who holds it."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.adapters.sqlite.units import storing_pending
from holdfast.domain.errors import HoldfastError, StoreBusyError
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.recall import keeping
from torture.crew import Crew, in_child
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

LONGEST_SECONDS = 1.5
"""The waits of all reads of one process together. A reader gives up each lock after a tenth of a
second, a writer after 30. Time in which the process computes, or could compute and gets no
processor, does not count: a busy machine must not look like a lock."""
_NANOSECONDS = 1e-9


def run(task: Task) -> Report:
    """Stop the holder of each lock, use the store beside it, and continue the holder."""
    holds = task.number(short=len(HOLDS), full=5 * len(HOLDS))
    tally = Tally()
    for number in range(holds):
        name = list(HOLDS)[number % len(HOLDS)]
        tally += _one(task.folder("stopped"), HOLDS[name]).because(name)
    done = f"{holds} times a lock held by a stopped process, of {len(HOLDS)} kinds"
    return Report(tool="stopped", done=done, tally=tally)


def _one(folder: Path, hold: Callable[[Path], None]) -> Tally:
    home = folder / "home"
    in_child(partial(_filled, home))
    crew = Crew()
    try:
        crew.start("holder", lambda: hold(home))
        (pid,) = crew.pids.values()
        os.waitpid(pid, os.WUNTRACED)
        beside = in_child(partial(_beside, home, pid))
        tally = beside.tally + in_child(partial(_explained, home, beside.answers))
    finally:
        crew.kill_all()
    return tally + in_child(partial(_stored, home, beside.answers)) + Tally(faults=1)


class _Beside(NamedTuple):
    """What happened beside the stopped process, and the bundles that were given meanwhile."""

    tally: Tally
    answers: tuple[str, ...] = ()


def _filled(home: Path) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        memory.remember("The walrus deploys hourly.", because="the harness", scope="global")


def _beside(home: Path, holder: int) -> _Beside:
    """Read and write as new processes."""
    if planted(Plant.PATIENT_READER):
        vars(keeping)["READER_PATIENCE"] = None
    tally = Tally()
    answers: tuple[str, ...] = ()
    began = _slept()
    try:
        with holdfast.open(home=home, folder=home.parent) as memory:
            tally, answers = _read(memory)
    except HoldfastError as error:
        tally += faulty(f"a reader failed: {error}")
    took = _slept() - began
    if took > LONGEST_SECONDS:
        tally += faulty(f"a reader waited {took:.0f} s for the stopped process")
    return _Beside(tally + _refused(home, holder), answers)


def _explained(home: Path, answers: Sequence[str]) -> Tally:
    """Show, as a new process, the bundles that wait beside the store."""
    tally = Tally()
    with holdfast.open(home=home, folder=home.parent) as memory:
        for name in answers:
            if len(memory.get_answer(name).bundle.items) != 1:
                tally += faulty("a bundle that waits is not shown as it was given")
    return tally


def _stored(home: Path, answers: Sequence[str]) -> Tally:
    """Write after the holder is gone: the bundles are in the store, each counted once."""
    if planted(Plant.DROPPED_ANSWER):
        vars(storing_pending)["stored"] = lambda beside, _work: beside.ids()
    with holdfast.open(home=home, folder=home.parent) as memory:
        kept = memory.remember("The walrus sleeps at noon.", because="the harness", scope="global")
    if Path(f"{home / STORE_FILE}-pending").exists():
        return faulty("bundles still wait after a write")
    tally = Tally()
    with holdfast.open(home=home, folder=home.parent) as memory:
        try:
            shown = [memory.get_answer(name) for name in answers]
        except HoldfastError as error:
            return faulty(f"LOST a bundle that had been given: {error}")
        given = {hit.id for answer in shown for hit in answer}
        counted = [one.record.usage.access_count for one in memory.list(limit=5) if one.id in given]
    if kept.id in given or counted != [len(answers)]:
        tally += faulty(f"{len(answers)} answers were counted as {counted}")
    return tally


def _slept() -> float:
    """Return the time on the clock without the time this process computed or wished to."""
    try:
        queued = int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1])
    except OSError:
        queued = 0
    return time.monotonic() - time.process_time() - queued * _NANOSECONDS


def _read(memory: MemoryStore) -> tuple[Tally, tuple[str, ...]]:
    """Use every read that may write something on the side."""
    given = [memory.recall("walrus"), memory.recall("which walrus deploys")]
    tally = Tally()
    (listed,) = memory.list(limit=5)
    if any(len(one.bundle.items) != 1 for one in given):
        tally += faulty("a reader did not see the memory")
    if not all(one.is_kept for one in given):
        tally += faulty("the answer says that it was not kept")
    memory.get(listed)
    memory.explain(listed)
    memory.related(listed)
    memory.get_answer(given[0])
    return tally, tuple(one.bundle_id for one in given)


def _refused(home: Path, holder: int) -> Tally:
    options = StoreOptions(wait_seconds=0.2)
    try:
        store = SqliteStore.open(home / STORE_FILE, options=options)
        with store.writing(holdfast.open(home=home).app.clock.now()):
            return faulty("a writer passed the lock of the stopped process")
    except StoreBusyError as error:
        named = f"Process {holder} " in str(error) or not Path("/proc/locks").exists()
        return Tally() if named else faulty(f"the holder is not named: {error}")


def _stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _in_a_write(home: Path) -> None:
    memory = holdfast.open(home=home, folder=home.parent)
    with memory.app.store.writing(memory.app.clock.now()):
        _stop()


def _in_the_queue(home: Path) -> None:
    handle = os.open(home / f"{STORE_FILE}-queue", os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    _stop()


def _while_closing(home: Path) -> None:
    """Hold the exclusive lock of the database, like the last process that closes it."""
    connection = apsw.Connection(str(home / STORE_FILE))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    _stop()


def _as_another_program(home: Path) -> None:
    connection = apsw.Connection(str(home / STORE_FILE))
    connection.execute("BEGIN IMMEDIATE")
    _stop()


HOLDS: dict[str, Callable[[Path], None]] = {
    "in a write": _in_a_write,
    "in the queue": _in_the_queue,
    "while closing": _while_closing,
    "another program": _as_another_program,
}
