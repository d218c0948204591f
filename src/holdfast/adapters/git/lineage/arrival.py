"""Finds the branches that arrived: a commit contains their work, however it was brought there.

Tells whether a commit belongs to the current branch of a name, or to an earlier one.

Git deletes a branch's reflog with the branch, so a complete reflog names every commit that the
branch has pointed to since it was created. If the reflog is missing or was truncated, the commit
counts as part of the branch, and what was written there stays visible.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.commit_changes import Replacement
from holdfast.adapters.git.lineage.own_branch import OwnBranch
from holdfast.adapters.git.lineage.sameness import compared
from holdfast.adapters.git.lineage.standing import checked_out
from holdfast.adapters.git.lineage.succession import Succession
from holdfast.adapters.git.lineage.successors import compare
from holdfast.adapters.git.reading.graph import (
    is_on_main_line,
    is_part_of,
    is_shallow,
    meanings,
    not_in,
    written_before,
)
from holdfast.adapters.git.reading.refs import (
    HEADS,
    last_seen,
    moves,
    read_refs,
    rewritten_into,
    was_worked_on,
)
from holdfast.domain.memory.anchor import Arrivals, RewriteHow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.lineage.comparison import CommitComparison, Successor
    from holdfast.adapters.git.reading.refs import Move, Refs
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import BranchPoint, Rewrite


MOST_BRANCHES = 16
_LONGEST_CHAIN = 32
_SLACK_SECONDS = 7 * 24 * 3_600


def arrived(
    repository: Repository,
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
    at: str | None = None,
    home: str | None = None,
) -> Arrivals:
    """Return the branch points whose work is part of a commit, by default HEAD.

    A point without commits of its own follows its branch, and those that continue it. On a branch
    (``home``, or the named or checked-out one) everything that was learned there has arrived,
    however it was rewritten since; but not what was learned on an earlier branch of the same name.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    refs = read_refs(repository)
    branch = home or (checked_out(refs) if at is None else at.removeprefix(HEADS))
    target = refs.tip("HEAD" if at is None else at) or at
    named = frozenset(point for point in points if point.branch and point.branch == branch)
    if target is None:
        return Arrivals(points=named)
    kept = _kept(repository, branch, named, target)
    if len(kept) == len(frozenset(points)):
        return Arrivals(points=kept)
    branches = _branches(repository, refs, frozenset(points) - kept)
    continued = frozenset(point for point in points if branch in branches.of(point))
    kept |= _kept(repository, branch, continued - kept, target)
    away = frozenset(points) - kept
    looked = _look(repository, away, branches.only(away), known, target, is_past=at is not None)
    if looked is None:
        return Arrivals(points=named)
    working = frozenset(point for point in away if not point.is_shared and looked.has(point.head))
    found = {one.head: looked.successor(one.head) for one in working if one.head not in known}
    return Arrivals(
        points=kept | working | frozenset(_led_on(repository, away, working, looked)),
        successors={head: new for head, new in found.items() if new is not None},
        renamed=branches.renamed,
    )


def _kept(
    repository: Repository, branch: str | None, named: frozenset[BranchPoint], target: str
) -> frozenset[BranchPoint]:
    """Return the points that belong to a branch, not to an earlier one of the same name."""
    if branch is None or not named:
        return frozenset()
    own = OwnBranch(repository, branch)
    return frozenset(point for point in named if own.keeps(point, target))


class _Branches(NamedTuple):
    """The branches of points, each with those that continue it, and the tips of all of them."""

    names: Mapping[str, tuple[str, ...]]
    tips: Mapping[str, str]
    renamed: Mapping[str, str]

    def of(self, point: BranchPoint) -> tuple[str, ...]:
        """Return the branch of a point and the branches that continue it."""
        return self.names.get(point.branch or "", ())

    def only(self, points: Collection[BranchPoint]) -> _Branches:
        """Return the branches of some of the points, and their tips."""
        names = {point.branch: self.of(point) for point in points if point.branch}
        every = {name for later in names.values() for name in later}
        tips = {name: tip for name, tip in self.tips.items() if name in every}
        return self._replace(names=names, tips=tips)


def _branches(repository: Repository, refs: Refs, points: Collection[BranchPoint]) -> _Branches:
    succession = Succession(repository, refs)
    own = {point.branch for point in points if point.branch}
    names = {name: (name, *succession.after(name)) for name in own}
    every = {name for later in names.values() for name in later}
    tips = {name: tip for name in every if (tip := _tip(repository, refs, name)) is not None}
    renamed = {name: now for name in own if (now := succession.name_now(name)) is not None}
    return _Branches(names, tips, renamed)


class _Looked(NamedTuple):
    """The facts that git gave about points and branches, relative to one commit."""

    target: str
    branches: _Branches
    chains: Mapping[str, tuple[str, ...]]
    here: Mapping[str, str]
    away: frozenset[str]
    contained: Mapping[str, Successor]

    def has(self, name: str) -> bool:
        """Return whether the target has a commit, its replacement, or its changes."""
        return any(one not in self.away or one in self.contained for one in self._found(name))

    def successor(self, name: str) -> tuple[str, RewriteHow] | None:
        """Return the commit that brought another's work; None if the commit itself is present."""
        found = self._found(name)
        there = [one for one in found if one not in self.away]
        if there:
            return None if there[0] == self.here.get(name) else (there[0], RewriteHow.HOOK)
        new = next(self.contained[one] for one in found if one in self.contained)
        return new.id, new.how

    def _found(self, name: str) -> list[str]:
        return [self.here[one] for one in self.chains.get(name, (name,)) if one in self.here]


def _look(
    repository: Repository,
    points: Collection[BranchPoint],
    branches: _Branches,
    known: Mapping[str, Rewrite],
    target: str,
    *,
    is_past: bool,
) -> _Looked | None:
    """Ask git about all points at once; None if the target commit does not exist."""
    chains = _chains(repository, points, branches, known)
    asked = {one for chain in chains.values() for one in chain} | set(branches.tips.values())
    here = meanings(repository, [target, *sorted(asked)]).commits
    if target not in here:
        return None
    away = not_in(repository, {here[one] for one in asked if one in here}, here[target])
    looked = _Looked(here[target], branches, chains, here, frozenset(away), {})
    due = frozenset(_of_newest_branches(points, looked, away))
    if due and is_past:
        # Work that was written after the target cannot be in it, so it need not be compared.
        due = written_before(repository, due, here[target], slack=_SLACK_SECONDS)
    if not due:
        return looked
    is_cut = is_shallow(repository)
    return looked._replace(contained=_contained(repository, due, here[target], is_cut=is_cut))


def _chains(
    repository: Repository,
    points: Collection[BranchPoint],
    branches: _Branches,
    known: Mapping[str, Rewrite],
) -> dict[str, tuple[str, ...]]:
    """Return each commit with its replacements, from the store or from git's reflog."""
    logs = {name: _log(repository, later) for name, later in branches.names.items()}
    others = moves(repository)
    chains: dict[str, dict[str, None]] = {}
    for point in points:
        log = logs.get(point.branch or "") or others
        heads = (point.head, *rewritten_into(log, point.head))
        found = (one for head in heads for one in known_forms(head, known))
        chains.setdefault(point.head, {}).update(dict.fromkeys(found))
    return {head: tuple(found) for head, found in chains.items()}


def branch_logs(repository: Repository, branches: Collection[str]) -> dict[str, Sequence[Move]]:
    """Return the reflog of each branch, or that of the nearest branch that continues it."""
    succession = Succession(repository, read_refs(repository))
    return {name: _log(repository, (name, *succession.after(name))) for name in branches}


def _log(repository: Repository, names: Iterable[str]) -> Sequence[Move]:
    """Return the first reflog of these branches that is not empty."""
    return next(filter(None, (moves(repository, name) for name in names)), [])


def known_forms(head: str, known: Mapping[str, Rewrite]) -> Iterator[str]:
    """Return a commit and its known replacements."""
    name = head
    for _ in range(_LONGEST_CHAIN):
        yield name
        if name not in known:
            return
        name = known[name].new


def _tip(repository: Repository, refs: Refs, branch: str) -> str | None:
    """Return the tip of a branch, or its last known tip."""
    return refs.tip(f"{HEADS}{branch}") or last_seen(repository, branch)


def _of_newest_branches(
    points: Iterable[BranchPoint], looked: _Looked, away: tuple[str, ...]
) -> Iterator[str]:
    """Return the missing commits, limited to the branches that moved last."""
    branches: dict[str, set[str | None]] = {}
    for point in points:
        tips = (looked.branches.tips.get(one, point.head) for one in looked.branches.of(point))
        for name in (*looked.chains[point.head], *tips):
            if name in looked.here:
                branches.setdefault(looked.here[name], set()).add(point.branch)
    chosen: set[str | None] = set()
    for commit in away:
        if len(chosen | branches[commit]) <= MOST_BRANCHES:
            chosen |= branches[commit]
            yield commit


def contained_in(
    repository: Repository, commits: frozenset[str], target: str
) -> Mapping[str, Successor]:
    """Return the commits whose changes another one contains, each with the commit that has it."""
    return _contained(repository, commits, target, is_cut=is_shallow(repository))


@lru_cache(maxsize=64)
def _contained(
    repository: Repository, commits: frozenset[str], target: str, *, is_cut: bool
) -> Mapping[str, Successor]:
    """Return the commits whose changes the target contains; for given commits it is constant.

    Only a shallow history may grow, so its result is cached separately.
    """
    comparison = compare(repository, commits, target, is_whole_due=True)
    found = {commit: comparison.with_all_of(commit) for commit in commits}
    arrived = {commit: new for commit, new in found.items() if new is not None}
    due = [commit for commit, new in arrived.items() if new.how is not RewriteHow.TREE]
    unlike = _unlike(repository, comparison, due)
    return {commit: new for commit, new in arrived.items() if commit not in unlike}


def _unlike(
    repository: Repository, comparison: CommitComparison, commits: Collection[str]
) -> frozenset[str]:
    """Return the commits that have an ancestor whose copies all make another change.

    A copy has the same patch-id, which ignores white space and the place in a file.
    """
    copies = {commit: dict(comparison.copies(commit)) for commit in commits}
    pairs = {
        Replacement(old, new)
        for several in copies.values()
        for old, names in several.items()
        for new in names
    }
    made = compared(repository, pairs)
    return frozenset(
        commit
        for commit, several in copies.items()
        for old, names in several.items()
        if not any(made.get(Replacement(old, new), True) for new in names)
    )


def _led_on(
    repository: Repository,
    points: Collection[BranchPoint],
    working: Collection[BranchPoint],
    looked: _Looked,
) -> Iterator[BranchPoint]:
    """Return the points without commits of their own whose branch led to arrived commits."""
    shared = [point for point in points if point.is_shared and point.head in looked.here]
    branches = sorted({point.branch for point in shared if point.branch})[:MOST_BRANCHES]
    known: dict[tuple[str, str], bool] = {}
    for point in shared:
        if point.branch not in branches:
            continue
        for branch in looked.branches.of(point):
            key = (branch, point.head)
            if key not in known:
                later = {one.head for one in working if one.branch == branch} - {point.head}
                known[key] = _went_on(repository, branch, point.head, sorted(later), looked)
        if any(known[branch, point.head] for branch in looked.branches.of(point)):
            yield point


def _went_on(
    repository: Repository, branch: str, start: str, later: Sequence[str], looked: _Looked
) -> bool:
    """Return whether a branch continued from a start to commits that arrived."""
    own = OwnBranch(repository, branch)
    is_own = own.stood_at(start)
    # An earlier branch of the same name did not lead to the commits of this branch.
    if any(
        # A commit that is gone arrived as another one; its history cannot be walked any more.
        head not in looked.here or is_part_of(repository, start, looked.here[head])
        for head in later
        if own.stood_at(head) == is_own
    ):
        return True
    return is_own and _branch_arrived(repository, branch, start, looked)


def _branch_arrived(repository: Repository, branch: str, start: str, looked: _Looked) -> bool:
    """Return whether a branch got commits after a start, and the target contains them."""
    tip = looked.branches.tips.get(branch)
    if tip is None or tip == start or tip not in looked.here or not looked.has(tip):
        return False
    if not is_part_of(repository, start, tip):
        return False
    if tip in looked.away:
        return True
    # A branch that only followed the main branch looks like one that was merged unchanged.
    return not is_on_main_line(repository, tip, looked.target, after=start) or was_worked_on(
        repository, branch, tip
    )
