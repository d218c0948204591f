"""Branches: what knowledge one revision has that another has not, and what it puts in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.anchor import HOLDING
from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.errors import BadFieldError, NoHistoryError
from holdfast.domain.selection import Selection
from holdfast.domain.values import dataclass
from holdfast.usecases.naming import records_of
from holdfast.usecases.verify import CheckedMemory, every
from holdfast.usecases.witnessing import cited, known_rewrites, witnessed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.standpoint import Revision, Standpoint
    from holdfast.ports.store import Transaction
    from holdfast.usecases.witnessing import World

_BETWEEN = ".."


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A memory of the branch that takes the place of, or contradicts, one of the base."""

    record: MemoryRecord
    other: MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a branch knows that its base does not, and what its code puts in doubt."""

    base: Revision
    tip: Revision
    added: tuple[MemoryRecord, ...]
    changed: tuple[Changed, ...]
    contradicted: tuple[Changed, ...]
    doubted: tuple[CheckedMemory, ...]


def read_range(text: str) -> tuple[str, str]:
    """Read ``main..feature``; a missing end means what is checked out.

    Raises:
        BadFieldError: There are no two ends.
    """
    base, dots, tip = text.partition(_BETWEEN)
    if not dots or not (base or tip) or tip.startswith("."):
        raise BadFieldError(field="range", problem=f"'{text}' should read: main..feature")
    return base or "HEAD", tip or "HEAD"


def difference(base: str, tip: str, *, world: World) -> Difference:
    """Compare the knowledge of two revisions of this repository.

    Raises:
        NoHistoryError: There is no repository.
        NoSuchRevisionError: One of the names means no commit.
    """
    place, now, witness = world.surroundings.place(), world.clock.now(), world.witness
    if place.repo is None:
        raise NoHistoryError
    old, new = witness.resolve(base), witness.resolve(tip)
    live = frozenset({Status.ACCEPTED, Status.CANDIDATE})
    with world.store.reading() as tx:
        records = list(
            every(Selection(place=place, scopes=frozenset({Scope.REPO}), statuses=live), tx=tx)
        )
        points = {one.memory.standpoint for one in records if one.memory.standpoint is not None}
        known = known_rewrites(place.repo, {point.head for point in points}, tx=tx)
        there = _at(tip, points) | witness.arrived(points, known, at=new.id)
        here = (witness.arrived(points, known, at=old.id) | _at(base, points)) - _at(tip, points)
        fresh = [one for one in records if _is_at(one, there) and not _is_at(one, here)]
        standing = {one.memory.id: one for one in records if _is_at(one, here)}
        changed, contradicted = _opposing(fresh, standing, tx)
        asked = cited(standing.values(), repo=place.repo, tx=tx)
    before = witnessed(asked, repo=place.repo, at=now, witness=witness, as_of=old.id)
    after = witnessed(asked, repo=place.repo, at=now, witness=witness, as_of=new.id)
    met = {one.record.memory.id for one in (*changed, *contradicted)}
    return Difference(
        base=old,
        tip=new,
        added=tuple(one for one in fresh if one.memory.id not in met),
        changed=changed,
        contradicted=contradicted,
        doubted=tuple(
            CheckedMemory(record=record, evidence=after.by_memory[name])
            for name, record in standing.items()
            if any(one.sighting.verdict.is_doubtful for one in after.by_memory.get(name, ()))
            and any(one.sighting.verdict in HOLDING for one in before.by_memory.get(name, ()))
        ),
    )


def _at(name: str, points: Iterable[Standpoint]) -> frozenset[Standpoint]:
    """Return what was written on the branch of that name, committed or not yet."""
    return frozenset(point for point in points if point.is_aside and point.branch == name)


def _is_at(record: MemoryRecord, points: Collection[Standpoint]) -> bool:
    """Tell whether a memory is known there; one from the main branch is known everywhere."""
    point = record.memory.standpoint
    return point is None or not point.is_aside or point in points


def _have_one_key(one: MemoryRecord, other: MemoryRecord) -> bool:
    return one.memory.key is not None and one.memory.key == other.memory.key


def _opposing(
    fresh: Iterable[MemoryRecord], standing: Mapping[MemoryId, MemoryRecord], tx: Transaction
) -> tuple[tuple[Changed, ...], tuple[Changed, ...]]:
    """Tell which of the new memories supersede a standing one, and which contradict one."""
    by_key = {one.memory.key: one for one in standing.values()}
    changed: list[Changed] = []
    contradicted: list[Changed] = []
    for record in fresh:
        links = tx.links.touching(record.memory.id)
        opposed = {
            link.other_end(record.memory.id): link.kind
            for link in links
            if link.kind == LinkKind.CONTRADICTS
            or (link.kind == LinkKind.SUPERSEDES and link.src == record.memory.id)
        }
        others = records_of(opposed, tx=tx)
        for name, other in others.items():
            is_changed = opposed[name] == LinkKind.SUPERSEDES or _have_one_key(record, other)
            found = changed if is_changed else contradicted
            found.append(Changed(record=record, other=other))
        same = None if record.memory.key is None else by_key.get(record.memory.key)
        if same is not None and same.memory.id not in others:
            changed.append(Changed(record=record, other=same))
    return tuple(changed), tuple(contradicted)
