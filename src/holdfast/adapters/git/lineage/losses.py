"""Tells which commits a checkout lost, and how: by a reset, a rewrite, or a push of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.lineage.arrival import (
    arrived,
    branch_logs,
    contained_in,
    known_forms,
)
from holdfast.adapters.git.lineage.copies import Wanted, trails
from holdfast.adapters.git.lineage.surviving import surviving
from holdfast.adapters.git.reading.graph import is_part_of, is_shallow, not_in
from holdfast.adapters.git.reading.objects import existing
from holdfast.adapters.git.reading.refs import moves, read_refs, remote_moves, rewritten_into
from holdfast.domain.memory.anchor import LossHow
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import BranchPoint, Rewrite

_NO_BRANCH = "refs/none"
"""No branch has this name, so that only commits count, and not the names of branches."""
_RESET = ("reset:", "branch: Reset to ")
_GROWS = (
    *("commit:", "commit (initial)", "commit (merge)", "commit (cherry-pick)", "merge "),
    *("cherry-pick", "revert", "am:", "branch: Created", "clone:"),
)
_FORWARD = ": fast-forward"
"""Git writes the words of a pull or a fetch before it, such as ``pull origin main``."""


def losses(
    repository: Repository,
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
    at: str | None,
) -> Mapping[str, LossHow]:
    """Return the commits of points that are not part of a commit, by default HEAD, and how.

    A commit that was rewritten, whose change is contained, or whose lines are all there, is not
    lost.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    own = [replace(point, is_shared=False) for point in points]
    found = arrived(repository, own, known, at, _NO_BRANCH)
    # The log of a branch shows that it was rebased, but not which commits a rebase left out.
    target = read_refs(repository).tip("HEAD" if at is None else at)
    here, left_out = _told_by_head(repository, own, known, target)
    gone = [
        one
        for one in own
        if one.head not in here and (one not in found.points or one.head in left_out)
    ]
    if gone and is_shallow(repository):
        # Beyond the end of a shallow history, nothing proves that a commit is lost.
        there = existing(repository, [one.head for one in gone])
        gone = [one for one in gone if one.head in there]
    still = frozenset() if target is None else _still(repository, gone, target)
    return {point.head: _how(repository, point) for point in gone if point.head not in still}


def _still(repository: Repository, gone: Collection[BranchPoint], target: str) -> frozenset[str]:
    """Return the commits that are gone, but of which the target still has every line."""
    there = existing(repository, [one.head for one in gone]) if gone else ()
    return surviving(repository, there, target) if there else frozenset()


def _how(repository: Repository, point: BranchPoint) -> LossHow:
    """Return how the branch of a point lost its commit; without logs, it was rewritten.

    A reset to what somebody else pushed over the branch counts as that push.
    """
    if point.branch is None:
        return LossHow.REWRITTEN
    for move in remote_moves(repository, point.branch):
        if move.is_forced and is_part_of(repository, point.head, move.old):
            return LossHow.FORCE_PUSHED
    first = next(_shrinking(moves(repository, point.branch), point.head), None)
    if first is not None and first.is_forced:
        return LossHow.FORCE_PUSHED
    is_reset = first is not None and first.why.startswith(_RESET)
    return LossHow.RESET if is_reset else LossHow.REWRITTEN


def _shrinking(log: Sequence[Move], commit: str) -> Iterator[Move]:
    """Yield the moves after a branch last pointed to a commit that may take commits away."""
    return (move for move in _since(log, commit) if not _is_growing(move))


def _is_growing(move: Move) -> bool:
    is_forward = move.why.lower() == f"{move.action.lower()}{_FORWARD}"
    return is_forward or move.is_merging or move.why.startswith(_GROWS)


def _since(log: Sequence[Move], commit: str) -> Sequence[Move]:
    last = max((place for place, move in enumerate(log) if move.new == commit), default=-1)
    return log[last + 1 :]


def _told_by_head(
    repository: Repository,
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
    target: str | None,
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the commits of which the target has a form, and those that a rebase left out."""
    head = moves(repository)
    wanted = _rebased(repository, head, points, known)
    if target is None or not wanted:
        return frozenset(), frozenset()
    found = trails(repository, head, wanted)
    forms = frozenset(form for trail in found.values() for form in trail.forms)
    away = not_in(repository, forms, target)
    present = forms.difference(away)
    here = frozenset(name for name, trail in found.items() if not present.isdisjoint(trail.forms))
    left = frozenset(name for name, trail in found.items() if trail.is_left_out) - here
    return here, left.difference(contained_in(repository, left, target) if left else ())


def _rebased(
    repository: Repository,
    head: Sequence[Move],
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
) -> dict[str, Wanted]:
    """Return the commits that a log of git shows as rewritten, with the tips that this led to."""
    logs = branch_logs(repository, {point.branch for point in points if point.branch})
    wanted: dict[str, Wanted] = {}
    for point in points:
        # A branch that was deleted and not continued has no log, so that of HEAD counts.
        log = logs.get(point.branch or "") or head
        names = tuple(known_forms(point.head, known))
        tips = frozenset(tip for name in names for tip in rewritten_into(log, name))
        if tips:
            before = wanted.get(point.head, Wanted(frozenset(), frozenset()))
            wanted[point.head] = Wanted(before.forms.union(names), before.tips | tips)
    return wanted
