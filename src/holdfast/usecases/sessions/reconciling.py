"""Reconciling: find out what git did between the last turn of a session and the checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import NoSuchRevisionError
from holdfast.domain.memory.anchor import CommitName, CommitPosition, LossHow
from holdfast.domain.sessions.reconciling import Happened, Reconciliation
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import known_rewrites

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.memory.anchor import BranchPoint, Rewrite
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.store.store import Transaction

_NO_BRANCH = "refs/none"
"""No branch has this name, so that only commits count, and not the names of branches."""
_ON_THE_BRANCH = {
    CommitPosition.REACHABLE: Happened.MOVED_ON,
    CommitPosition.REWRITTEN: Happened.REBASED,
}
_LOSSES = {
    LossHow.RESET: Happened.RESET,
    LossHow.REWRITTEN: Happened.REWRITTEN,
    LossHow.FORCE_PUSHED: Happened.FORCE_PUSHED,
}
_PART_OF_IT = frozenset({CommitPosition.REACHABLE, CommitPosition.REWRITTEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingCheckout:
    """What is checked out, and the verifier that compares it with other commits."""

    surroundings: Surroundings
    verifier: Verifier | None


def what_happened(
    was: BranchPoint | None, *, checkout: WorkingCheckout, tx: Transaction
) -> Reconciliation:
    """Return what happened since a branch point, and what can be done about it.

    ``was`` is the branch and the commit of the last turn of a session. Nothing is changed.

    Raises:
        OutsideUnavailableError: Git is missing, or cannot read the repository.
    """
    now = checkout.surroundings.branch_point()
    if was is None or now is None or checkout.verifier is None:
        return Reconciliation(happened=Happened.NO_HISTORY, was=was, now=now)
    if (was.branch, was.head) == (now.branch, now.head):
        return Reconciliation(happened=Happened.SAME, was=was, now=now, commit=now.head)
    known = known_rewrites(checkout.surroundings.place().repo, [was.head], tx=tx)
    position, commit = _fate(was, known, checkout.verifier)
    lost = None
    if position is not CommitPosition.REACHABLE:
        lost = checkout.verifier.losses([was], known).get(was.head)
    if lost is not None:
        position, commit = CommitPosition.LOST, None
    elif position is CommitPosition.LOST and _is_known(was.head, checkout.verifier):
        # The commit is there to compare with, and nothing of its work is missing.
        position, commit = CommitPosition.REWRITTEN, now.head
    if was.branch != now.branch:
        happened = _elsewhere(was, now, position, checkout.verifier)
    elif lost is not None:
        happened = _LOSSES[lost]
    else:
        happened = _ON_THE_BRANCH.get(position, Happened.NO_HISTORY)
    return Reconciliation(happened=happened, was=was, now=now, commit=commit)


def lost_commits(
    points: Iterable[BranchPoint],
    *,
    checkout: WorkingCheckout,
    tx: Transaction,
    branch: str | None = None,
) -> frozenset[str]:
    """Return the commits of points whose work is not part of the checkout, or of a branch.

    Branches do not count, only commits: their own, those that replaced them, and squashes.

    Raises:
        OutsideUnavailableError: Git is missing, or cannot read the repository.
    """
    now = None if branch is not None else checkout.surroundings.branch_point()
    asked = {one.head: one for one in points if now is None or one.head != now.head}
    if checkout.verifier is None or not asked:
        return frozenset()
    known = known_rewrites(checkout.surroundings.place().repo, asked, tx=tx)
    at = None if branch is None else f"refs/heads/{branch}"
    return frozenset(checkout.verifier.losses(asked.values(), known, at=at))


def commits_now(
    heads: Iterable[str], *, checkout: WorkingCheckout, tx: Transaction
) -> dict[str, str]:
    """Return the commits whose work is in the checkout, with the commit that has it now.

    Raises:
        OutsideUnavailableError: Git is missing, or cannot read the repository.
    """
    asked = sorted(heads)
    if checkout.verifier is None or not asked:
        return {}
    known = known_rewrites(checkout.surroundings.place().repo, asked, tx=tx)
    fates = checkout.verifier.fates([CommitName(id=head) for head in asked], known)
    return {
        head: fate.now or head for head, fate in fates.items() if fate.whereabouts in _PART_OF_IT
    }


def _fate(
    was: BranchPoint, known: Mapping[str, Rewrite], verifier: Verifier
) -> tuple[CommitPosition, str | None]:
    """Return where a commit is, and the commit that has its work now."""
    fate = verifier.fates([CommitName(id=was.head)], known).get(was.head)
    if fate is not None and fate.whereabouts in _PART_OF_IT:
        return fate.whereabouts, fate.now or was.head
    # The log of a branch names commits that replaced others with another change: an amendment.
    point = replace(was, is_shared=False)
    found = verifier.arrived([point], known, home=_NO_BRANCH)
    if point not in found.points:
        return CommitPosition.LOST, None
    return CommitPosition.REWRITTEN, found.successors.get(was.head, (None,))[0]


def _elsewhere(
    was: BranchPoint, now: BranchPoint, position: CommitPosition, verifier: Verifier
) -> Happened:
    """Return what happened if another branch is checked out than that of the last turn."""
    is_left = was.branch is None or not _is_known(f"refs/heads/{was.branch}", verifier)
    # A branch without commits of its own has nothing that could have been merged, and another side
    # branch at the same commit was only just begun there.
    is_begun = was.head == now.head and now.is_aside
    if position in _PART_OF_IT and (is_left or not (was.is_shared or is_begun)):
        return Happened.MERGED
    return Happened.BRANCH_GONE if is_left else Happened.OTHER_BRANCH


def _is_known(revision: str, verifier: Verifier) -> bool:
    try:
        verifier.resolve(revision)
    except NoSuchRevisionError:
        return False
    return True
