"""The I/O sweep: runs one workload again and again, each time with another failing call.

SQLite tests itself in this way. Every call of the workload fails in turn, once or permanently.
Nothing acknowledged may be lost, the error must distinguish a disk failure from damage, and the
next program must find the store undamaged.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast.adapters.git.anchors.surroundings import LocalSurroundings
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.app import Holdfast
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreDamagedError,
    UnavailableError,
)
from holdfast.heuristics.english import ENGLISH
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import in_child, in_children
from torture.faulty import NAME, FaultyDisk, Kind, Plan, break_os
from torture.journal import Journal, history
from torture.judge import judge
from torture.planted_writer import writer_with
from torture.principal import A_PERSON
from torture.report import Report, Tally, faulty
from torture.samples import Sample, old_sample
from torture.task import Task

WORKERS = 2
TRIES_TO_OPEN = 3
PATIENCE_SECONDS = 2.0
_DAMAGED, _BUSY = StoreDamagedError.__name__, StoreBusyError.__name__


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one run: the calls it made, and errors of the wrong kind.

    ``damaged`` are those that reported a failing disk as a damaged store.
    """

    calls: tuple[str, ...]
    fired: int
    wrong: tuple[str, ...]
    damaged: tuple[str, ...]


def run(task: Task) -> Report:
    """Make every call fail in turn, in every way."""
    sample = old_sample(task.folder("samples"), seed=task.seed)
    unharmed = in_child(lambda: _workload(task.folder("count"), sample, Plan()))
    if unexpected := unharmed.wrong + unharmed.damaged:
        return Report(tool="sweep", done="no fault", tally=faulty("; ".join(unexpected)))
    calls = unharmed.calls
    stride = task.number(short=80, full=1)
    planned = [
        (number, kind)
        for number in range(1, len(calls) + 1, stride)
        for kind in Kind
        if kind.fits(calls[number - 1])
    ]
    found = in_children(
        [
            _share(task.folder(f"sweep{worker}"), sample, planned[worker::WORKERS])
            for worker in range(WORKERS)
        ]
    )
    hit = len({number for number, _ in planned}) / len(calls)
    done = f"{len(planned):,} runs, {hit:.0%} of {len(calls)} calls, once, for good, full, short"
    return Report(tool="sweep", done=done, tally=sum(found, Tally()))


def _share(
    folder: Path, sample: Sample, planned: Sequence[tuple[int, Kind]]
) -> Callable[[], Tally]:
    def sweep() -> Tally:
        tally = Tally()
        for number, kind in planned:
            tally += _one_run(folder, sample, Plan(at=number, kind=kind)).because(
                f"call {number}, {kind}"
            )
        return tally

    return sweep


def _one_run(folder: Path, sample: Sample, plan: Plan) -> Tally:
    shutil.rmtree(folder)
    folder.mkdir()
    outcome = in_child(lambda: _workload(folder, sample, plan))
    tally = judge(folder / "home", history(folder / "journal"))
    damaged = list(outcome.damaged)
    if plan.kind is Kind.SHORT_READ and (tally.bad or damaged):
        # SQLite cannot distinguish a short read from a short file. The damage it causes must be
        # reported, and here it was.
        tally, damaged = Tally(acks=tally.acks), []
    for wrong in [*outcome.wrong, *damaged]:
        tally += faulty(wrong)
    return tally + Tally(acks=-sample.acks, faults=outcome.fired)


def _workload(folder: Path, sample: Sample, plan: Plan) -> Outcome:
    """Open an old store, which upgrades it, and use every kind of operation once or twice."""
    sys.unraisablehook = lambda _unraisable: None
    sample.copy_to(folder / "home", folder / "journal")
    disk = FaultyDisk(plan)
    break_os(plan, str(folder / "home"))
    said: list[str] = []
    memory = _opened(folder / "home", said)
    if memory is not None:
        _use(memory, folder, said)
    del disk
    said += [line for line in history(folder / "journal").errors if _is_wrong(line)]
    return Outcome(
        calls=tuple(plan.calls),
        fired=plan.fired,
        wrong=tuple(line for line in said if _DAMAGED not in line),
        damaged=tuple(line for line in said if _DAMAGED in line),
    )


def _is_wrong(line: str) -> bool:
    """Return whether a refusal gives the wrong reason; no other process can be busy here."""
    return _DAMAGED in line or _BUSY in line


def _opened(home: Path, wrong: list[str]) -> MemoryStore | None:
    """Open the store, and retry as a person would; a call that fails once must not fail twice."""
    opened: list[MemoryStore] = []
    for _ in range(TRIES_TO_OPEN):
        if _bearing(wrong, "open", lambda: opened.append(_open(home))):
            return opened[0]
    return None


def _open(home: Path) -> MemoryStore:
    return MemoryStore(
        Holdfast(
            principal=A_PERSON,
            store=SqliteStore.open(
                home / STORE_FILE, options=StoreOptions(vfs=NAME, wait_seconds=PATIENCE_SECONDS)
            ),
            clock=MachineClock(),
            counter=EstimatedTokens(),
            surroundings=LocalSurroundings(home.parent, cache=home.parent / "cache.json"),
            heuristics=ENGLISH,
        )
    )


def _use(memory: MemoryStore, folder: Path, wrong: list[str]) -> None:
    writer = writer_with(memory, Journal(folder / "journal"), name="w", seed=1)
    steps = [
        *[writer.remember] * 3,
        writer.link,
        writer.supersede,
        lambda: memory.recall("anchor ballast keel"),
        writer.sit,
        writer.forget,
        writer.sit,
        lambda: memory.list("windlass"),
        writer.remember,
        memory.close,
    ]
    for number, step in enumerate(steps):
        _bearing(wrong, f"step {number}", step)


def _bearing(wrong: list[str], what: str, action: Callable[[], object]) -> bool:
    """Run the action; an error must be of the family that means: try later."""
    try:
        action()
    except (StoreDamagedError, StoreBusyError) as error:
        wrong.append(f"{what}: {type(error).__name__}: {error}")
    except UnavailableError:
        pass
    except HoldfastError as error:
        wrong.append(f"{what}: the wrong family: {type(error).__name__}: {error}")
    except Exception as error:  # noqa: BLE001 - whatever else comes out is the finding
        wrong.append(f"{what}: not in our words: {type(error).__name__}: {error}")
    else:
        return True
    return False
