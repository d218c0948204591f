"""Links between memories.

Chains of memories: a first memory and all memories that superseded it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord


SERVICE_KIND = "service:"
"""Before the type of a relationship that a service states; Holdfast does not interpret those."""
_KIND = re.compile(r"[a-z][a-z0-9-]{0,39}|service:[^\x00-\x1f\x7f-\x9f]{1,50}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from one memory to another, with a kind and a score; unique by the first three."""

    src: MemoryId
    dst: MemoryId
    kind: str
    score: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a link to itself, a kind that is not a word, and a score out of range."""
        if self.src == self.dst:
            raise BadFieldError(field="link", problem="leads from a memory to itself.")
        if not _KIND.fullmatch(self.kind):
            raise BadFieldError(
                field="kind of link", problem=f"'{self.kind[:40]}' must be like 'depends-on'."
            )
        if not 0.0 <= self.score <= 1.0:
            raise BadFieldError(field="score", problem="must be between 0 and 1.")

    def other_end(self, memory_id: MemoryId) -> MemoryId:
        """Return the end that is not this one."""
        return self.dst if self.src == memory_id else self.src

    def renamed(self, names: Mapping[MemoryId, MemoryId]) -> Link:
        """Return the same link between memories that have other ids now."""
        src, dst = names.get(self.src, self.src), names.get(self.dst, self.dst)
        return replace(self, src=src, dst=dst)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """All versions of an entry, under the id of the first memory.

    ``versions`` are those visible in this checkout, oldest first. ``heads`` are those of them that
    no visible memory superseded; there are two where two branches met. ``hidden`` versions are
    visible only on other branches.
    """

    uid: MemoryId
    versions: tuple[MemoryRecord, ...] = ()
    heads: tuple[MemoryRecord, ...] = ()
    hidden: tuple[MemoryRecord, ...] = ()

    @property
    def last(self) -> MemoryRecord:
        """The newest visible version; the chain must have one."""
        return (self.heads or self.versions)[-1]


def chains_of(
    records: Iterable[MemoryRecord],
    links: Iterable[Link],
    *,
    seen: Collection[MemoryId],
    firsts: Collection[MemoryId] = (),
) -> dict[MemoryId, Chain]:
    """Group memories into chains, by the id of each chain's first memory.

    A memory that superseded several belongs to the oldest chain; the other chains end. One of
    ``firsts`` has an entry of its own already: it stays the first of its chain, and what it
    superseded ends.
    """
    known = {record.memory.id: record for record in records}
    before = _before(known, links)
    owners: dict[MemoryId, MemoryId] = {name: name for name in firsts if name in known}
    for name in sorted(known):
        _owner(name, before, owners)
    followed = {old for name, olds in before.items() if name in seen for old in olds}
    members: dict[MemoryId, list[MemoryRecord]] = {}
    for name, owner in owners.items():
        members.setdefault(owner, []).append(known[name])
    return {
        owner: _chain(owner, ordered(versions, before), seen=seen, followed=followed)
        for owner, versions in members.items()
    }


def ordered(
    versions: Sequence[MemoryRecord], before: Mapping[MemoryId, set[MemoryId]]
) -> list[MemoryRecord]:
    """Return the versions so that each comes after those it superseded."""
    depth: dict[MemoryId, int] = {}
    for name in sorted(record.memory.id for record in versions):
        _depth(name, before, depth)
    return sorted(versions, key=lambda one: (depth[one.memory.id], one.memory.id))


def _chain(
    uid: MemoryId,
    versions: Sequence[MemoryRecord],
    *,
    seen: Collection[MemoryId],
    followed: Collection[MemoryId],
) -> Chain:
    here = tuple(one for one in versions if one.memory.id in seen)
    return Chain(
        uid=uid,
        versions=here,
        heads=tuple(one for one in here if one.memory.id not in followed),
        hidden=tuple(one for one in versions if one.memory.id not in seen),
    )


def _before(
    known: Mapping[MemoryId, MemoryRecord], links: Iterable[Link]
) -> dict[MemoryId, set[MemoryId]]:
    """Return for each memory the ones it superseded; a candidate has superseded none."""
    before: dict[MemoryId, set[MemoryId]] = {name: set() for name in known}
    for link in links:
        is_known = {link.src, link.dst} <= known.keys()
        if link.kind == LinkKind.SUPERSEDES and is_known and stands(known[link.src]):
            before[link.src].add(link.dst)
    for name, record in known.items():
        by = record.standing.superseded_by
        if by is not None and by in known and by != name:
            before[by].add(name)
    return before


def stands(record: MemoryRecord) -> bool:
    """Tell whether people ever accepted a memory, whatever its status is now."""
    return record.standing.status not in {Status.CANDIDATE, Status.REJECTED}


def _owner(
    name: MemoryId, before: Mapping[MemoryId, set[MemoryId]], owners: dict[MemoryId, MemoryId]
) -> MemoryId:
    """Return the oldest memory in this one's history."""
    if name not in owners:
        owners[name] = name  # ends the recursion if links form a cycle
        roots = [_owner(old, before, owners) for old in sorted(before[name])]
        owners[name] = min(roots, default=name)
    return owners[name]


def _depth(
    name: MemoryId, before: Mapping[MemoryId, set[MemoryId]], depth: dict[MemoryId, int]
) -> int:
    if name not in depth:
        depth[name] = 0  # ends the recursion if links form a cycle
        depth[name] = 1 + max((_depth(old, before, depth) for old in before[name]), default=-1)
    return depth[name]


def alone_on(memory: Memory) -> str | None:
    """Return the branch that a memory is limited to until that branch is merged, or None."""
    point = memory.branch_point
    return point.branch if point is not None and point.is_aside else None
