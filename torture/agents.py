"""kill -9 of a running agent: at its proposal, in its tool, at its result, during a write.

After each death the next process resumes. Some processes are not killed but stopped, and go on
after another has taken over; the store must refuse them. The checks know from a journal outside
the store what was acknowledged: 0 results lost, 0 cycles doubled, a consistent last cycle.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import holdfast
from holdfast.domain.agents.cycle import AgentCycle
from torture.agent_life import ACK, ERROR, NAME, OPEN, POINTS, TRY, AgentLife, Step, read_steps
from torture.crew import Crew, in_child
from torture.pace import Pace
from torture.report import Report, Tally, faulty
from torture.task import Task

KILLS_PER_STORE = 50
MEAN_LIFE_SECONDS = 0.02
STOPPED_SHARE = 0.1
_PAGE = 1_000


@dataclass(slots=True)
class Site:
    """One store with one agent, and its journal."""

    home: Path
    journal: Path
    chance: random.Random

    def life(self, *, ends_at: str = "", stops_at: str = "") -> AgentLife:
        """Return the next life of the agent."""
        seed = self.chance.randrange(10**9)
        return AgentLife(self.home, self.journal, seed=seed, ends_at=ends_at, stops_at=stops_at)


def run(task: Task) -> Report:
    """Kill until there were enough kills; check after each of them."""
    kills = task.number(short=30, full=5_000)
    chance = random.Random(task.seed)
    _load(task.folder("loaded"))
    tally, stores, stopped = Tally(), 0, 0
    while tally.faults < kills and tally.wrong == 0:
        stores += 1
        folder = task.folder("agents")
        site = Site(home=folder / "home", journal=folder / "journal", chance=chance)
        for _ in range(min(KILLS_PER_STORE, kills - tally.faults)):
            is_stopped = chance.random() < STOPPED_SHARE
            stopped += is_stopped
            tally += _overtaken(site) if is_stopped else _killed(site)
            tally += in_child(partial(check, site.home, site.journal))
        done = sum(step.word == ACK for step in read_steps(site.journal))
        tally += Tally(acks=done) + in_child(partial(check_whole, site.home))
    done_words = f"{stores} stores, one agent each; {stopped} stopped and overtaken"
    return Report(tool="agents", done=done_words, tally=tally)


def _load(folder: Path) -> None:
    """Import everything that a life and a check need, so that no child has to."""
    with holdfast.open(home=folder / "home", folder=folder) as memory:
        with memory.agents.open(NAME) as agent, agent.cycle() as cycle:
            cycle.propose(tool="load")
            cycle.result("loaded")
            cycle.remember("It is loaded.")
        memory.agents.resume(NAME)
        memory.list(statuses=["noted"])
        _cycles(memory)
        memory.app.upkeep.check(lambda _done, _all: None)


def _killed(site: Site) -> Tally:
    """Start a life and kill it at a random moment, or let it end at a chosen point."""
    crew = Crew()
    ends_at = site.chance.choice(("", *POINTS))
    life = site.life(ends_at=ends_at)
    pace = Pace(site.journal, crew)
    crew.start("agent", life.run)
    if ends_at:
        return Tally(faults=_ended(crew))
    pace.wait(1)
    time.sleep(site.chance.expovariate(1 / MEAN_LIFE_SECONDS))
    crew.kill_all()
    return Tally(faults=crew.kills)


def _ended(crew: Crew) -> int:
    """Wait until the life has ended; return whether a signal ended it."""
    return sum(code < 0 for code in crew.wait())


def _overtaken(site: Site) -> Tally:
    """Let a life stop, let another take over, let the first go on, then kill both."""
    old, new = Crew(), Crew()
    old.start("agent", site.life(stops_at=site.chance.choice(POINTS)).run)
    old.wait_until_stopped()
    new.start("agent", site.life().run)
    beside = Pace(site.journal, new)
    try:
        beside.wait(12)
        old.go_on()
        beside.wait(24)
    finally:
        new.kill_all()
        old.kill_all()
    return Tally(faults=old.kills + new.kills)


def check(home: Path, journal: Path) -> Tally:
    """Compare the store with the journal after a death."""
    steps = read_steps(journal)
    if not any(step.word == OPEN for step in steps):
        return Tally()
    with holdfast.open(home=home, folder=home.parent) as memory:
        cycles = _cycles(memory)
        found = memory.agents.resume(NAME)
        notes = {one.text for one in memory.list(statuses=["noted"], limit=_PAGE)}
    tally = _indexes(cycles) + _resumed(cycles, found)
    tally += _acknowledged(steps, cycles, notes) + _only_tried(steps, cycles)
    return tally + _one_writer(steps)


def check_whole(home: Path) -> Tally:
    """Check every row and every event of the store."""
    with holdfast.open(home=home, folder=home.parent) as memory:
        findings = memory.app.upkeep.check(lambda _done, _all: None)
    wrong = [one for one in findings if one.severity.value == "damage"]
    return sum((faulty(f"DAMAGE {one.message}") for one in wrong), Tally())


def _cycles(memory: holdfast.MemoryStore) -> list[AgentCycle]:
    """Return all cycles in order."""
    found: list[AgentCycle] = []
    before: int | None = None
    while page := memory.app.agents.cycles(NAME, limit=_PAGE, before=before):
        found += [seen.cycle for seen in page]
        before = found[-1].index
    return found[::-1]


def _indexes(cycles: list[AgentCycle]) -> Tally:
    if [cycle.index for cycle in cycles] == list(range(1, len(cycles) + 1)):
        return Tally()
    return faulty(f"GAP the indexes are {[cycle.index for cycle in cycles][-9:]}")


def _resumed(cycles: list[AgentCycle], found: holdfast.Resumption) -> Tally:
    """Check what ``resume`` says against the cycles themselves."""
    complete = [cycle for cycle in cycles if cycle.result is not None]
    last = complete[-1] if complete else None
    after = 0 if last is None else last.index
    unfinished = tuple(cycle for cycle in cycles if cycle.index > after)
    tally = Tally()
    if found.last != last:
        tally += Tally(torn=1, notes=("TORN resume names another last cycle",))
    if found.unfinished != unfinished or len(unfinished) > 1:
        tally += Tally(torn=1, notes=(f"TORN {len(unfinished)} cycles are unfinished",))
    if any(cycle.proposal is None and cycle.result is not None for cycle in cycles):
        tally += Tally(torn=1, notes=("TORN a result has no proposal",))
    return tally


def _acknowledged(steps: list[Step], cycles: list[AgentCycle], notes: set[str]) -> Tally:
    """Find what was acknowledged and is not there."""
    there = {("proposal", _proposed(one)) for one in cycles}
    there |= {("result", one.result.summary) for one in cycles if one.result is not None}
    there |= {("note", text.removeprefix("Saw ").removesuffix(".")) for text in notes}
    missing = [step for step in steps if step.word == ACK and (step.what, step.token) not in there]
    told = tuple(f"LOST {one.what} {one.token} of cycle {one.cycle}" for one in missing)
    return Tally(lost=len(missing), notes=told)


def _proposed(cycle: AgentCycle) -> object:
    return None if cycle.proposal is None else cycle.proposal.args["mark"]


def _only_tried(steps: list[Step], cycles: list[AgentCycle]) -> Tally:
    """Find results that nobody tried, or that are in two cycles."""
    tried = {step.token for step in steps if step.word == TRY}
    results = [one.result.summary for one in cycles if one.result is not None]
    ghosts = [token for token in results if token not in tried]
    doubled = [token for token, many in Counter(results).items() if many > 1]
    per_cycle = Counter(step.cycle for step in steps if step.word == ACK and step.what == "result")
    twice = [index for index, many in per_cycle.items() if many > 1]
    told = [f"GHOST result {token}" for token in ghosts]
    told += [f"DOUBLED result {token}" for token in doubled]
    told += [f"DOUBLED cycle {index} was finished twice" for index in twice]
    return Tally(ghost=len(told), notes=tuple(told))


def _one_writer(steps: list[Step]) -> Tally:
    """Find writes that began after another process had taken over, and errors that were shown."""
    newest = 0
    late: set[str] = set()
    tally = Tally()
    for step in steps:
        newest = max(newest, step.epoch) if step.word == OPEN else newest
        if step.word == TRY and step.epoch < newest:
            late.add(step.token)
        if step.word == ACK and step.token in late:
            tally += Tally(bad=1, notes=(f"TWO WRITERS {step.what} {step.token}",))
        if step.word == ERROR:
            tally += faulty(f"an agent was shown {step.what}")
    return tally
