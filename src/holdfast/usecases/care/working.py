"""Do the parts of jobs, one after another, as one of many workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from holdfast.domain.care.job import JobKind, JobState, LeaseLostError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.ids import MemoryId
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.values import dataclass
from holdfast.usecases.care.prune import prune
from holdfast.usecases.care.prune_request import Prune
from holdfast.usecases.exchange.exchange import BATCH, bring_in
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.curating import survey
from holdfast.usecases.review.tidying import tidy
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.care.job import LeasedPart
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.finding import Vector
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.jobs import JobQueue
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Upkeep
    from holdfast.usecases.care.prune_request import PrunePorts

Payload = Mapping[str, Any]
"""The facts of a part, as they were added."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPorts:
    """The ports that the parts of jobs need."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    heuristics: Heuristics
    verifier: Verifier | None = None
    embedder: Embedder | None = None
    pruning: Callable[[], PrunePorts]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOrder:
    """Which parts to do, under which name, how long a lease lasts, and whether to wait.

    ``job`` is one job; None is every job. A worker that waits goes on until no job is open, and so
    takes over the parts of workers that were killed.
    """

    worker: str
    lease_seconds: float
    job: str | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDone:
    """A part that this worker did; a problem says why it did not."""

    part: LeasedPart
    problem: str = ""


def work_off(
    order: WorkOrder, *, ports: WorkPorts, pause: Callable[[], None]
) -> Generator[PartDone, None, None]:
    """Do free parts until none is left; yield each one when it is done or given back.

    ``pause`` waits a moment before the next look.
    """
    jobs = ports.store.jobs
    while True:
        part = jobs.take(worker=order.worker, seconds=order.lease_seconds, job=order.job)
        if part is not None:
            yield _done(part, ports)
        elif order.waits and _is_open(order, jobs):
            pause()
        else:
            return


def _is_open(order: WorkOrder, jobs: JobQueue) -> bool:
    return any(
        job.state is JobState.OPEN and order.job in {None, job.id} and job.waiting + job.leased
        for job in jobs.list()
    )


def _done(part: LeasedPart, ports: WorkPorts) -> PartDone:
    try:
        problem = _WORK[part.kind](part, json.loads(part.payload), ports)
    except LeaseLostError as error:
        return PartDone(part=part, problem=error.message)
    except HoldfastError as error:
        ports.store.jobs.fail(part, error.message)
        return PartDone(part=part, problem=error.message)
    return PartDone(part=part, problem=problem)


def _import(part: LeasedPart, payload: Payload, ports: WorkPorts) -> str:
    """Import lines; return which of them were refused."""
    lines = payload["lines"]
    units = -(-len(lines) // BATCH)
    finishing = FinishingStore(ports.store, part, units=units)
    policy = SecretPolicy(str(payload["secrets"]))
    brought = bring_in(lines, store=finishing, clock=ports.clock, secrets=policy)
    return "; ".join(brought.refused)


def _embed(part: LeasedPart, payload: Payload, ports: WorkPorts) -> str:
    """Embed outside the unit of work, so that other workers store meanwhile."""
    embedder = ports.embedder
    if embedder is None or embedder.model.name != payload["model"]:
        raise NoModelError
    names = [MemoryId(name) for name in payload["ids"]]
    with ports.store.reading() as tx:
        records = tuple(tx.memories.get_many(names).values())
    vectors = embedder.embed([embedded_text(record.memory) for record in records])
    own = {record.memory.id: some for record, some in zip(records, vectors, strict=True)}
    _put(part, own, embedder, ports)
    return ""


@repeatable
def _put(
    part: LeasedPart,
    vectors: Mapping[MemoryId, Sequence[Vector]],
    embedder: Embedder,
    ports: WorkPorts,
) -> None:
    with ports.store.writing(ports.clock.now()) as tx:
        there = tx.memories.get_many(vectors)
        kept = {name: some for name, some in vectors.items() if name in there}
        tx.finding.meaning.put(embedder.model, kept)
        ports.store.jobs.finish(part)


def _prune(part: LeasedPart, payload: Payload, ports: WorkPorts) -> str:
    """Prune the memories that are still due; a part that is repeated finds fewer of them."""
    names = frozenset(MemoryId(name) for name in payload["ids"])
    wish = Prune(by=part.by, only=names, everywhere=True, force=True)
    prune(wish, ports=ports.pruning())
    ports.store.jobs.finish(part)
    return ""


def _curate(part: LeasedPart, _payload: Payload, ports: WorkPorts) -> str:
    found = survey(
        store=ports.store,
        clock=ports.clock,
        surroundings=ports.surroundings,
        verifier=ports.verifier,
        heuristics=ports.heuristics,
    )
    tidy(
        found.concerns,
        by=part.by,
        store=FinishingStore(ports.store, part, units=1),
        clock=ports.clock,
        heuristics=ports.heuristics,
    )
    return ""


_WORK: Mapping[JobKind, Callable[[LeasedPart, Payload, WorkPorts], str]] = {
    JobKind.IMPORT: _import,
    JobKind.EMBED: _embed,
    JobKind.PRUNE: _prune,
    JobKind.CURATE: _curate,
}
"""What each kind of part does; it returns what it had to leave out."""


class FinishingStore:
    """A store whose last unit of work also marks the part as done: both are stored, or neither."""

    def __init__(self, store: Store, part: LeasedPart, *, units: int) -> None:
        self._store = store
        self._part = part
        self._left = units

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[Transaction, None, None]:
        """Run a unit of work; the last one finishes the part."""
        with self._store.writing(at, patience=patience) as tx:
            yield tx
            if self._left == 1:
                self._store.jobs.finish(self._part)
        self._left -= 1

    @contextmanager
    def reading(self) -> Generator[Transaction, None, None]:
        """Start a read transaction."""
        with self._store.reading() as tx:
            yield tx

    @property
    def space(self) -> SpaceId:
        """The space of the store."""
        return self._store.space

    @property
    def warnings(self) -> Sequence[str]:
        """The warnings of the store."""
        return self._store.warnings

    @property
    def left_out(self) -> Sequence[str]:
        """The damaged rows that the current read has left out."""
        return self._store.left_out

    @property
    def upkeep(self) -> Upkeep:
        """Checks and repairs of the store."""
        return self._store.upkeep

    @property
    def jobs(self) -> JobQueue:
        """The jobs of the store."""
        return self._store.jobs

    def close(self) -> None:
        """Do nothing: the worker closes its store."""
