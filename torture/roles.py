"""kill -9 of a supervised run: before, in and after each step, and at random moments.

After each death another process resumes the run. At its end every step is recorded once, every
planned task is there once, and every command has one result.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import holdfast
from holdfast.bootstrap.roles.specialists import ProcessSpecialists
from holdfast.domain.agents.cycle import AgentCycle
from holdfast.domain.roles.step import RunStep, StepWork
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.heuristics.planning.specialists import rules_answer
from holdfast.ports.clock import Clock
from holdfast.ports.roles.specialists import SpecialistEnd
from holdfast.ports.store.store import Store, Transaction
from holdfast.usecases.agents import cycling
from holdfast.usecases.agents.opening import AgentOpening
from holdfast.usecases.roles import executing
from holdfast.usecases.roles.queueing import StoredQueue
from torture.crew import Crew, in_child
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

INTENT = "release 1.2"
COMMAND = "test"
POINTS = ("before begin", "after begin", "before end", "inside end", "after end", "in the command")
MEAN_LIFE_SECONDS = 0.3
_MOST_LIVES = 40
_PAGE = 10_000


@dataclass(slots=True)
class Site:
    """One store in one repository, with one run."""

    folder: Path
    chance: random.Random
    ran: Path = field(init=False)

    def __post_init__(self) -> None:
        self.ran = self.folder / "ran"

    @property
    def home(self) -> Path:
        """The home of the store, outside the repository."""
        return self.folder / "home"

    @property
    def repository(self) -> Path:
        """The repository."""
        return self.folder / "repository"


def run(task: Task) -> Report:
    """Kill until there were enough kills; check every run at its end."""
    kills = task.number(short=8, full=1_000)
    chance = random.Random(task.seed)
    _load(task.folder("loaded"))
    tally, runs = Tally(), 0
    while tally.faults < kills and tally.wrong == 0:
        runs += 1
        site = _site(task.folder("roles"), chance)
        tally += _one_run(site)
        tally += in_child(partial(check, site.home, site.repository, site.ran))
    return Report(tool="roles", done=f"{runs} supervised runs", tally=tally)


def _load(folder: Path) -> None:
    """Import everything that a life needs, so that no child has to."""
    ProcessSpecialists.ask = _asked  # type: ignore[method-assign] # rules in this process are quick to kill
    site = _site(folder, random.Random(0))
    with holdfast.open(home=site.home, folder=site.repository, as_="person") as memory:
        memory.supervise(INTENT, run=[COMMAND])
    check(site.home, site.repository, site.ran)


def _site(folder: Path, chance: random.Random) -> Site:
    """Make a repository with a commit, a store, and an allowed command that counts its runs."""
    site = Site(folder=folder, chance=chance)
    site.repository.mkdir()
    _git(site.repository, "init", "-q", "-b", "main")
    message = "Start\n\nWe decided to keep logs because of audits."
    _git(site.repository, "commit", "-q", "--allow-empty", "-m", message)
    in_child(partial(_allow, site.home, site.repository, site.ran))
    return site


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@t")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def _allow(home: Path, repository: Path, ran: Path) -> None:
    with holdfast.open(home=home, folder=repository, as_="person", name="ada") as memory:
        memory.app.roles.allow(COMMAND, f"echo ran >> {ran}", by="ada")
        memory.tasks.add("Fix the crash of release 1.2")


def _one_run(site: Site) -> Tally:
    """Start a run, kill it, and resume it until it is over."""
    tally = Tally()
    for life in range(_MOST_LIVES):
        crew = Crew()
        is_last = life == _MOST_LIVES - 1
        point = "" if is_last else site.chance.choice(("", *POINTS, *POINTS))
        number = site.chance.randrange(1, 7)
        crew.start("run", partial(_live, site.home, site.repository, point, number))
        if point or is_last or site.chance.random() < 0.2:
            codes = crew.wait()
            tally += Tally(faults=sum(code < 0 for code in codes))
            if 0 in codes:
                return tally
        else:
            time.sleep(site.chance.expovariate(1 / MEAN_LIFE_SECONDS))
            crew.kill_all()
            tally += Tally(faults=crew.kills)
    return tally + faulty("LOST the run never ended")


def _live(home: Path, repository: Path, point: str, number: int) -> None:
    """Start the run, or go on with it; die at a point of a step."""
    _die_at(point, number)
    with holdfast.open(home=home, folder=repository, as_="person", name="ada") as memory:
        runs = memory.supervised()
        if not runs:
            memory.supervise(INTENT, run=[COMMAND])
        elif not runs[0].is_over:
            memory.resume_supervised(str(runs[0].id), run=[COMMAND])


def _asked(
    self: ProcessSpecialists,
    name: str,
    work: StepWork,
    inputs: Mapping[str, object],
    *,
    seconds: float,
) -> SpecialistEnd:
    del self, name, seconds
    return SpecialistEnd(rules_answer(work, inputs))


def _die_at(point: str, number: int) -> None:
    """Let this process kill itself around a step."""
    begin, end = StoredQueue.begin, StoredQueue.end

    def dying_begin(
        self: StoredQueue, step: RunStep, inputs: Mapping[str, object], *, seconds: float
    ) -> RunStep:
        _die(point == "before begin" and step.number == number)
        found = begin(self, step, inputs, seconds=seconds)
        _die(point == "after begin" and step.number == number)
        return found

    def dying_end(
        self: StoredQueue,
        step: RunStep,
        effects: Callable[[Transaction], Mapping[str, object]] | None = None,
    ) -> RunStep:
        _die(point == "before end" and step.number == number)
        if planted(Plant.TASKS_FIRST) and effects is not None:
            with self._ports.store.writing(self._ports.clock.now()) as tx:
                written = effects(tx)
            _die(point in {"inside end", "after end", "before begin"})
            effects = lambda _: written  # noqa: E731 - the bug in one line
        if point == "inside end" and step.number == number and effects is not None:
            inner = effects

            def dying(tx: Transaction) -> Mapping[str, object]:
                found = inner(tx)
                _die(True)  # noqa: FBT003 - a condition elsewhere
                return found

            effects = dying
        found = end(self, step, effects)
        _die(point == "after end" and step.number == number)
        return found

    StoredQueue.begin = dying_begin  # type: ignore[method-assign] # only in this child
    StoredQueue.end = dying_end  # type: ignore[method-assign] # only in this child
    if point == "in the command":
        finish = cycling.finish_cycle

        def dying_finish(
            opening: AgentOpening,
            index: int,
            wish: cycling.FinishCycle,
            *,
            store: Store,
            clock: Clock,
        ) -> AgentCycle:
            _die(number % 2 == 0)
            found = finish(opening, index, wish, store=store, clock=clock)
            _die(True)  # noqa: FBT003 - a condition elsewhere
            return found

        vars(executing)["finish_cycle"] = dying_finish


def _die(is_now: bool) -> None:  # noqa: FBT001 - a condition
    if is_now:
        os.kill(os.getpid(), signal.SIGKILL)


def check(home: Path, repository: Path, ran: Path) -> Tally:
    """Check a run that is over."""
    with holdfast.open(home=home, folder=repository, as_="person", name="ada") as memory:
        found = memory.supervised()
        if len(found) != 1 or not found[0].is_over:
            return faulty(f"TORN there are {len(found)} runs, or one is not over")
        steps = found[0].found.steps
        tally = _steps(steps)
        with memory.app.store.reading() as tx:
            tasks = tx.diary.tasks.find(TaskFilter(), limit=_PAGE)
        planned = [one.id for one in tasks if one.added_by == "planner"]
        plan = next(one for one in steps if one.work is StepWork.PLAN)
        added = plan.effects["added"]
        assert isinstance(added, list)
        if sorted(planned) != sorted(added):
            tally += faulty(f"DOUBLED {len(planned)} tasks were planned")
        titles = Counter(one.title for one in tasks)
        tally += sum((faulty(f"DOUBLED {one}") for one in titles if titles[one] > 1), Tally())
        tally += _command(memory, steps)
        findings = memory.app.upkeep.check(lambda _done, _all: None)
    wrong = [one for one in findings if one.severity.value == "damage"]
    tally += sum((faulty(f"DAMAGE {one.message}") for one in wrong), Tally())
    if not ran.exists():
        tally += faulty("LOST the command never ran")
    return tally + Tally(acks=len(steps))


def _steps(steps: tuple[RunStep, ...]) -> Tally:
    numbers = [one.number for one in steps]
    if numbers != list(range(1, len(steps) + 1)):
        return faulty(f"TORN the steps are {numbers}")
    return Tally()


def _command(memory: holdfast.MemoryStore, steps: tuple[RunStep, ...]) -> Tally:
    """Check that the command has one result that is no interruption."""
    step = next(one for one in steps if one.work is StepWork.COMMAND)
    cycles = memory.app.agents.cycles(f"executor-{step.run_id}", limit=1_000)
    done = [
        one.cycle.index
        for one in cycles
        if one.cycle.result is not None and one.cycle.result.output is not None
    ]
    if len(done) != 1 or (step.outputs or {}).get("exit_code") != 0:
        return faulty(f"DOUBLED the command has the results {done}")
    return Tally()
