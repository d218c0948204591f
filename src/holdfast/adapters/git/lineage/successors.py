"""Finds the commits of a history that replaced others, by comparing their changes.

A copy has the same patch-id. A rewritten commit may lead from the same tree to the same tree. A
squash has the combined change of several commits: as one patch, or as the same file contents among
more files.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

from holdfast.adapters.git.lineage.comparison import (
    ChangedFiles,
    ChangedSteps,
    CommitComparison,
    OutsideRanges,
)
from holdfast.adapters.git.lineage.patches import CommitStep, changes, patch_ids
from holdfast.adapters.git.lineage.ranges import Side, concerned, history
from holdfast.adapters.git.reading.graph import (
    OutsideCommits,
    apart,
    common_start,
    is_partial,
    leading_to,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.lineage.ranges import CommitRange
    from holdfast.adapters.git.reading.graph import CommitNode
    from holdfast.adapters.git.reading.repository import Repository

MOST_APART = 5_000
MOST_LISTED = 20_000
MOST_COMPARED = 2_000
MOST_PATCHED = 500
_FEW_PATCHES = 50
_NOBODY = OutsideCommits(own={}, forks={}, is_whole=True)


def compare(
    repository: Repository,
    lost: Collection[str],
    target: str,
    *,
    tips: Collection[str] = (),
    noted: Collection[str] = (),
    is_whole_due: bool = False,
) -> CommitComparison:
    """Compare commits outside a history with those in it.

    The tips are where the lost commits may have led to; ``noted`` are patch-ids of commits that no
    longer exist. If the whole past of a lost commit is due, patches are compared only if each
    commit of that past may have a successor: otherwise the past cannot be complete. The number of
    git processes does not depend on the number of commits.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    own, forks = _apart(repository, lost, target, tips)
    after = common_start(repository, forks) if forks and not noted else None
    listed = leading_to(repository, target, after=after, most=MOST_LISTED)
    side = Side(own, forks, listed)
    aside = OutsideRanges(forks, own, side, side.commit_ranges())
    if is_partial(repository) or not (aside.commit_ranges or noted):
        return CommitComparison(aside, listed, ChangedSteps(ChangedFiles({}, {}, {})))
    chosen = _chosen(own, listed)
    files = _files(repository, aside.commit_ranges, chosen)
    commit_ranges = aside.commit_ranges
    if is_whole_due:
        trees = {node.tree for node in listed.values()}
        hopeful = _Hopeful(aside, files, chosen, trees)
        commit_ranges = hopeful.commit_ranges(
            _without_refuted(repository, hopeful, hopeful.of(lost))
        )
    changed = _changed(repository, files, commit_ranges, chosen, is_any_patch_due=bool(noted))
    return CommitComparison(aside, listed, changed)


def _apart(
    repository: Repository, lost: Collection[str], target: str, tips: Collection[str]
) -> tuple[Mapping[str, CommitNode], Mapping[str, CommitNode]]:
    """Return the commits around the lost ones, and their starts; none if there are too many."""
    found = apart(repository, {*lost, *tips}, target, MOST_APART) if lost else _NOBODY
    if not found.is_whole and tips:
        found = apart(repository, lost, target, MOST_APART)
    own = concerned(found.own, lost) if found.is_whole else {}
    parents = {parent for node in own.values() for parent in node.parents}
    return own, {name: node for name, node in found.forks.items() if name in parents}


def _chosen(own: Mapping[str, CommitNode], listed: Mapping[str, CommitNode]) -> list[CommitStep]:
    """Return the steps to compare with: those with a wanted author stamp, then the newest."""
    stamps = {node.stamp for node in own.values()}
    plain = [node for node in listed.values() if len(node.parents) <= 1]
    plain.sort(key=lambda node: node.stamp not in stamps)
    return [CommitStep(next(iter(node.parents), None), node.id) for node in plain[:MOST_COMPARED]]


def _files(
    repository: Repository, made_of: Collection[CommitRange], chosen: Sequence[CommitStep]
) -> ChangedFiles:
    """Ask git which files the ranges change, and which of these the history changes."""
    ours = changes(repository, [stretch.step for stretch in made_of])
    paths = {path for files in ours.values() for path in files}
    theirs = changes(repository, chosen, among=paths) if paths else {}
    by_file: dict[tuple[bytes, str], set[str]] = defaultdict(set)
    for step, files in theirs.items():
        for file in files.items():
            by_file[file].add(step.end)
    return ChangedFiles(ours, theirs, by_file)


class _Hopeful:
    """Finds the lost commits whose whole past may have arrived, before patches are compared.

    A commit has no successor if no range of it changes the same files as a commit of the history,
    and no tree of the history equals its own.
    """

    def __init__(
        self,
        aside: OutsideRanges,
        files: ChangedFiles,
        chosen: Collection[CommitStep],
        trees: Collection[str],
    ) -> None:
        self._aside = aside
        self._files = files
        self._steps: dict[frozenset[bytes], list[CommitStep]] = defaultdict(list)
        for step in chosen:
            if step in files.theirs:
                self._steps[frozenset(files.theirs[step])].append(step)
        self._known = {name for name, node in aside.own.items() if node.tree in trees}
        self._holding: dict[str, list[CommitRange]] = defaultdict(list)
        for stretch in aside.commit_ranges:
            if files.ends_with_all(stretch.step):
                self._known |= stretch.members
            elif self.alike(stretch):
                for member in stretch.members:
                    self._holding[member].append(stretch)

    def alike(self, stretch: CommitRange) -> Sequence[CommitStep]:
        """Return the commits of the history that change the same files as a range."""
        return self._steps.get(frozenset(self._files.ours.get(stretch.step, ())), ())

    def holding(self, commit: str) -> Sequence[CommitRange]:
        """Return the ranges with a commit whose patches may show a successor."""
        return self._holding[commit]

    def of(self, lost: Collection[str]) -> tuple[str, ...]:
        """Return the lost commits whose whole past may have a successor."""
        return tuple(
            commit
            for commit in lost
            if all(one in self._known or self._holding[one] for one in self._past(commit))
        )

    def cheapest(self, commit: str) -> list[str]:
        """Return commits of a past that few patches decide about: the cheapest, and a few more."""
        unknown = sorted(
            (self._cost(one), one) for one in self._past(commit) if one not in self._known
        )
        sums = accumulate(cost for cost, _ in unknown)
        return [
            name
            for place, ((_, name), cost) in enumerate(zip(unknown, sums, strict=True))
            if place == 0 or cost <= _FEW_PATCHES
        ]

    def commit_ranges(self, commits: Collection[str]) -> tuple[CommitRange, ...]:
        """Return the ranges that share a commit with the past of some commits."""
        wanted = {name for commit in commits for name in history([commit], self._aside.own)}
        return tuple(one for one in self._aside.commit_ranges if not wanted.isdisjoint(one.members))

    def _past(self, commit: str) -> Iterator[str]:
        return filter(self._aside.side.changes_something, history([commit], self._aside.own))

    def _cost(self, commit: str) -> int:
        return sum(1 + len(self.alike(stretch)) for stretch in self._holding[commit])


def _without_refuted(
    repository: Repository, hopeful: _Hopeful, commits: Collection[str]
) -> list[str]:
    """Return the commits without those that a few patches refute.

    One commit without a successor refutes the whole past. So the patches that are cheap to compare
    are compared first; this often saves hundreds of others.
    """
    tried = {commit: hopeful.cheapest(commit) for commit in commits}
    ranges = {one for names in tried.values() for name in names for one in hopeful.holding(name)}
    if not ranges:
        return list(tried)
    alike = {step for stretch in ranges for step in hopeful.alike(stretch)}
    patches = patch_ids(repository, [*(one.step for one in ranges), *alike])
    there = {patches[step] for step in alike if step in patches}
    replaced = {name for one in ranges if patches.get(one.step) in there for name in one.members}
    return [commit for commit, names in tried.items() if replaced.issuperset(names)]


def _changed(
    repository: Repository,
    files: ChangedFiles,
    made_of: Collection[CommitRange],
    chosen: Sequence[CommitStep],
    *,
    is_any_patch_due: bool,
) -> ChangedSteps:
    """Ask git for the patches of the steps that change the same files as a range.

    A patch takes a hundred times as long as a list of files. So if only a patch-id is known, only
    the newest commits are compared.
    """
    steps = [stretch.step for stretch in made_of]
    wanted = {frozenset(files.ours[step]) for step in steps if step in files.ours}
    due = {step for step in chosen if frozenset(files.theirs.get(step, ())) in wanted}
    due |= set(chosen[:MOST_PATCHED]) if is_any_patch_due else set()
    patches = patch_ids(repository, [*steps, *due]) if due else {}
    by_patch: dict[str, list[str]] = defaultdict(list)
    for step in due:
        if (patch := patches.get(step)) is not None:
            by_patch[patch].append(step.end)
    return ChangedSteps(files, patches, by_patch)
