"""Chooses the fastest query for a selection, and its parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Value, as_json, maybe_millis
from holdfast.adapters.sqlite.memory.memory_rows import near_hash
from holdfast.domain.choices import Scope, Status
from holdfast.domain.memory.selection import Selection

if TYPE_CHECKING:
    from holdfast.domain.memory.branch_point import BranchPoint

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
        "as_of": maybe_millis(selection.as_of),
        "branch": selection.branch,
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
