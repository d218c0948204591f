"""Rewrites history, moves and edits files under the memories; then each verdict is judged.

At full length every operation is done on every repository, in git and in a model that gives each
line its own identity. The program's verdict on a span is then compared with the model: a false
``fresh`` or ``moved`` is WRONG, a memory that cannot be read is LOST, and of the spans that still
exist nearly all must be found again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from pathlib import Path

from torture.crew import in_children
from torture.git_cell import Cell, cells
from torture.git_operations import OPERATIONS
from torture.report import Report, Tally, aligned, faulty
from torture.task import Task

REPOSITORIES = 20
FEWEST_REPOSITORIES = 2
LEAST_FOUND = 0.98
MOST_SHOWN = 40
_VERDICTS = ("fresh", "moved", "drifted", "orphaned", "unverifiable")


def run(task: Task) -> Report:
    """Run every operation, at full length on every repository; return the results of each."""
    dealt = deal(
        task.number(short=len(OPERATIONS), full=len(OPERATIONS) * REPOSITORIES),
        first_seed=task.seed * 1_000,
    )
    seeds = list(dealt)
    workers = min(os.cpu_count() or 1, len(seeds))
    folder = task.folder("git")
    shares = in_children(
        [
            _share(task, folder, {seed: dealt[seed] for seed in seeds[worker::workers]})
            for worker in range(workers)
        ]
    )
    found = [cell for share in shares for cell in share]
    print("\n".join(matrix(found)))
    done = f"{len(found)} runs of {len(OPERATIONS)} operations on {len(seeds)} repositories"
    return Report(tool="git", done=done, tally=tallied(found))


def deal(amount: int, *, first_seed: int) -> dict[int, tuple[str, ...]]:
    """Return the operations of each repository, by its seed.

    A number of runs that is a multiple of the operations runs each of them equally often, each
    time on another repository. Few runs begin with the last operations, which move lines: these
    show a wrong verdict soonest.
    """
    names = tuple(reversed(OPERATIONS))
    repositories = max(FEWEST_REPOSITORIES, ceil(amount / len(names)))
    dealt: dict[int, list[str]] = {}
    for number in range(amount):
        turn, place = divmod(number, len(names))
        seed = first_seed + (place + turn) % repositories
        dealt.setdefault(seed, []).append(names[place])
    return {seed: tuple(some) for seed, some in dealt.items()}


def _share(
    task: Task, folder: Path, dealt: Mapping[int, tuple[str, ...]]
) -> Callable[[], list[Cell]]:
    def judged() -> list[Cell]:
        found: list[Cell] = []
        for seed, names in dealt.items():
            for cell in cells(folder / str(seed), seed, names):
                found.append(cell)
                if task.is_over(Tally(bad=len(cell.wrong), lost=len(cell.lost))):
                    return found
        return found

    return judged


def matrix(found: Iterable[Cell]) -> list[str]:
    """Return a line for each operation, the sum, and below them all unexpected results."""
    by_name: dict[str, list[Cell]] = {}
    for cell in found:
        by_name.setdefault(cell.operation, []).append(cell)
    everything = [cell for group in by_name.values() for cell in group]
    rows = [["operation", "spans", "intact", *_VERDICTS, "WRONG", "LOST", "exist", "found"]]
    rows[0] += ["found %", "edited", "placed", "alike", "commits", "followed", "not"]
    rows += [_row(name, by_name[name]) for name in OPERATIONS if name in by_name]
    return [*aligned([*rows, _row("all", everything)]), *_remarks(everything)]


def _row(name: str, group: Sequence[Cell]) -> list[str]:
    numbers: Counter[str] = sum((cell.numbers for cell in group), Counter())
    wrong = sum(len(cell.wrong) for cell in group)
    lost = sum(len(cell.lost) for cell in group)
    shown = [numbers[each] for each in ("spans", "intact", *_VERDICTS)]
    shown += [wrong, lost, numbers["exist"], numbers["found"]]
    rest = [numbers[each] for each in ("edited", "placed", "alike", "commits", "followed")]
    return [
        name,
        *(f"{number:,}" for number in shown),
        f"{100 * share_found(group):.1f}",
        *(f"{number:,}" for number in (*rest, numbers["unfollowed"])),
    ]


def share_found(group: Iterable[Cell]) -> float:
    """Return the share of the still existing spans that was found again."""
    numbers: Counter[str] = sum((cell.numbers for cell in group), Counter())
    return numbers["found"] / numbers["exist"] if numbers["exist"] else 1.0


def _remarks(found: Iterable[Cell]) -> list[str]:
    told = []
    for kind in ("wrong", "lost", "missed"):
        words = [
            f"seed {cell.seed}, {cell.operation}: {one}"
            for cell in found
            for one in getattr(cell, kind)
        ]
        told += [f"{kind}: {len(words)}", *(f"  {one}" for one in words[:MOST_SHOWN])]
    return told


def tallied(found: Sequence[Cell]) -> Tally:
    """Return the counts for the summary table."""
    wrong = [f"{cell.operation}, seed {cell.seed}: {one}" for cell in found for one in cell.wrong]
    lost = [f"{cell.operation}, seed {cell.seed}: {one}" for cell in found for one in cell.lost]
    tally = Tally(
        acks=sum(cell.numbers["spans"] + cell.numbers["commits"] for cell in found),
        faults=len(found),
        lost=len(lost),
        bad=len(wrong),
        notes=(*wrong[:4], *lost[:4]),
    )
    if (share := share_found(found)) < LEAST_FOUND:
        tally += faulty(f"only {100 * share:.2f} % of the spans that still exist were found")
    return tally
