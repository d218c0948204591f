"""Not one byte free and no process has the store open: reading and forgetting still work."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path

import holdfast
from holdfast.adapters.sqlite.units import opening
from holdfast.domain.errors import HoldfastError, StoreFullError
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import in_child
from torture.loopdisk import MountError, blank_disk, mounted, small_memory_disk, unable
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

MEMORIES = 8
BLOCK_SIZES = (1024, 4096)
Disk = Callable[[Path], AbstractContextManager[Path]]


def run(task: Task) -> Report:
    """Fill each kind of disk to the last byte, then use the store from new processes."""
    if reason := unable():
        return Report(tool="zero_bytes", done="", skipped=reason)
    rounds = task.number(short=1, full=5)
    tally = Tally()
    try:
        for number in range(rounds):
            for name, disk in DISKS.items():
                tally += _one(task.folder("zero"), disk).because(f"{name}, round {number + 1}")
    except MountError as error:
        return Report(tool="zero_bytes", done="", skipped=str(error))
    done = f"0 bytes free {tally.faults}x ({', '.join(DISKS)})"
    return Report(tool="zero_bytes", done=done, tally=tally)


def _one(folder: Path, disk: Disk) -> Tally:
    with disk(folder) as place:
        home = place / "home"
        names = in_child(partial(_filled, home))
        _take_every_byte(place)
        tally = Tally(faults=1)
        for newcomer in (_reads, _is_refused, _reads, partial(_forgets, names[0])):
            tally += in_child(partial(_newcomer, home, newcomer))
        _take_every_byte(place)
        tally += in_child(partial(_newcomer, home, partial(_sees, set(names[1:]))))
    return tally


def _filled(home: Path) -> list[str]:
    with holdfast.open(home=home, folder=home.parent) as memory:
        claims = [f"The walrus number {n} sleeps in harbour {n}." for n in range(MEMORIES)]
        kept = memory.remember_all(claims, because="the harness said so", scope="global")
        return [one.record.memory.id for one in kept]


def _take_every_byte(place: Path) -> None:
    """Write until not even one byte can be written; every call adds another file."""
    filler = place / f"filler{len(list(place.iterdir()))}"
    handle = os.open(filler, os.O_CREAT | os.O_WRONLY, 0o600)
    for size in (1 << 16, 1 << 10, 1):
        with suppress(OSError):
            while True:
                os.write(handle, bytes(size))
    os.close(handle)


def _newcomer(home: Path, does: Callable[[MemoryStore], Tally]) -> Tally:
    if planted(Plant.SHARED_MEMORY):
        vars(opening)["lacks_shared_memory"] = lambda _error: False
    try:
        with holdfast.open(home=home, folder=home.parent) as memory:
            return does(memory)
    except HoldfastError as error:
        return faulty(f"{type(error).__name__}: {error}")


def _reads(memory: MemoryStore) -> Tally:
    seen = memory.list(limit=99), memory.recall("walrus harbour").bundle.items
    return Tally() if all(len(one) == MEMORIES for one in seen) else faulty("memories are missing")


def _is_refused(memory: MemoryStore) -> Tally:
    try:
        memory.remember("One more walrus.", because="the harness said so", scope="global")
    except StoreFullError:
        return Tally()
    return faulty("a write on a full disk was not refused")


def _forgets(name: str, memory: MemoryStore) -> Tally:
    memory.forget(name)
    return Tally()


def _sees(names: set[str], memory: MemoryStore) -> Tally:
    found = {record.id for record in memory.list(limit=99)}
    return Tally() if found == names else faulty(f"{len(names - found)} lost, {len(found)} seen")


@contextmanager
def _memory_disk(folder: Path) -> Generator[Path, None, None]:
    with small_memory_disk(folder / "disk", size="6m") as place:
        yield place


@contextmanager
def _ext4(block: int, folder: Path) -> Generator[Path, None, None]:
    image = folder / "image"
    blank_disk(image, block=block)
    with mounted(image, folder / "disk") as place:
        yield place


DISKS: dict[str, Disk] = {
    "tmpfs": _memory_disk,
    **{f"ext4 with blocks of {block}": partial(_ext4, block) for block in BLOCK_SIZES},
}
