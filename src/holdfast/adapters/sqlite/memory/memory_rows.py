"""Conversion between memories, with their status and usage, and rows.

Chooses the fastest query for a selection, and its parameters.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    as_json,
    checked,
    maybe_millis,
    maybe_moment,
    millis,
    moment_of,
    near_hash,
    sealed,
)
from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.errors import StoreDamagedError, StoreUnreadableError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence, evidence_from_json, evidence_json
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Usage
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.memory.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.anchor import BranchPoint


_MEMORY_COLUMNS = 24
_STANDING_COLUMNS = 10
_USAGE_COLUMNS = 7
_BESIDE = _MEMORY_COLUMNS + _STANDING_COLUMNS
_THERE = _BESIDE + _USAGE_COLUMNS
_KNOWN_ROWS = 16_384
"""A sync reads every memory of a repository twice."""

# A dict lookup is three times faster than calling the enum, and a page has hundreds.
_SCOPES = {choice.value: choice for choice in Scope}
_KINDS = {choice.value: choice for choice in Kind}
_ORIGINS = {choice.value: choice for choice in Origin}
_STATUSES = {choice.value: choice for choice in Status}

_NEVER = Usage()

MEMORY, STANDING, USAGE, EVIDENCE = "memory", "standing", "usage", "evidence"


def memory_values(sequence: int, memory: Memory) -> tuple[Value, ...]:
    """Return the row of a memory, sealed."""
    values = (
        sequence,
        memory.id,
        memory.space,
        memory.workspace,
        memory.scope.value,
        memory.repo,
        memory.branch,
        memory.kind.value,
        memory.key,
        memory.claim,
        _real(memory.weight),
        _real(memory.importance),
        memory.origin.value,
        memory.trust.value,
        memory.source,
        as_json(memory.tags),
        as_json(dict(memory.metadata)),
        millis(memory.created_at),
        maybe_millis(memory.expires_at),
        evidence_text(memory.evidence),
        bytes.fromhex(memory.content_hash),
        near_hash(memory.claim),
    )
    return sealed(MEMORY, values)


def standing_values(sequence: int, standing: Standing) -> tuple[Value, ...]:
    """Return the row of a memory's status, pin and label, sealed."""
    values = (
        sequence,
        standing.status.value,
        int(standing.pinned),
        standing.label,
        standing.superseded_by,
        standing.decided_by,
        maybe_millis(standing.decided_at),
        standing.reason,
    )
    return sealed(STANDING, values)


def usage_values(sequence: int, usage: Usage) -> tuple[Value, ...]:
    """Return the row of a memory's usage, sealed."""
    last = maybe_millis(usage.last_accessed)
    return sealed(USAGE, (sequence, usage.access_count, last, usage.good, usage.bad))


def evidence_text(evidence: Iterable[Evidence]) -> str:
    """Return the JSON stored in ``source_json``."""
    return as_json([evidence_json(item) for item in evidence])


def record_of(row: Row, *, path: str) -> MemoryRecord:
    """Return the record in a joined row, after checking the seal of every part."""
    memory_row, standing_row = row[:_MEMORY_COLUMNS], row[_MEMORY_COLUMNS:_BESIDE]
    usage_row = row[_BESIDE:_THERE]
    name = str(memory_row[1])
    if standing_row[0] is None:
        raise StoreDamagedError(path, f"the standing of {name} is missing.")
    return MemoryRecord(
        sequence=memory_row[0],
        memory=_sound_memory(path, *memory_row)
        if row[_THERE] is None
        else _sound_memory_there(path, row[_THERE:-1], memory_row),
        standing=_sound_standing(path, name, *standing_row),
        usage=usage_in(usage_row, path=path, name=name),
        added_evidence=() if row[-1] is None else _sound_evidence(path, memory_row[0], row[-1]),
    )


# A row that is equal in every column, with its salt and hash, was checked before.
@lru_cache(maxsize=_KNOWN_ROWS, typed=True)
def _sound_memory(path: str, *row: Value) -> Memory:
    sound = checked(MEMORY, row, path=path, name=str(row[1]))
    _refuse_unknown_kind(path, sound)
    return memory_of(sound)


@lru_cache(maxsize=_KNOWN_ROWS, typed=True)
def _sound_memory_there(path: str, there: Row, row: Row) -> Memory:
    from holdfast.adapters.sqlite.database.standpoint_rows import branch_point_of

    sound = checked(MEMORY, row, path=path, name=str(row[1]))
    _refuse_unknown_kind(path, sound)
    return memory_of(sound, branch_point_of(path, *there))


def _refuse_unknown_kind(path: str, row: Row) -> None:
    """Refuse a memory of a kind that a later version added to the lookup table."""
    if row[7] not in _KINDS:
        problem = f"the memory {row[1]} is of the kind '{row[7]}', which this version does not know"
        raise StoreUnreadableError(path, f"{problem}. Upgrade holdfast.")


@lru_cache(maxsize=_KNOWN_ROWS, typed=True)
def _sound_standing(path: str, name: str, *row: Value) -> Standing:
    return _standing(checked(STANDING, row, path=path, name=f"of {name}"))


@lru_cache(maxsize=_KNOWN_ROWS)
def _sound_evidence(path: str, sequence: int, rows: str) -> tuple[Evidence, ...]:
    """Return the added evidence; its rows come as one list, in hexadecimal."""
    found: list[Evidence] = []
    for place, *columns in json.loads(rows):
        text, salt, row_hash = (bytes.fromhex(column) for column in columns)
        row = (sequence, place, text.decode(errors="replace"), salt, row_hash)
        checked(EVIDENCE, row, path=path, name=f"of memory number {sequence}")
        found += evidence_of(row[2])
    return tuple(found)


def memory_of(row: Row, branch_point: BranchPoint | None = None) -> Memory:
    """Return the memory of a checked row."""
    return Memory(
        id=MemoryId(row[1]),
        space=SpaceId(row[2]),
        workspace=row[3],
        scope=_SCOPES[row[4]],
        repo=row[5],
        branch=row[6],
        kind=_KINDS[row[7]],
        key=row[8],
        claim=row[9],
        weight=row[10],
        importance=row[11],
        origin=_ORIGINS[row[12]],
        trust=_ORIGINS[row[13]],
        source=row[14],
        tags=() if row[15] == "[]" else tuple(json.loads(row[15])),
        metadata={} if row[16] == "{}" else json.loads(row[16]),
        created_at=moment_of(row[17]),
        expires_at=maybe_moment(row[18]),
        evidence=evidence_of(row[19]),
        branch_point=branch_point,
    )


@lru_cache(maxsize=1_024)
def evidence_of(text: str) -> tuple[Evidence, ...]:
    """Return the evidence of a ``source_json``."""
    return tuple(evidence_from_json(item) for item in json.loads(text))


def _standing(row: Row) -> Standing:
    return Standing(
        status=_STATUSES[row[1]],
        pinned=bool(row[2]),
        label=row[3],
        superseded_by=None if row[4] is None else MemoryId(row[4]),
        decided_by=row[5],
        decided_at=maybe_moment(row[6]),
        reason=row[7],
    )


def usage_in(row: Row, *, path: str, name: str) -> Usage:
    """Return the usage in a joined row, checked; a memory that was never returned has no row."""
    return _NEVER if row[0] is None else _sound_usage(path, name, *row)


@lru_cache(maxsize=_KNOWN_ROWS, typed=True)
def _sound_usage(path: str, name: str, *row: Value) -> Usage:
    _, count, last, good, bad = checked(USAGE, row, path=path, name=f"of {name}")[:5]
    return Usage(access_count=count, last_accessed=maybe_moment(last), good=good, bad=bad)


def _real(number: float) -> float:
    # SQLite stores -0.0 as 0.0 and a whole number as a real: seal the value it will return.
    return float(number) + 0.0


_EVERYTHING = Selection()


def restricts_nothing(selection: Selection) -> bool:
    """Return whether the selection takes every memory of the store."""
    return selection == _EVERYTHING


def conditions(selection: Selection) -> dict[str, Value]:
    """Return the parameters of the SQL block ``takes``."""
    place = selection.place
    return {
        "space": selection.space,
        "place_space": None if place is None else place.space,
        "place_workspace": None if place is None else place.workspace,
        "place_repo": None if place is None else place.repo,
        "scopes": _list(selection.scopes),
        "kinds": _list(selection.kinds),
        "origins": _list(selection.origins),
        "tags": _list(selection.tags),
        "key": selection.key,
        "source": selection.source,
        "near": None if selection.near_claim is None else near_hash(selection.near_claim),
        "expired_at": maybe_millis(selection.expired_at),
        "statuses": _list(selection.statuses),
        "labels": _list(selection.labels),
        "superseded_by": selection.superseded_by,
        "pinned": None if selection.pinned is None else int(selection.pinned),
        "recallable_at": maybe_millis(selection.recallable_at),
        "own": _list(selection.own),
        "as_of": maybe_millis(selection.as_of),
        "branches": _list(selection.branches),
        "unseen": _points(selection.view.unseen),
        "replaced": _list(frozenset(selection.view.replaced)),
        "restored": _list(selection.view.restored.difference(selection.view.replaced)),
    }


def narrowest(selection: Selection) -> str | None:
    """Return the query over the most selective index; None means a scan of all memories."""
    ways = (
        ("take_by_near", selection.near_claim is not None),
        ("take_by_key", selection.key is not None),
        ("take_by_labels", bool(selection.labels)),
        ("take_by_successor", selection.superseded_by is not None),
        ("take_pinned", selection.pinned is True),
        ("take_by_source", bool(selection.source)),
        ("take_waiting", _only_waiting(selection)),
        ("take_by_expiry", selection.expired_at is not None),
        ("take_by_repo", _one_repository(selection)),
    )
    return next((name for name, fits in ways if fits), None)


def _only_waiting(selection: Selection) -> bool:
    """Return whether every selected memory has a stored status other than accepted."""
    statuses, view = selection.statuses, selection.view
    is_derived = bool(view.replaced) and Status.SUPERSEDED in statuses
    return bool(statuses) and Status.ACCEPTED not in statuses and not is_derived


def _one_repository(selection: Selection) -> bool:
    place = selection.place
    return selection.scopes == {Scope.REPO} and place is not None and place.repo is not None


@lru_cache(maxsize=256)
def _list(wanted: frozenset[str]) -> str | None:
    return as_json(sorted(wanted)) if wanted else None


@lru_cache(maxsize=16)
def _points(points: frozenset[BranchPoint]) -> str | None:
    """Return the standpoints in the form ``takes`` compares: a commit id contains no space."""
    return as_json([_point(one) for one in points]) if points else None


def _point(point: BranchPoint) -> str:
    branch = "" if point.branch is None else f" {point.branch}"
    return f"{point.is_aside:d}{point.is_shared:d} {point.head}{branch}"
