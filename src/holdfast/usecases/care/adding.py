"""Add a job: an import, the embedding of memories, a pruning, a curation."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from holdfast.domain.care.job import JobKind, NewJob, NewPart
from holdfast.domain.errors import SecretRefusedError
from holdfast.domain.ids import sortable
from holdfast.usecases.care.prune import refuse_too_much
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store
    from holdfast.usecases.care.prune_request import PrunePlan
    from holdfast.usecases.screening import SecretPolicy

LINES_IN_A_PART = 500
MEMORIES_IN_A_PART = 100
_AT_ONCE = 1_000
_FREE_ORDER = "memory"
"""The type of lines that can be imported in any order."""


Item = TypeVar("Item")


class AddedJob(NamedTuple):
    """A job that was added, and the lines that were left out because of a secret in them."""

    job: NewJob
    refused: tuple[str, ...] = ()


class JobPorts(NamedTuple):
    """The store and the clock, and the name of the person who adds the job."""

    store: Store
    clock: Clock
    by: str


def add_import(lines: Iterable[str], *, secrets: SecretPolicy, ports: JobPorts) -> AddedJob:
    """Add an import of the lines of an export; return the job, and the lines with secrets.

    Lines of one type stay together and follow those of the type before, because links need their
    memories. Only memories are divided into several parts.
    """
    parts: list[NewPart] = []
    refused: list[str] = []
    kept = _screened(lines, secrets, refused)
    for stage, (kind, group) in enumerate(groupby(kept, key=_type_of)):
        whole = list(group)
        size = LINES_IN_A_PART if kind == _FREE_ORDER else len(whole)
        parts += [
            NewPart(stage=stage, payload=_payload(secrets=secrets.value, lines=some))
            for some in _slices(whole, size)
        ]
    return AddedJob(job=_added(JobKind.IMPORT, parts, ports), refused=tuple(refused))


def _screened(lines: Iterable[str], secrets: SecretPolicy, refused: list[str]) -> Iterator[str]:
    """Yield the lines without secrets: they wait in the database until a worker takes them."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield screened(line, what="line", secrets=secrets)
        except SecretRefusedError as error:
            refused.append(f"line {number}: {error.message}")


def _slices(whole: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(whole), size):
        yield whole[start : start + size]


def add_embedding(model: str, *, ports: JobPorts) -> AddedJob:
    """Add the embedding of every memory without a vector of this model; return the job."""
    names = list(_lacking(model, ports.store))
    return AddedJob(job=_added(JobKind.EMBED, _divided(names, model=model), ports))


def add_pruning(plan: PrunePlan, *, force: bool, ports: JobPorts) -> AddedJob:
    """Add the pruning of the memories of a plan; return the job.

    Raises:
        PruneTooMuchError: More is due than one run may change; no job is added.
    """
    refuse_too_much(plan, force=force)
    names = [item.name for item in plan.items]
    return AddedJob(job=_added(JobKind.PRUNE, _divided(names), ports))


def add_curation(*, ports: JobPorts) -> AddedJob:
    """Add one curation of the space, with the fixes that need no person; return the job."""
    part = NewPart(stage=0, payload=_payload())
    return AddedJob(job=_added(JobKind.CURATE, [part], ports))


def _divided(names: list[MemoryId], **facts: str) -> list[NewPart]:
    return [
        NewPart(stage=0, payload=_payload(ids=some, **facts))
        for some in _slices(names, MEMORIES_IN_A_PART)
    ]


@repeatable
def _added(kind: JobKind, parts: list[NewPart], ports: JobPorts) -> NewJob:
    at = ports.clock.now()
    name = sortable("j", at=at, entropy=ports.clock.entropy())
    job = NewJob(id=name, kind=kind, by=ports.by, parts=tuple(parts))
    ports.store.jobs.add(job, at=at)
    return job


def _lacking(model: str, store: Store) -> Iterator[MemoryId]:
    beyond = None
    while True:
        with store.reading() as tx:
            found = tx.finding.meaning.lacking(model, beyond=beyond, limit=_AT_ONCE)
        if not found:
            return
        yield from (record.memory.id for record in found)
        beyond = found.beyond


def _type_of(line: str) -> str:
    try:
        shape = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return str(shape.get("type")) if isinstance(shape, dict) else ""


def _payload(**facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False)
