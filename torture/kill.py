"""kill -9: writers, a rebuilder and a migrator on one store, killed at random moments.

It tests the death of a process at any instruction. It does not test fsync, because the page cache
survives; ``power`` and ``states`` do.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import holdfast
from torture.crew import Crew, in_child
from torture.journal import LINES_PER_OPERATION, Attempt, Journal, history
from torture.judge import judge
from torture.pace import Pace
from torture.planted_writer import writer_here
from torture.report import Report, Tally, faulty
from torture.samples import Sample, old_sample
from torture.task import Task
from torture.writer import claim_of, live

WRITERS = 4
EPOCHS_PER_STORE = 4
KILLS_PER_EPOCH = 18
COMMANDS_PER_STORE = 4
ACKS_PER_KILL = 10
MEAN_GAP_SECONDS = 0.1
LEAST_OPERATIONS_PER_KILL = 3
LEAST_OPERATIONS_AT_THE_END = 30
PAUSE_SECONDS = 0.25


@dataclass(slots=True)
class Site:
    """One store under test, with its journal."""

    home: Path
    journal: Path
    migrated: Path
    sample: Sample
    chance: random.Random

    def roles(self) -> dict[str, Callable[[], None]]:
        """Return the work of each role."""
        roles: dict[str, Callable[[], None]] = {
            f"writer{number}": self._write for number in range(WRITERS)
        }
        return roles | {"rebuilder": self._rebuild, "migrator": self._migrate}

    def _write(self) -> None:
        seed = time.time_ns() ^ os.getpid()
        writer_here(self.home, Journal(self.journal), name="w", seed=seed).run()

    def _rebuild(self) -> None:
        with holdfast.open(home=self.home, folder=self.home) as memory:
            while True:
                memory.app.upkeep.rebuild(lambda _done, _all: None)
                time.sleep(PAUSE_SECONDS)

    def _migrate(self) -> None:
        """Upgrade an old store again and again; a store that a kill left is upgraded first."""
        fresh, used = self.migrated.with_suffix(".fresh"), self.migrated.with_suffix(".used")
        while True:
            if self.migrated.exists():
                holdfast.open(home=self.migrated, folder=self.migrated).close()
                shutil.rmtree(used, ignore_errors=True)
                self.migrated.rename(used)
            self.sample.copy_to(fresh)
            fresh.rename(self.migrated)
            time.sleep(PAUSE_SECONDS / 2)


def run(task: Task) -> Report:
    """Kill until there were enough kills and enough acknowledged writes."""
    kills = task.number(short=25, full=2_000)
    acks = kills * ACKS_PER_KILL if task.full else 0
    chance = random.Random(task.seed)
    sample = old_sample(task.folder("samples"), seed=task.seed)
    tally = Tally()
    stores = 0
    while tally.faults < kills or tally.acks < acks:
        stores += 1
        site = _site(task, sample, chance)
        wanted = kills - tally.faults
        for epoch in range(EPOCHS_PER_STORE if task.full else 2):
            tally += _epoch(site, min(KILLS_PER_EPOCH, max(wanted // 2, 4)))
            if task.is_over(tally):
                break
            if task.full and epoch == 0:
                tally += _kill_commands(site)
        tally += Tally(acks=len(history(site.journal).acknowledged) - sample.acks)
        if tally.wrong > kills or task.is_over(tally):
            break
    done = f"{WRITERS} writers, rebuilder, migrator; {stores} stores from an old schema"
    if task.full:
        done += f"; {stores * COMMANDS_PER_STORE} commands"
    return Report(tool="kill", done=done, tally=tally)


def _site(task: Task, sample: Sample, chance: random.Random) -> Site:
    folder = task.folder("kill")
    site = Site(
        home=folder / "home",
        journal=folder / "journal",
        migrated=folder / "migrated",
        sample=sample,
        chance=chance,
    )
    sample.copy_to(site.home, site.journal)
    return site


def _epoch(site: Site, kills: int) -> Tally:
    """Kill one process after the other, then all at once, and check what is left."""
    crew = Crew()
    roles = site.roles()
    pace = Pace(site.journal, crew)
    try:
        while crew.kills < kills:
            for role, work in roles.items():
                crew.start(role, work)
            pace.wait(LEAST_OPERATIONS_PER_KILL * LINES_PER_OPERATION)
            time.sleep(site.chance.expovariate(1 / MEAN_GAP_SECONDS))
            crew.kill(site.chance.choice(list(roles)))
        for role, work in roles.items():
            crew.start(role, work)
        pace.wait(LEAST_OPERATIONS_AT_THE_END * LINES_PER_OPERATION)
        time.sleep(site.chance.uniform(0.0, 0.3))
    finally:
        crew.kill_all()
    return _judged(site) + Tally(faults=crew.kills)


def _judged(site: Site) -> Tally:
    told = history(site.journal)
    seed = site.chance.randrange(10**9)
    tally = in_child(lambda: judge(site.home, told, seed=seed))
    if site.migrated.exists():
        old = history(site.sample.journal)
        tally += in_child(lambda: judge(site.migrated, old)).because("migrated store")
    for error in told.errors:
        tally += faulty(f"a writer was shown {error}")
    return Tally(
        lost=tally.lost, ghost=tally.ghost, torn=tally.torn, bad=tally.bad, notes=tally.notes
    )


def _kill_commands(site: Site) -> Tally:
    """Kill the command line while it remembers; some commands are left to finish."""
    tally = Tally()
    journal = Journal(site.journal)
    for _ in range(COMMANDS_PER_STORE):
        token = f"c{os.getpid()}r{site.chance.randrange(10**9)}n1"
        attempt = Attempt(owner=token, number=1, what="command", adds=frozenset({live(token)}))
        journal.tries(attempt)
        code, said = _command(site, token)
        if code == 0:
            journal.acknowledges(attempt)
        elif code > 0:
            tally += faulty(f"the command ended with {code}: {said}")
        else:
            tally += Tally(faults=1)
    return tally


def _command(site: Site, token: str) -> tuple[int, str]:
    line = [sys.executable, "-m", "holdfast", "remember", claim_of(token)]
    line += ["--key", f"key {token}", "--because", "the harness said so", "--scope", "global"]
    process = subprocess.Popen(
        line,
        env=os.environ | {"HOLDFAST_HOME": str(site.home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _, said = process.communicate(timeout=site.chance.uniform(0.02, 0.5))
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
    return process.returncode, said.strip()[-200:]
