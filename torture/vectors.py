"""kill -9 of the processes that write and index vectors; then the index is judged.

Some die at a random moment, others at a chosen call: before it, or half-way through a write.
Afterwards the index must give exactly the same answers as a scan of the vectors, and no byte of a
forgotten vector may be in any file.
"""

from __future__ import annotations

import os
import random
import signal
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors import following, header, sidecar, vector_file
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.choices import Kind
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import EmbeddingModel, Hit, Vector
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import Crew, in_child
from torture.pace import Pace
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

MODEL = EmbeddingModel(name="torture", dimension=16)
WRITERS = INDEXERS = 2
MEMORIES = 120
KILLS_PER_STORE = 20
QUESTIONS = 8
MEAN_GAP_SECONDS = 0.05
LEAST_STEPS_PER_KILL = 3
LATEST_CALL = 60
RULES = Selection(kinds=frozenset({Kind.RULE}))


@dataclass(slots=True)
class Site:
    """One store under test."""

    home: Path
    chance: random.Random

    @property
    def steps(self) -> Path:
        """Where every writer and indexer adds a line for each step that it has done."""
        return self.home.with_suffix(".steps")

    def fill(self) -> None:
        with holdfast.open(home=self.home, folder=self.home.parent) as memory:
            for kind in (Kind.FACT, Kind.RULE):
                claims = [f"{kind} number {number}" for number in range(MEMORIES // 2)]
                memory.remember_all(claims, scope="global", because="to be found", kind=kind)
            put_some(memory, self.chance, MEMORIES)
            search(memory.app.store, vector(self.chance))

    def write(self) -> None:
        chance = self._doomed()
        with holdfast.open(home=self.home, folder=self.home.parent) as memory:
            for turn in range(10_000):
                put_some(memory, chance, chance.randrange(1, 40))
                self._step()
                if chance.random() < 0.2:
                    forget_one(memory, chance)
                    memory.remember(
                        f"new {os.getpid()} {turn}", scope="global", because="one for another"
                    )
                if chance.random() < 0.3:
                    memory.app.store.upkeep.scrub()

    def index(self) -> None:
        chance = self._doomed()
        while True:
            with holdfast.open(home=self.home, folder=self.home.parent) as memory:
                for _ in range(chance.randrange(1, 8)):
                    search(memory.app.store, vector(chance))
                    self._step()

    def _step(self) -> None:
        with self.steps.open("ab", buffering=0) as file:
            file.write(b"\n")

    def _doomed(self) -> random.Random:
        """Return a random generator for a child; half of the children die at a call it chooses."""
        chance = random.Random(time.time_ns() ^ os.getpid())
        if planted(Plant.WATERMARK_FIRST):
            vars(following)["follow"] = vars(sidecar)["follow"] = watermark_first
        if chance.random() < 0.5:
            calls = DyingCalls(chance.randrange(LATEST_CALL), chance)
            for module in (following, header, vector_file):
                vars(module)["os"] = calls
        return chance


class DyingCalls:
    """System calls, one of which kills the process."""

    def __init__(self, left: int, chance: random.Random) -> None:
        self._left = left
        self._chance = chance

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def pwrite(self, handle: int, data: bytes, place: int) -> int:
        if self._is_last():
            os.pwrite(handle, bytes(data)[: self._chance.randrange(len(data) + 1)], place)
            self._die()
        return os.pwrite(handle, data, place)

    def ftruncate(self, handle: int, length: int) -> None:
        self._perhaps_die()
        os.ftruncate(handle, length)

    def fdatasync(self, handle: int) -> None:
        self._perhaps_die()
        os.fdatasync(handle)

    def replace(self, old: str, new: str) -> None:
        self._perhaps_die()
        Path(old).replace(new)

    def unlink(self, path: str) -> None:
        self._perhaps_die()
        Path(path).unlink()

    def _perhaps_die(self) -> None:
        if self._is_last():
            self._die()

    def _is_last(self) -> bool:
        self._left -= 1
        return self._left < 0

    def _die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def watermark_first(shelf: Any, before: Any, source: Any) -> Any:  # noqa: ANN401 - a planted bug
    """A planted bug: report everything as indexed before it is."""
    target = source.last()
    header.write_header(
        shelf.rows_handle,
        replace(before, generation=before.generation + 1, last=target, reached=target.number),
    )
    time.sleep(0.01)
    done = following._Following(shelf, before).up_to(target, source)  # noqa: SLF001 - planted
    done = replace(done, generation=before.generation + 2)
    header.write_header(shelf.rows_handle, done)
    return done


def vector(chance: random.Random) -> Vector:
    """Return a random unit vector."""
    numbers = [chance.gauss(0, 1) for _ in range(MODEL.dimension)]
    return Vector(model=MODEL, values=struct.pack(f"<{MODEL.dimension}f", *numbers))


def put_some(memory: MemoryStore, chance: random.Random, count: int) -> None:
    store = memory.app.store
    with store.reading() as tx:
        records = tx.memories.find(Selection(), Page(limit=2 * MEMORIES))
    some = chance.sample(records, min(count, len(records)))
    with store.writing(memory.app.clock.now()) as tx:
        tx.finding.meaning.put(
            MODEL,
            {each.memory.id: [vector(chance)] * chance.choice([1, 1, 2]) for each in some},
        )


def forget_one(memory: MemoryStore, chance: random.Random) -> None:
    with memory.app.store.reading() as tx:
        records = tx.memories.find(Selection(), Page(limit=2 * MEMORIES))
    name, now = chance.choice(records).memory.id, memory.app.clock.now()
    try:
        with memory.app.store.writing(now) as tx:
            tx.memories.forget(Tombstone(memory_id=name, forgotten_at=now, forgotten_by="chance"))
    except HoldfastError:
        return  # another process forgot it a moment ago


def search(store: Store, question: Vector, within: Selection | None = None) -> list[Hit]:
    with store.reading() as tx:
        return list(tx.finding.meaning.search(question, within or Selection(), limit=12).hits)


def run(task: Task) -> Report:
    """Kill until there were enough kills; judge after every store."""
    kills = task.number(short=40, full=1_200)
    chance = random.Random(task.seed)
    tally = Tally()
    stores = 0
    while tally.faults < kills and not tally.wrong:
        stores += 1
        site = Site(home=task.folder("vectors") / "home", chance=chance)
        in_child(site.fill)
        tally += _under_fire(site, min(KILLS_PER_STORE, kills - tally.faults))
        tally += in_child(lambda site=site: judged(site))  # type: ignore[misc]
    done = f"{WRITERS} writers, {INDEXERS} indexers; {stores} stores"
    return Report(tool="vectors", done=done, tally=tally)


def _under_fire(site: Site, kills: int) -> Tally:
    crew = Crew()
    pace = Pace(site.steps, crew)
    roles = {f"writer{number}": site.write for number in range(WRITERS)}
    roles |= {f"indexer{number}": site.index for number in range(INDEXERS)}
    try:
        while crew.kills < kills:
            for role, work in roles.items():
                crew.start(role, work)
            pace.wait(LEAST_STEPS_PER_KILL)
            time.sleep(site.chance.expovariate(1 / MEAN_GAP_SECONDS))
            crew.kill(site.chance.choice(list(roles)))
    finally:
        crew.kill_all()
    return Tally(faults=crew.kills)


def judged(site: Site) -> Tally:
    """Compare the index with the vectors themselves, then search for forgotten ones."""
    path = site.home / STORE_FILE
    ours, plain = SqliteStore.open(path, index=Sidecar), SqliteStore.open(path)
    tally = Tally()
    try:
        for _ in range(QUESTIONS):
            question = vector(site.chance)
            for within in (Selection(), RULES):
                if search(ours, question, within) != search(plain, question, within):
                    tally += faulty("the index and the vectors disagree")
        ours.upkeep.scrub()
        tally += _leftovers(plain, Path(f"{path}-vectors-1.i8"))
    finally:
        ours.close()
        plain.close()
    return tally


def _leftovers(store: SqliteStore, rows: Path) -> Tally:
    """Count rows of the file that belong to no existing vector."""
    if not rows.exists():
        return Tally()
    with store.reading() as tx:
        covered = tx.finding.meaning.models()[0].memories
        parts = tx.work.connection.execute("SELECT sum(length(vectors)) FROM embedding").get
    raw = rows.read_bytes()[header.HEAD_BYTES :]
    width = MODEL.dimension
    alive = sum(any(raw[start : start + width]) for start in range(0, len(raw), width))
    wanted = int(parts or 0) // (2 * width)
    if alive != wanted:
        return faulty(f"{alive} rows are left of {wanted} vectors of {covered} memories")
    return Tally()
