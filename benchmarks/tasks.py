"""``python -m benchmarks.tasks``: the CPU time of tasks, and many processes that claim them.

A plan is made: each task waits for up to three tasks of lower numbers, and a tenth of them is done.
Then it is measured what ``ready``, ``next``, a claim, a finished task and a new edge take, with the
check for cycles, in CPU time of this process. An edge against the plan goes from the oldest
twentieth of the tasks to the youngest half.
``--claimers`` starts that many processes that claim and finish until nothing is left; no task may
be given twice. ``--only-claimers`` measures nothing else. ``--store`` names a database of Postgres
in which they do it, as a new tenant. ``--beads`` names a program ``bd`` that gets the same plan.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from uuid import uuid4

import holdfast
from holdfast.domain.tasks.errors import NothingReadyError, TaskCycleError
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.tasks.adding import EditTask

_SEED = 7
_ROUNDS = 200
_SHORT_ROUNDS = 30


def plan(size: int) -> list[dict[str, object]]:
    """Return the plan as issues of beads, in the order of their numbers."""
    chance = random.Random(_SEED)
    issues: list[dict[str, object]] = []
    for number in range(1, size + 1):
        first = {chance.randrange(1, number) for _ in range(chance.randrange(4)) if number > 1}
        edges = [{"issue_id": f"bd-{number}", "depends_on_id": f"bd-{one}", "type": "blocks"}
                 for one in sorted(first)]  # fmt: skip
        done = number <= size // 10
        issues.append(
            {
                "id": f"bd-{number}",
                "title": f"Task {number} of the plan",
                "status": "closed" if done else "open",
                "priority": chance.randrange(5),
                "issue_type": "task",
                "created_at": f"2026-01-01T{number // 3600 % 24:02d}:{number // 60 % 60:02d}"
                f":{number % 60:02d}Z",
                "dependencies": edges,
            }
        )
    return issues


def in_milliseconds(work: Callable[[], object]) -> float:
    """Return the CPU time of one call in this process."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def told(name: str, times: list[float], target: str = "") -> None:
    """Print the median, the time that 95 of 100 calls keep, and the slowest of some calls."""
    most = sorted(times)[len(times) * 95 // 100]
    words = f"{name:<28} {median(times):8.2f} ms CPU  95 % {most:8.2f}  at most {max(times):8.2f}"
    sys.stdout.write(f"{words}  {target}\n")
    sys.stdout.flush()


def measure_edges(memory: MemoryStore, size: int, rounds: int, seed: int) -> None:
    """Add edges to older tasks, between any two tasks, and against the order of the plan."""
    chance, app = random.Random(seed), memory.app
    refused = 0

    def new_edge(one: int, other: int) -> float:
        nonlocal refused
        begun = process_time()
        with suppress(holdfast.InvalidError):
            try:
                app.tasks.edit(EditTask(reference=f"bd-{one}", after=(f"bd-{other}",)))
            except TaskCycleError:
                refused += 1
        return (process_time() - begun) * 1000

    def to_older() -> float:
        later, earlier = sorted(chance.sample(range(1, size), 2), reverse=True)
        return new_edge(later, earlier)

    def to_any() -> float:
        return new_edge(*chance.sample(range(1, size), 2))

    def against_the_plan() -> float:
        return new_edge(chance.randrange(1, size // 20), chance.randrange(size // 2, size))

    # The first one loads modules.
    told("first new edge", [new_edge(size, 1)])
    told("new edge to an older task", [to_older() for _ in range(rounds)], "(target 5)")
    told("new edge between any two", [to_any() for _ in range(rounds)], "(target 5)")
    told("new edge against the plan", [against_the_plan() for _ in range(3 * rounds)], "(target 5)")
    sys.stdout.write(f"{refused} of these edges closed a cycle and were refused\n")


def measure(memory: MemoryStore, issues: list[dict[str, object]], rounds: int, seed: int) -> None:
    """Import the plan and measure each verb."""
    lines = [json.dumps(issue) for issue in issues]
    spent = in_milliseconds(lambda: memory.tasks.import_(lines))
    sys.stdout.write(f"{'import':<28} {spent / 1000:8.2f} s CPU for {len(lines):,} tasks\n")
    # The plan itself stays in memory; a search for garbage in it would count as the time of a verb.
    gc.collect()
    gc.freeze()
    told("ready", [in_milliseconds(memory.tasks.ready) for _ in range(rounds)], "(target 50)")
    told("next", [in_milliseconds(memory.tasks.next) for _ in range(rounds)])
    measure_edges(memory, len(issues), rounds, seed)
    taken = []

    def claim() -> None:
        taken.append(memory.tasks.claim_next(by="bench"))

    told("claim --next", [in_milliseconds(claim) for _ in range(rounds)])
    times = [in_milliseconds(partial(memory.tasks.done, one)) for one in taken]
    told("first done", times[:1])  # it loads modules
    told("done", times[1:])


def claimer(home: Path, name: str) -> None:
    """Claim and finish tasks until none is left; print their ids."""
    with holdfast.open(home=home, folder=home.parent) as memory:
        while True:
            try:
                task = memory.tasks.claim_next(by=name)
            except NothingReadyError as error:
                if error.facts["held"] == 0:
                    return
                continue  # others work on what the rest waits for
            sys.stdout.write(f"{task.id}\n")
            memory.tasks.done(task, by=name)


def race(home: Path, claimers: int, tasks: int) -> None:
    """Let processes claim one chain of layers, and count what was given twice."""
    with holdfast.open(home=home, folder=home.parent) as memory:
        issues = plan(tasks)
        memory.tasks.import_([json.dumps(issue) for issue in issues])
        todo = sum(issue["status"] == "open" for issue in issues)
    command = [sys.executable, "-m", "benchmarks.tasks", "--work", str(home), "--as"]
    started = [
        subprocess.Popen([*command, f"w{number}"], stdout=subprocess.PIPE, text=True)
        for number in range(claimers)
    ]
    given = [line for one in started for line in one.communicate()[0].split()]
    failed = sum(one.returncode != 0 for one in started)
    twice = len(given) - len(set(given))
    sys.stdout.write(
        f"{claimers} processes: {len(given):,} of {todo:,} tasks given, {twice} twice,"
        f" {failed} processes failed\n"
    )


def beside_beads(program: str, issues: list[dict[str, object]], folder: Path) -> None:
    """Give beads the same plan, and measure its CPU time with all its processes."""
    file = folder / "issues.jsonl"
    file.write_text("".join(json.dumps(issue) + "\n" for issue in issues), encoding="utf-8")
    for words in (["init", "--prefix", "bd"], ["import", str(file)], ["ready"],
                  ["dep", "add", f"bd-{len(issues)}", "bd-1"]):  # fmt: skip
        before = os.times()
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True,
                              check=False)  # fmt: skip
        after = os.times()
        spent = after.children_user + after.children_system
        spent -= before.children_user + before.children_system
        line = (done.stdout + done.stderr).strip().splitlines()[-1:] or [""]
        sys.stdout.write(f"bd {words[0]:<25} {spent * 1000:8.0f} ms CPU  {line[0][:60]}\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tasks", description=__doc__)
    parser.add_argument("--short", action="store_true", help="500 tasks, 4 processes")
    parser.add_argument("--size", type=int, default=100_000, help="tasks of the plan")
    parser.add_argument("--claimers", type=int, default=30, help="processes that claim")
    parser.add_argument("--seed", type=int, default=_SEED, help="which edges are added")
    parser.add_argument("--only-claimers", action="store_true", help="do not measure the verbs")
    parser.add_argument("--store", help="the address of a Postgres database, for the claimers")
    parser.add_argument("--beads", help="the program bd, to measure it beside")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--as", dest="name", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.name:
        claimer(given.work, given.name)
        return
    size, claimers = (500, 4) if given.short else (given.size, given.claimers)
    issues = [] if given.only_claimers else plan(size)
    with tempfile.TemporaryDirectory(prefix="holdfast-tasks-") as folder:
        if issues:
            sys.stdout.write(f"{size:,} tasks\n")
            with holdfast.open(home=Path(folder) / "home", folder=folder) as memory:
                measure(memory, issues, _SHORT_ROUNDS if given.short else _ROUNDS, given.seed)
        if given.store:
            os.environ |= {"HOLDFAST_STORE": given.store, "HOLDFAST_TENANT": str(uuid4())}
        race(Path(folder) / "race", claimers, 40 * claimers)
        if given.beads:
            inner = Path(folder) / "beads"
            inner.mkdir()
            subprocess.run(["git", "init", "--quiet"], cwd=inner, check=True)
            beside_beads(given.beads, issues, inner)


if __name__ == "__main__":
    main()
