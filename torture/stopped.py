"""A stopped process that holds a lock: readers answer at once, writers learn who holds it."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.errors import HoldfastError, StoreBusyError
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.recall import recall
from torture.crew import Crew, in_child
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

LONGEST_SECONDS = 20.0
"""A reader that waits for a writer waits 30 seconds. Time in which the process computes, or could
compute and gets no processor, does not count: a busy machine must not look like a lock."""
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
        return in_child(partial(_beside, home, pid)) + Tally(faults=1)
    finally:
        crew.kill_all()


def _filled(home: Path) -> None:
    with holdfast.open(home=home, folder=home.parent) as memory:
        memory.remember("The walrus deploys hourly.", because="the harness", scope="global")


def _beside(home: Path, holder: int) -> Tally:
    """Read and write as new processes."""
    if planted(Plant.PATIENT_READER):
        vars(recall)["READER_PATIENCE"] = None
    tally = Tally()
    began = _slept()
    try:
        with holdfast.open(home=home, folder=home.parent) as memory:
            tally += _read(memory)
    except HoldfastError as error:
        tally += faulty(f"a reader failed: {error}")
    took = _slept() - began
    if took > LONGEST_SECONDS:
        tally += faulty(f"a reader waited {took:.0f} s for the stopped process")
    return tally + _refused(home, holder)


def _slept() -> float:
    """Return the time on the clock without the time this process computed or wished to."""
    try:
        queued = int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1])
    except OSError:
        queued = 0
    return time.monotonic() - time.process_time() - queued * _NANOSECONDS


def _read(memory: MemoryStore) -> Tally:
    given = memory.recall("walrus")
    tally = Tally()
    if len(given.bundle.items) != 1 or len(memory.list(limit=5)) != 1:
        tally += faulty("a reader did not see the memory")
    if not any("was not stored" in note for note in given.bundle.notes):
        tally += faulty("the answer does not say that it was not kept")
    return tally


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
