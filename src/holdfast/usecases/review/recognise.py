"""Recognise: whether a claim is new, already known, or a replacement."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.memory.identity import (
    KnownClaim,
    NewClaim,
    ReplacingClaim,
    identify,
    says_the_same,
)
from holdfast.domain.memory.link import Link, alone_on
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection, View
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.identity import Identity
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.ports.store.store import Transaction

_CANDIDATES_FOR_SAME = 8
_MOST_UNDER_KEY = 50


def recognise(memory: Memory, *, tx: Transaction, view: View | None = None) -> Identity:
    """Find out whether the store knows this claim: by its key, otherwise by its words.

    A person's claim is not merged into a candidate of an agent. A claim is not merged into an
    expired memory either; it replaces it. Only memories that the author can see count as known:
    the view tells which branches are merged there.
    """
    found = _by_key(memory, tx=tx, view=view) if memory.key else _by_words(memory, tx, view)
    match found:
        case KnownClaim(record=record) if _has_lapsed(record, memory.created_at):
            is_accepted = record.standing.status is Status.ACCEPTED
            return ReplacingClaim(record=record) if is_accepted else NewClaim()
        case _:
            return found


def accepted_twin(
    memory: Memory, *, at: datetime, tx: Transaction, view: View | None = None
) -> MemoryRecord | None:
    """Return the accepted memory that says the same as a candidate, with no field less.

    None if there is none, or if the candidate has a key, tags or another field of its own, lasts
    longer, or counts for more by its importance or weight.
    """
    match recognise(replace(memory, origin=Origin.HUMAN, created_at=at), tx=tx, view=view):
        case KnownClaim(record=record) if _adds_nothing_to(record.memory, memory):
            return record
        case _:
            return None


def _adds_nothing_to(known: Memory, memory: Memory) -> bool:
    return (
        memory.key in {None, known.key}
        and _lasts_as_long(known, memory)
        and memory.importance <= known.importance
        and memory.weight <= known.weight
        and set(memory.tags) <= set(known.tags)
        and memory.metadata.items() <= known.metadata.items()
    )


def _lasts_as_long(known: Memory, memory: Memory) -> bool:
    if known.expires_at is None:
        return True
    return memory.expires_at is not None and memory.expires_at <= known.expires_at


def accepted_under_key(
    memory: Memory, *, tx: Transaction, view: View | None = None
) -> list[MemoryRecord]:
    """Return the other accepted memories of the same space, scope and place with its key.

    Only memories that the author can see are returned, because nobody may supersede a memory that
    they cannot see.
    """
    return accepted_under_keys([memory], tx=tx, view=view)[memory.id]


def accepted_under_keys(
    memories: Sequence[Memory], *, tx: Transaction, view: View | None = None
) -> dict[MemoryId, list[MemoryRecord]]:
    """Return what ``accepted_under_key`` returns for each of these memories."""
    found = _under_keys(memories, tx=tx, view=view)
    return {
        memory.id: [one for one in found[memory.id] if is_seen_from(memory, one, view)]
        for memory in memories
    }


def under_key_elsewhere(
    memory: Memory, *, tx: Transaction, view: View | None = None
) -> list[MemoryRecord]:
    """Return the accepted memories with its key on branches that the author does not see."""
    found = _under_keys([memory], tx=tx, view=view)[memory.id]
    return [record for record in found if not is_seen_from(memory, record, view)]


def supersede(
    old: MemoryRecord, new: MemoryRecord, *, by: str, at: datetime, tx: Transaction
) -> None:
    """Supersede the old memory with the new one; the old one stays readable.

    If the two are on different branches, only a link is stored: elsewhere the old one is still
    valid, and where both are visible the link says which is newer.
    """
    tx.links.put(Link(src=new.memory.id, dst=old.memory.id, kind=LinkKind.SUPERSEDES))
    if alone_on(old.memory) != alone_on(new.memory):
        return
    tx.memories.set_standing(
        old.memory.id,
        replace(
            old.standing,
            status=Status.SUPERSEDED,
            superseded_by=new.memory.id,
            decided_at=at,
            decided_by=by,
        ),
    )


def is_seen_from(memory: Memory, record: MemoryRecord, view: View | None = None) -> bool:
    """Tell whether a record is valid where the memory is written.

    It is if it was written on the main branch, on the same branch, or on a branch that is merged
    according to the view.
    """
    if alone_on(record.memory) in {None, alone_on(memory)}:
        return True
    return view is not None and not view.hides(record.memory)


def is_linked(link: Link, *, tx: Transaction) -> bool:
    """Tell whether this link already exists, with any score."""
    ends = (link.src, link.dst, link.kind)
    return any((one.src, one.dst, one.kind) == ends for one in tx.links.touching(link.src))


def _under_keys(
    memories: Sequence[Memory], *, tx: Transaction, view: View | None
) -> dict[MemoryId, list[MemoryRecord]]:
    """Return the other accepted memories with the key of each, wherever they were written."""
    found: dict[MemoryId, list[MemoryRecord]] = {memory.id: [] for memory in memories}
    groups: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.key is not None:
            place = memory.space, memory.workspace, memory.repo, memory.branch, memory.scope
            groups[place].append(memory)
    for some in groups.values():
        accepted = replace(_around(some[0], view), statuses=frozenset({Status.ACCEPTED}))
        keys = {memory.key for memory in some if memory.key is not None}
        keyed = tx.finding.around.keyed(keys, accepted, limit=_MOST_UNDER_KEY)
        for memory in some:
            same = keyed.get(memory.key or "", ())
            found[memory.id] = [one for one in same if one.memory.id != memory.id]
    return found


def _by_key(memory: Memory, *, tx: Transaction, view: View | None) -> Identity:
    said = replace(_around(memory, view), key=memory.key, near_claim=memory.claim)
    found = tx.memories.find(said, Page(limit=_CANDIDATES_FOR_SAME))
    same = [record for record in found if is_seen_from(memory, record, view)]
    named = identify(memory, same_key=[*same, *accepted_under_key(memory, tx=tx, view=view)])
    if isinstance(named, NewClaim):
        return _new(memory, _with_its_words(memory, tx, view))
    return named


def _by_words(memory: Memory, tx: Transaction, view: View | None) -> Identity:
    found = _with_its_words(memory, tx, view)
    same = [record for record in found if record.memory.kind is memory.kind]
    same.sort(key=lambda record: _has_lapsed(record, memory.created_at))
    return KnownClaim(record=same[0]) if same else _new(memory, found)


def _with_its_words(memory: Memory, tx: Transaction, view: View | None) -> list[MemoryRecord]:
    """Return the memories of any kind and key that say the same where the memory is written."""
    near = tx.finding.words.alike(memory.claim, _around(memory, view), limit=_CANDIDATES_FOR_SAME)
    return [
        record
        for record in near
        if says_the_same(record.memory.claim, memory.claim) and is_seen_from(memory, record, view)
    ]


def _new(memory: Memory, found: Sequence[MemoryRecord]) -> NewClaim:
    live = (record for record in found if not _has_lapsed(record, memory.created_at))
    return NewClaim(twin=next(live, None))


def _around(memory: Memory, view: View | None) -> Selection:
    place = Place(
        space=memory.space, workspace=memory.workspace, repo=memory.repo, branch=memory.branch
    )
    proposed = frozenset[Status]() if memory.origin is Origin.HUMAN else {Status.CANDIDATE}
    return Selection(
        space=memory.space,
        place=place,
        scopes=frozenset({memory.scope}),
        statuses=frozenset({Status.ACCEPTED}) | proposed,
        view=View() if view is None else view.everywhere(),
    )


def _has_lapsed(record: MemoryRecord, at: datetime) -> bool:
    return not (record.standing.pinned or record.memory.is_live_at(at))
