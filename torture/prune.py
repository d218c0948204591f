"""Pruning that is killed: random stores with random links, pins, names and notes.

Each round writes memories of which some must never go, in a repository with pages. A first run
deprecates, a second run is killed with SIGKILL at a random call of its removal, and a third run
finishes. Afterwards every protected memory must be there with its text, every other one must be
gone, no file of the store's folder or of the pages may hold a byte of a pruned text, and the store
must be sound.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from holdfast.adapters.machine.clock import MachineClock
from holdfast.app import Holdfast
from holdfast.app.care import prune_ports
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.pages.filing import filing, set_up_pages
from holdfast.domain.agents.agent import SHORT_TERM
from holdfast.domain.care.pruning import PrunePolicy, read_durations
from holdfast.domain.choices import Kind, LinkKind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.curation import Severity
from holdfast.domain.values import replace
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.noting import AgentNote
from holdfast.usecases.agents.opening import OpenAgent
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.care import citations, prune
from holdfast.usecases.care.prune_request import Prune
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from holdfast.usecases.tasks.adding import AddTask
from torture.crew import forked, in_child
from torture.plants import Plant, planted
from torture.principal import A_PERSON
from torture.report import MOST_NOTES, Report, Tally
from torture.task import Task

KILLS = 200
SHORT_KILLS = 6
MEMORIES = 14
NOTES = 4
ALL = Page(limit=10_000)
_POLICY = PrunePolicy(
    max_age=read_durations("300d"),
    unused_for=read_durations("never"),
    most=100,
    finds_duplicates=False,
)
_CITING = (
    *(LinkKind.SUPPORTS, LinkKind.DERIVED_FROM, LinkKind.DEPENDS_ON, LinkKind.SUPERSEDES),
    *(LinkKind.ABOUT, "explains"),
)
_GUARDS = ("pin", "label", "link", "claim", "task", "check", "kind", "")
"""How a memory is protected; an empty word means that it is not."""


@dataclass(slots=True)
class Shifted(MachineClock):
    """A clock that is some days away from the machine's."""

    days: int

    def now(self) -> datetime:
        """Return the shifted time."""
        return MachineClock.now(self) + timedelta(days=self.days)


@dataclass(slots=True)
class PruneSite:
    """A repository, a store, and what must stay and what must go."""

    folder: Path
    chance: random.Random
    stays: dict[MemoryId, str] = field(default_factory=dict)
    goes: dict[MemoryId, str] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The repository."""
        return self.folder / "app"

    @property
    def home(self) -> Path:
        """The folder of the store."""
        return self.folder / "home"

    def memory(self, *, days: int) -> closing[Holdfast]:
        """Open the store some days away from today."""
        found = open_holdfast(principal=A_PERSON, home=self.home, folder=self.root)
        shifted = replace(found, clock=Shifted(days=days), prune_policy=lambda: _POLICY)
        return closing(shifted)

    def begin(self) -> None:
        """Create the repository with pages, the memories, and what protects some of them."""
        self.root.mkdir(parents=True)
        command = ["git", "-C", str(self.root), "init", "--quiet", "--initial-branch", "main"]
        subprocess.run(command, check=True)
        set_up_pages(self.root)
        with self.memory(days=-400) as memory:
            for number in range(MEMORIES):
                self._remember(memory, number)
            self._agent(memory)
            citing = self._said(memory, "The index of all others is here.", kind=Kind.RULE)
            self.stays[citing] = "The index of all others is here."
            self._protect(memory, citing)
            self._sync(memory)
            self._name_labels(memory)

    def _name_labels(self, memory: Holdfast) -> None:
        """Name some memories by the labels that the pages gave them."""
        with memory.store.reading() as tx:
            found = tx.memories.get_many(self.stays).values()
        for one in found:
            if "label" in one.memory.claim:
                memory.tasks.add(AddTask(title=f"Read {one.standing.label}"))

    def _remember(self, memory: Holdfast, number: int) -> None:
        guard = self.chance.choice(_GUARDS)
        claim = f"The canary{number}{guard}{self.chance.randrange(10**9)}word is fed daily."
        kind = self.chance.choice((Kind.RULE, Kind.DECISION, Kind.INVARIANT))
        checks = ("file README.md must exist",) if guard == "check" else ()
        name = self._said(
            memory,
            claim,
            kind=kind if guard == "kind" else self.chance.choice((Kind.FACT, Kind.GOTCHA)),
            checks=checks,
        )
        (self.stays if guard else self.goes)[name] = claim
        if guard == "pin":
            memory.memories.pin(name)
        elif guard == "claim":
            said = f"Compare it with {self._short(name)}, number {number}."
            self.stays[self._said(memory, said, kind=Kind.RULE)] = said
        elif guard == "task":
            memory.tasks.add(AddTask(title=f"Look at {self._short(name)}"))

    def _short(self, name: MemoryId) -> str:
        return name if self.chance.random() < 0.5 else name[:20]

    def _protect(self, memory: Holdfast, citing: MemoryId) -> None:
        for name, claim in self.stays.items():
            if "link" in claim:
                kind = self.chance.choice(_CITING)
                if kind == LinkKind.SUPPORTS and self.chance.random() < 0.5:
                    memory.memories.link(Link(src=name, dst=citing, kind=kind))
                else:
                    memory.memories.link(Link(src=citing, dst=name, kind=kind))

    def _agent(self, memory: Holdfast) -> None:
        agents = memory.agents
        opening = agents.open(OpenAgent(name="keeper", holder="torture"))
        for number in range(NOTES):
            cycle = agents.begin_cycle(opening).index
            agents.propose(opening, cycle, ProposeAction(tool="feed"))
            claim = f"The canary{number}note{self.chance.randrange(10**9)}word sings."
            note = AgentNote(claim=claim, namespace=SHORT_TERM, cycle=cycle)
            name = agents.remember(opening, note).memory.id
            agents.finish(opening, cycle, FinishCycle(summary="fed"))
            (self.stays if number == NOTES - 1 else self.goes)[name] = claim

    def _said(
        self, memory: Holdfast, claim: str, *, kind: Kind, checks: tuple[str, ...] = ()
    ) -> MemoryId:
        wish = Remember(
            claim=claim,
            origin=Origin.HUMAN,
            grounds=Grounds(because="I saw it"),
            kind=kind,
            checks=checks,
        )
        return memory.memories.remember(wish).record.memory.id

    def _sync(self, memory: Holdfast) -> None:
        filing(memory, self.root, self.home).sync(Sync(voice=Origin.HUMAN, by="a person"))

    def deprecate(self) -> None:
        """Do the first stage, and write it into the pages."""
        with self.memory(days=0) as memory:
            prune.prune(Prune(by="a person", undoable=True), ports=prune_ports(memory))
            self._sync(memory)

    def remove(self) -> None:
        """Do the second stage, in small pieces."""
        vars(prune)["AT_ONCE"] = 3
        with self.memory(days=31) as memory:
            prune.prune(Prune(by="a person"), ports=prune_ports(memory))

    def killed(self, at: int) -> None:
        """Do the second stage, and die at the call of this number."""
        calls = _counting(at)
        for name in ("bury", "remove_traces", "scrubbed", "gone_text", "same_before"):
            vars(prune)[name] = calls(vars(prune)[name])
        self.remove()

    def judged(self) -> Tally:
        """Compare the store and all files with what must stay and go."""
        with self.memory(days=31) as memory:
            with memory.store.reading() as tx:
                there = {one.memory.id: one for one in tx.memories.find(Selection(), ALL)}
            found = memory.store.upkeep.check(lambda _done, _total: None)
            self._sync(memory)
        notes = [f"{one.message}" for one in found if one.severity is Severity.DAMAGE]
        notes += [
            f"LOST {name}: {claim}"
            for name, claim in self.stays.items()
            if name not in there or there[name].memory.claim != claim
        ]
        notes += [f"{name} did not go" for name in self.goes if name in there]
        notes += [
            f"{path} holds {claim}" for claim in self.goes.values() for path in self._holding(claim)
        ]
        return Tally(
            acks=len(self.stays), faults=1, bad=len(notes), notes=tuple(notes[:MOST_NOTES])
        )

    def _holding(self, claim: str) -> Iterator[Path]:
        word = next(one for one in claim.split() if one.startswith("canary")).encode()
        for top in (self.root, self.home):
            for path in sorted(top.rglob("*")):
                if path.is_file() and word in path.read_bytes():
                    yield path


def _counting(at: int) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return a wrapper that kills this process at the call of a number."""
    done = 0

    def wrapped(function: Callable[..., object]) -> Callable[..., object]:
        def counted(*given: object, **named: object) -> object:
            nonlocal done
            done += 1
            if done == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*given, **named)

        return counted

    return wrapped


def run(task: Task) -> Report:
    """Prune so many random stores, each killed once, and check what is left."""
    many = task.number(short=SHORT_KILLS, full=KILLS)
    tally = Tally()
    for number in range(many):
        tally += _round(task, random.Random(task.seed * 10_007 + number)).because(f"round {number}")
    return Report(tool="prune", done=f"{many} stores pruned, each killed once", tally=tally)


def _round(task: Task, chance: random.Random) -> Tally:
    folder = task.folder("prune")

    def begun() -> tuple[dict[MemoryId, str], dict[MemoryId, str]]:
        _plant_here()
        site = PruneSite(folder=folder, chance=chance)
        site.begin()
        site.deprecate()
        return site.stays, site.goes

    stays, goes = in_child(begun)
    site = PruneSite(folder=folder, chance=chance, stays=stays, goes=goes)
    at = random.Random(f"{task.seed} {len(stays)} {sorted(goes)}").randrange(1, 5 * len(goes) + 4)

    def dying() -> None:
        _plant_here()
        site.killed(at)

    os.waitpid(forked(dying), 0)

    def finishing() -> Tally:
        _plant_here()
        site.remove()
        return site.judged()

    return in_child(finishing)


def _plant_here() -> None:
    """Plant the bug: links do not count as citations."""
    if planted(Plant.LINKS_IGNORED):
        vars(citations)["_cited"] = lambda _links: iter(())
