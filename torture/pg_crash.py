"""Crashes of the database server under eight writers: nothing is lost, and nothing is doubled.

All processes of the server are killed at once, or it is told to end without a shutdown. Then it is
started again on the same data. The writers stay: each must repeat what was undone, and must find
out whether a change was stored whose confirmation it did not receive.
"""

from __future__ import annotations

import os
import random
import signal
import time
from functools import partial
from pathlib import Path

import holdfast
from holdfast.bootstrap.plugs.addresses import STORE_VARIABLE, TENANT_VARIABLE
from holdfast.domain.errors import HoldfastError, UnavailableError
from holdfast.surfaces.python.api import MemoryStore
from tests.postgres_server import Server
from torture.crew import Crew, in_child
from torture.journal import LINES_PER_OPERATION, History, Journal, history
from torture.judge import judge
from torture.pace import Pace
from torture.planted_writer import writer_with
from torture.report import Report, Tally, faulty
from torture.task import Task

WRITERS, SPACES = 8, 4
OPERATIONS_PER_CRASH = 40
OPERATIONS_AT_THE_END = 60
MEAN_GAP_SECONDS = 0.2
_RETRY_SECONDS = 0.05


def run(task: Task, database: Server) -> tuple[Report, Server]:
    """Crash the server again and again; return the report, and the server that runs then."""
    crashes = task.number(short=3, full=100)
    folder = task.folder("crash")
    chance = random.Random(task.seed)
    path, crew = folder / "journal", Crew()
    pace = Pace(path, crew)

    def start_all() -> None:
        for number in range(WRITERS):
            crew.start(f"writer{number}", partial(_write, folder, database.url(), number))

    try:
        for number in range(crashes):
            start_all()
            pace.wait(OPERATIONS_PER_CRASH * LINES_PER_OPERATION)
            time.sleep(chance.expovariate(1 / MEAN_GAP_SECONDS))
            database.crash(signal.SIGQUIT if number % 2 else signal.SIGKILL)
            database = database.restarted()
        start_all()
        pace.wait(OPERATIONS_AT_THE_END * LINES_PER_OPERATION)
    finally:
        crew.kill_all()
    told = history(path)
    tally = Tally(faults=crashes) + _errors(told)
    for space in range(SPACES):
        tally += _judged(folder, database.url(), told, space)
    done = f"{crashes} crashes of the server under {WRITERS} writers"
    return Report(tool="crash", done=done, tally=tally), database


def _write(folder: Path, address: str, number: int) -> None:
    space = number % SPACES
    memory = _opened(folder, address, space)
    seed = time.time_ns() ^ os.getpid()
    journal = Journal(folder / "journal")
    writer_with(memory, journal, name=f"s{space}w", seed=seed).run()


def _opened(folder: Path, address: str, space: int) -> MemoryStore:
    """Open the store of a space as soon as the server answers."""
    _point_at(address, space)
    while True:
        try:
            return holdfast.open(home=folder / "home", folder=folder)
        except UnavailableError:
            time.sleep(_RETRY_SECONDS)


def _point_at(address: str, space: int) -> None:
    """Let this child use one space of a tenant, without a model."""
    os.environ[STORE_VARIABLE] = address
    os.environ[TENANT_VARIABLE] = "crash"
    os.environ["HOLDFAST_SPACE"] = f"s{space}"
    os.environ["HOLDFAST_MODELS"] = "/none"


def _judged(folder: Path, address: str, told: History, space: int) -> Tally:
    """Compare one space with what its writers recorded."""
    own = {name: one for name, one in told.attempts.items() if name.startswith(f"s{space}w")}
    acknowledged = {name: None for name in told.acknowledged if name in own}

    def question() -> Tally:
        _point_at(address, space)
        return judge(folder / "home", History(attempts=own, acknowledged=acknowledged))

    return in_child(question).because(f"space {space}")


def _errors(told: History) -> Tally:
    """Return a fault for each error that a server which is away does not explain."""
    allowed = {kind.__name__ for kind in _family(UnavailableError)}
    tally = Tally()
    for error in told.errors:
        name = error.split()[1].rstrip(":")
        if name not in allowed:
            tally += faulty(f"a writer was shown {error}")
    return tally


def _family(kind: type[HoldfastError]) -> set[type[HoldfastError]]:
    return {kind}.union(*(_family(child) for child in kind.__subclasses__()))
