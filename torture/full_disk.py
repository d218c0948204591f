"""A full disk: acknowledged data stays, forgetting works, and writes resume when space returns."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import holdfast
from holdfast.domain.errors import HoldfastError, StoreFullError
from torture.crew import in_child
from torture.journal import Journal, history
from torture.judge import judge
from torture.loopdisk import MountError, resize, small_memory_disk, unable
from torture.planted_writer import writer_with
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.writer import Writer

SMALL, LARGE = "3m", "20m"
FILE_LIMIT = 5 << 18
MOST_WRITES = 20_000
WRITES_AFTERWARDS = 20
FORGETS_WHEN_FULL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A folder with little space; the process that fills it calls ``enter`` and ``enlarge``.

    A reserve helps if all files share the space, but not if each file has its own limit.
    """

    folder: Path
    reserve_helps: bool
    enter: Callable[[], None]
    enlarge: Callable[[], None]


Way = Callable[[Path], AbstractContextManager[Room]]


def run(task: Task) -> Report:
    """Fill the disk, use what must still work, free the space, and continue."""
    rounds = 3 if task.full else 1
    ways: list[Way] = [_file_limit] if unable() else [_memory_disk, _file_limit]
    tally = Tally()
    try:
        for number in range(rounds):
            for way in ways:
                tally += _one_round(task, way, seed=task.seed + number)
    except MountError as error:
        return Report(tool="full_disk", done="", skipped=str(error))
    names = " and ".join("tmpfs" if way is _memory_disk else "a file limit" for way in ways)
    return Report(tool="full_disk", done=f"disk full {tally.faults}x ({names})", tally=tally)


def _one_round(task: Task, way: Way, *, seed: int) -> Tally:
    folder = task.folder("full")
    journal = folder / "journal"

    def fill(room: Room) -> Tally:
        room.enter()
        home = room.folder / "home"
        memory = holdfast.open(home=home, folder=folder)
        writer = writer_with(memory, Journal(journal), name="w", seed=seed)
        found = _fill(writer) + _read_when_full(writer, home)
        if room.reserve_helps:
            found += _forget_when_full(writer)
        room.enlarge()
        found += _go_on(writer)
        memory.close()
        return found + in_child(lambda: judge(home, history(journal)))

    with way(folder / "disk") as room:
        return in_child(lambda: fill(room)) + Tally(faults=1)


def _fill(writer: Writer) -> Tally:
    """Write until the store reports that the disk is full."""
    for _ in range(MOST_WRITES):
        writer.remember()
        if writer.errors:
            said = writer.errors[0]
            if isinstance(said, StoreFullError):
                return Tally()
            return faulty(f"a full disk was called {type(said).__name__}: {said}")
    return faulty("the disk was never full")


def _read_when_full(writer: Writer, home: Path) -> Tally:
    """Read on the full disk, in this process and in another program."""
    tally = in_child(lambda: _newcomer(home))
    try:
        if not writer.memory.list(limit=5):
            tally += faulty("nothing can be read on a full disk")
    except HoldfastError as error:
        tally += faulty(f"reading on a full disk: {error}")
    return tally


def _forget_when_full(writer: Writer) -> Tally:
    """Forget on the full disk, which releases the reserve."""
    tally, before = Tally(), len(writer.errors)
    for _ in range(FORGETS_WHEN_FULL):
        writer.forget()
    for said in writer.errors[before:]:
        tally += faulty(f"forgetting on a full disk: {type(said).__name__}: {said}")
    return tally


def _newcomer(home: Path) -> Tally:
    """Read the store from another program while the disk is full."""
    try:
        with holdfast.open(home=home, folder=home.parent) as memory:
            seen = memory.list(limit=5)
    except HoldfastError as error:
        return faulty(f"opening on a full disk: {type(error).__name__}: {error}")
    return Tally() if seen else faulty("a newcomer sees nothing on a full disk")


def _go_on(writer: Writer) -> Tally:
    """Write again after space was freed."""
    before = len(writer.errors)
    for _ in range(WRITES_AFTERWARDS):
        writer.remember()
    tally = Tally()
    for error in writer.errors[before:]:
        tally += faulty(f"after space had returned: {type(error).__name__}: {error}")
    return tally


@contextmanager
def _memory_disk(at: Path) -> Generator[Room, None, None]:
    with small_memory_disk(at, size=SMALL):
        yield Room(
            folder=at,
            reserve_helps=True,
            enter=lambda: None,
            enlarge=lambda: resize(at, size=LARGE),
        )


@contextmanager
def _file_limit(at: Path) -> Generator[Room, None, None]:
    """Limit the file size of a process; this works without root."""
    at.mkdir()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, before[1]))

    yield Room(
        folder=at,
        reserve_helps=False,
        enter=limit,
        enlarge=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before),
    )
