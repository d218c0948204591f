"""Many processes on one store: no process gets an error or starves, and nothing is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import in_child, in_children
from torture.journal import Journal, history
from torture.judge import judge
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.writer import Writer

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

FULL_SECONDS, SHORT_SECONDS = 10.0, 4.0
_ENOUGH_TO_COMPARE = 20
_START_SECONDS = 600.0
_BLOCK = bytes(4096)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The writes, the errors and the longest wait of one process."""

    writes: int
    errors: int
    longest_wait: float


def run(task: Task) -> Report:
    """Let all processes write at once, and compare how much each wrote."""
    processes = task.number(short=8, full=30)
    seconds = FULL_SECONDS if task.full else SHORT_SECONDS
    folder = task.folder("contend")
    home, journal = folder / "home", folder / "journal"
    syncs = fsync_rate(folder)
    in_child(lambda: holdfast.open(home=home, folder=folder).close())
    ready = get_context("fork").Barrier(processes, timeout=_START_SECONDS)
    shares = in_children(
        [_process(home, journal, ready, seconds, number) for number in range(processes)]
    )
    told = history(journal)
    tally = in_child(lambda: judge(home, told)) + _fairness(shares)
    writes = [share.writes for share in shares]
    done = (
        f"{processes} processes, {seconds:g} s: {sum(writes) / seconds:.0f} writes/s,"
        f" least {min(writes)} of mean {sum(writes) / processes:.0f},"
        f" longest wait {max(share.longest_wait for share in shares):.2f} s;"
        f" disk alone {syncs:.0f} fsync/s"
    )
    return Report(tool="contend", done=done, tally=tally)


def fsync_rate(folder: Path, seconds: float = 0.5) -> float:
    """Return how many 4 KiB appends per second this disk makes durable."""
    handle = os.open(folder / "fsync", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    count, began = 0, time.monotonic()
    try:
        while time.monotonic() < began + seconds:
            os.write(handle, _BLOCK)
            os.fdatasync(handle)
            count += 1
    finally:
        os.close(handle)
    return count / (time.monotonic() - began)


def _process(
    home: Path, journal: Path, ready: Barrier, seconds: float, number: int
) -> Callable[[], Share]:
    def work() -> Share:
        memory = _open(home)
        writer = Writer(memory, Journal(journal), name="w", seed=number)
        # A process that opens late on a busy machine would get fewer writes without a fault of the
        # store.
        ready.wait()
        end = time.monotonic() + seconds
        writes, longest = 0, 0.0
        while (began := time.monotonic()) < end:
            writer.remember()
            longest = max(longest, time.monotonic() - began)
            writes += 1
        errors = sum(writer.owner in error for error in history(journal).errors)
        memory.close()
        return Share(writes=writes - errors, errors=errors, longest_wait=longest)

    return work


def _open(home: Path) -> MemoryStore:
    memory = holdfast.open(home=home, folder=home.parent)
    if planted(Plant.IMPATIENT):
        memory.app.store.close()
        impatient = SqliteStore.open(home / STORE_FILE, options=StoreOptions(wait_seconds=0.001))
        object.__setattr__(memory.app, "store", impatient)
    return memory


def _fairness(shares: list[Share]) -> Tally:
    mean = sum(share.writes for share in shares) / len(shares)
    tally = Tally(faults=len(shares))
    for share in shares:
        if share.errors:
            tally += faulty(f"a process was shown {share.errors} errors")
        # On a busy machine each process gets a handful of writes, and chance decides how many.
        if mean >= _ENOUGH_TO_COMPARE and share.writes < mean / 2:
            tally += faulty(f"a process got {share.writes} writes, the mean is {mean:.0f}")
    return tally
