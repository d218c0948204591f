"""Tells which commits a checkout lost, and how: by a reset, a rewrite, or a push of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.lineage.arrival import arrived, contained_in
from holdfast.adapters.git.reading.graph import is_part_of, is_shallow
from holdfast.adapters.git.reading.objects import existing
from holdfast.adapters.git.reading.refs import moves, read_refs, remote_moves
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.memory.anchor import LossHow
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import BranchPoint, Rewrite

_NO_BRANCH = "refs/none"
"""No branch has this name, so that only commits count, and not the names of branches."""
_FORCED = "forced-update"
_RESET = ("reset:", "branch: Reset to ")
_GROWS = (
    *("commit:", "commit (initial)", "commit (merge)", "merge ", "cherry-pick", "revert", "am:"),
    *("pull: Fast-forward", "pull: Merge", "branch: Created", "clone:"),
)
_START, _FINISH = "(start)", "(finish)"
_RETURN = "returning to refs/heads/"
_COPIES = frozenset({"(pick)", "(continue)", "(reword)"})


def losses(
    repository: Repository,
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
    at: str | None,
) -> Mapping[str, LossHow]:
    """Return the commits of points that are not part of a commit, by default HEAD, and how.

    A commit that was rewritten, or whose change is contained, is not lost.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    own = [replace(point, is_shared=False) for point in points]
    found = arrived(repository, own, known, at, _NO_BRANCH)
    # The log of a branch shows that it was rebased, but not which commits a rebase left out.
    doubtful = {one.head: one.branch or "" for one in own if one.head in found.successors}
    dropped = _dropped(repository, doubtful, at)
    gone = [one for one in own if one not in found.points or one.head in dropped]
    if gone and is_shallow(repository):
        # Beyond the end of a shallow history, nothing proves that a commit is lost.
        here = existing(repository, [one.head for one in gone])
        gone = [one for one in gone if one.head in here]
    return {point.head: _how(repository, point) for point in gone}


def _how(repository: Repository, point: BranchPoint) -> LossHow:
    """Return how the branch of a point lost its commit; without logs, it was rewritten.

    A reset to what somebody else pushed over the branch counts as that push.
    """
    if point.branch is None:
        return LossHow.REWRITTEN
    for move in remote_moves(repository, point.branch):
        if _FORCED in move.why and is_part_of(repository, point.head, move.old):
            return LossHow.FORCE_PUSHED
    first = next(_shrinking(moves(repository, point.branch), point.head), None)
    if first is not None and _FORCED in first.why:
        return LossHow.FORCE_PUSHED
    is_reset = first is not None and first.why.startswith(_RESET)
    return LossHow.RESET if is_reset else LossHow.REWRITTEN


def _shrinking(log: Sequence[Move], commit: str) -> Iterator[Move]:
    """Yield the moves after a branch last pointed to a commit that may take commits away."""
    return (move for move in _since(log, commit) if not move.why.startswith(_GROWS))


def _since(log: Sequence[Move], commit: str) -> Sequence[Move]:
    last = max((place for place, move in enumerate(log) if move.new == commit), default=-1)
    return log[last + 1 :]


def _dropped(repository: Repository, commits: Mapping[str, str], at: str | None) -> frozenset[str]:
    """Return the commits that a rebase of their branch left out: it copied none like them."""
    log = moves(repository)
    if not commits or not any(_START in move.why for move in log):
        return frozenset()
    ask = ("log", "--no-walk=unsorted", "--no-show-signature", "--format=%H %s", *commits, "--")
    status, words, _ = ask_git(repository, *ask)
    if status != 0:
        return frozenset()
    subjects = dict(line.split(" ", 1) for line in words.splitlines() if " " in line)
    left = frozenset(
        commit
        for commit, subject in subjects.items()
        if _is_left_out(_since(log, commit), f"{_RETURN}{commits[commit]}", subject)
    )
    target = read_refs(repository).tip("HEAD" if at is None else at)
    if not left or target is None:
        return frozenset()
    return left - frozenset(contained_in(repository, left, target))


def _is_left_out(log: Sequence[Move], end: str, subject: str) -> bool:
    """Return whether a rebase that ended so copied no commit with a subject."""
    copied: list[str] | None = None
    for move in log:
        step, _, said = move.why.partition(": ")
        kind = step.rpartition(" ")[2]
        if kind == _START:
            copied = []
        elif copied is not None and kind == _FINISH:
            # What was done on no branch is not part of a rebase that returns to one.
            is_its = said == end or (end == _RETURN and said.startswith(end))
            if is_its and subject not in copied:
                return True
            copied = None
        elif copied is not None and kind in _COPIES:
            copied.append(said)
        elif copied is not None:
            copied = None  # commits were joined or edited: this log does not tell which
    return False
