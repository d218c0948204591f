"""Lost tails: a truncated or deleted log, an older file restored. Every loss is reported."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from torture.crew import forked, in_child
from torture.damage import Sight, look
from torture.journal import Journal, history
from torture.judge import expectation
from torture.report import Report, Tally, faulty
from torture.samples import Sample, small_sample
from torture.task import Task
from torture.writer import Writer

OPERATIONS = 40
LOG = f"{STORE_FILE}-wal"
Spoil = Callable[[Path], None]


def run(task: Task) -> Report:
    """Truncate the log, flip bits in it, delete it, restore an older file; then repair."""
    folder = task.folder("tails")
    older = small_sample(folder, seed=task.seed)
    newer = _newer(folder, older, seed=task.seed + 1)
    size = (newer.home / LOG).stat().st_size
    cuts = range(0, size, max(1, size // (60 if task.full else 8)))
    flips = random.Random(task.seed).sample(range(size), 40 if task.full else 4)
    cases: list[tuple[str, Spoil]] = [(f"log cut at {cut}", partial(_cut, cut)) for cut in cuts]
    cases += [(f"log flipped at {place}", partial(_flip, place)) for place in flips]
    cases.append(("log deleted", lambda home: (home / LOG).unlink()))
    tally, lost = Tally(), 0
    for what, spoil in cases:
        found, missing = _judged(folder, newer, spoil)
        tally += found.because(what)
        lost += missing
    tally += _older_file(folder, older, newer)
    done = (
        f"log cut {len(cuts)}x, flipped {len(flips)}x, deleted, older file restored:"
        f" {lost + 1} lost tails"
    )
    return Report(tool="tails", done=done, tally=tally)


def _newer(folder: Path, older: Sample, *, seed: int) -> Sample:
    """Continue with a copy, and stop without closing it: the log holds the newest writes."""
    newer = Sample(home=folder / "newer", journal=folder / "newer.journal")
    older.copy_to(newer.home, newer.journal)

    def go_on() -> None:
        memory = holdfast.open(home=newer.home, folder=folder)
        writer = Writer(memory, Journal(newer.journal), name="t", seed=seed)
        while len(history(newer.journal).attempts) < 2 * OPERATIONS:
            writer.remember()
            writer.supersede()
            writer.sit()
        os._exit(0)

    os.waitpid(forked(go_on), 0)
    return newer


def _judged(folder: Path, sample: Sample, spoil: Spoil) -> tuple[Tally, bool]:
    """Damage a copy and check it; return whether anything is missing."""
    home = folder / "hurt"

    def hurt() -> Sight:
        sample.copy_to(home)
        (home / f"{STORE_FILE}-shm").unlink(missing_ok=True)
        spoil(home)
        return look(home)

    sight = in_child(hurt)
    missing = _missing(sample, sight)
    tally = Tally(faults=1)
    if missing and not sight.reported:
        tally += faulty(f"{missing} facts are gone and nobody says so")
    return tally, missing > 0


def _cut(size: int, home: Path) -> None:
    os.truncate(home / LOG, size)


def _flip(place: int, home: Path) -> None:
    content = bytearray((home / LOG).read_bytes())
    content[place] ^= 1
    (home / LOG).write_bytes(content)


def _older_file(folder: Path, older: Sample, newer: Sample) -> Tally:
    """Restore the older database: it is reported, also after more writes, until repaired."""
    home = folder / "restored"

    def restore() -> Tally:
        newer.copy_to(home)
        for name in (LOG, f"{STORE_FILE}-shm"):
            (home / name).unlink(missing_ok=True)
        shutil.copy(older.home / STORE_FILE, home / STORE_FILE)
        tally = Tally(faults=1)
        if not look(home).reported:
            tally += faulty("an older file was put back and nobody says so")
        with holdfast.open(home=home, folder=folder) as memory:
            memory.remember("Written afterwards.", because="the harness said so", scope="global")
        if not look(home).reported:
            tally += faulty("after one more write the lost tail is not reported any more")
        with holdfast.open(home=home, folder=folder) as memory:
            memory.app.upkeep.repair(lambda _done, _all: None)
        after = look(home)
        if after.reported:
            tally += faulty(f"after the repair: {after.said}")
        return tally

    return in_child(restore)


def _missing(sample: Sample, sight: Sight) -> int:
    seen = set(sight.facts or ())
    expected, _ = expectation(history(sample.journal), seen)
    return len(expected - seen)
