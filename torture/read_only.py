"""A read-only folder, used by a user without write permission."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from pathlib import Path

import holdfast
from holdfast.adapters.sqlite.units import opening
from holdfast.adapters.tokens import estimate
from holdfast.domain.errors import HoldfastError, StoreReadOnlyError
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import in_child
from torture.journal import History, Journal, history
from torture.judge import compare, read
from torture.report import Report, Tally, faulty
from torture.samples import small_sample
from torture.task import Task
from torture.writer import Writer

NOBODY = 65534
LOADED_EARLY = (opening, estimate)  # imported only by processes that may not write, or not read


def run(task: Task) -> Report:
    """Read a closed store and one with an open write-ahead log; try to write to both."""
    folder = task.folder("read-only")
    task.work.chmod(0o755)
    sample = small_sample(folder, seed=task.seed)
    live = folder / "live"
    in_child(lambda: _leave_open(sample.home, live, sample.journal))
    tally = Tally()
    for home in (sample.home, live):
        tally += _one_store(home, history(sample.journal))
    return Report(tool="read_only", done="read-only folders 2x", tally=tally)


def _leave_open(home: Path, copy: Path, journal: Path) -> None:
    """Write some more and copy the files with a write-ahead log that is not checkpointed."""
    memory = holdfast.open(home=home, folder=home.parent)
    Writer(memory, Journal(journal), name="o", seed=1).run(10)
    shutil.copytree(home, copy)
    memory.close()


def _one_store(home: Path, told: History) -> Tally:
    before = _fingerprint(home)
    _set_rights(home, folder=0o555, file=0o444)

    def look() -> Tally:
        # The user cannot read a model either, so that both runs load the same code.
        os.environ["HOLDFAST_MODELS"] = str(home.with_name("no-models"))
        _rehearse(home)
        _become_nobody()
        try:
            with holdfast.open(home=home, folder="/") as memory:
                found = compare(read(memory.app.store, random.Random(1)), [], told)
                return found + _try_to_write(memory)
        except HoldfastError as error:
            return faulty(f"reading: {type(error).__name__}: {error}")

    tally = in_child(look) + Tally(faults=1)
    _set_rights(home, folder=0o700, file=0o600)
    if _fingerprint(home) != before:
        tally += faulty("the files were changed")
    return tally


def _rehearse(home: Path) -> None:
    """Run the same on a copy first: without rights, the process cannot read the program's code."""
    copy = home.with_name(f"{home.name}-rehearsal")
    shutil.copytree(home, copy)
    _set_rights(copy, folder=0o700, file=0o600)
    with holdfast.open(home=copy, folder="/") as memory:
        read(memory.app.store, random.Random(1))
        _try_to_write(memory)
    shutil.rmtree(copy)


def _try_to_write(memory: MemoryStore) -> Tally:
    try:
        memory.remember("This cannot be kept.", because="the folder is read-only", scope="global")
    except StoreReadOnlyError:
        return Tally()
    except HoldfastError as error:
        return faulty(f"writing: {type(error).__name__}: {error}")
    return faulty("a write to a read-only folder was acknowledged")


def _become_nobody() -> None:
    """Drop all privileges: root may write anywhere."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def _set_rights(home: Path, *, folder: int, file: int) -> None:
    home.chmod(folder)
    for path in home.iterdir():
        path.chmod(file)


def _fingerprint(home: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(home.iterdir())
    }
