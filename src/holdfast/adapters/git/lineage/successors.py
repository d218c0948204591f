"""Finds the commits of a history that replaced others, by comparing their changes.

A copy has the same patch-id. A rewritten commit may lead from the same tree to the same tree. A
squash has the combined change of several commits: as one patch, or as the same file contents among
more files.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.patches import (
    CommitStep,
    Side,
    changes,
    concerned,
    history,
    patch_ids,
)
from holdfast.adapters.git.reading.graph import (
    OutsideCommits,
    apart,
    common_start,
    is_partial,
    leading_to,
)
from holdfast.domain.memory.anchor import RewriteHow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.lineage.patches import CommitRange
    from holdfast.adapters.git.reading.graph import CommitNode
    from holdfast.adapters.git.reading.repository import Repository

MOST_APART = 5_000
MOST_LISTED = 20_000
MOST_COMPARED = 2_000
MOST_PATCHED = 500
_FEW_PATCHES = 50
_NOBODY = OutsideCommits(own={}, forks={}, is_whole=True)


class Successor(NamedTuple):
    """A commit that replaced another, how that is known, and how many others are possible."""

    id: str
    how: RewriteHow
    rivals: int


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
        return CommitComparison(aside, listed, ChangedSteps(_Files({}, {}, {})))
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


class OutsideRanges(NamedTuple):
    """The commits outside the history, and their ranges."""

    forks: Mapping[str, CommitNode]
    own: Mapping[str, CommitNode]
    side: Side
    commit_ranges: tuple[CommitRange, ...]


class _Files(NamedTuple):
    """The files that each range changes, and those that each commit of the history changes."""

    ours: Mapping[CommitStep, Mapping[bytes, str]]
    theirs: Mapping[CommitStep, Mapping[bytes, str]]
    by_file: Mapping[tuple[bytes, str], set[str]]

    def ends_with_all(self, step: CommitStep) -> set[str]:
        """Return the commits of the history that make the same file changes, or more."""
        sets = [self.by_file.get(file, set()) for file in self.ours.get(step, {}).items()]
        return set.intersection(*sets) if sets else set()


class ChangedSteps(NamedTuple):
    """The file changes of steps, their patch-ids, and the commits of the history with these."""

    files: _Files
    patches: Mapping[CommitStep, str] = {}
    by_patch: Mapping[str, list[str]] = {}


class CommitComparison:
    """Commits outside a history, the commits in it, and what they have in common."""

    def __init__(
        self, aside: OutsideRanges, listed: Mapping[str, CommitNode], changed: ChangedSteps
    ) -> None:
        self._aside = aside
        self._listed = listed
        self._changed = changed
        self._age = {name: place for place, name in enumerate(listed)}
        self._earlier: dict[frozenset[str], frozenset[str]] = {}
        self._found: dict[str, Successor | None] = {}
        self._by_tree: dict[str, list[str]] = defaultdict(list)
        for node in listed.values():
            self._by_tree[node.tree].append(node.id)

    def of(self, commit: str) -> Successor | None:
        """Return the commit that replaced one outside the history, or None."""
        if commit not in self._found:
            self._found[commit] = self._sought(commit) if commit in self._aside.own else None
        return self._found[commit]

    def of_patch(self, patch: str) -> Successor | None:
        """Return the commit with a patch-id, or None."""
        found = self._changed.by_patch.get(patch)
        return self._best(found, RewriteHow.PATCH, None) if found else None

    def with_all_of(self, commit: str) -> Successor | None:
        """Return the commit that completes the changes of a commit and its ancestors, or None."""
        if commit not in self._aside.own:
            return None
        if same := set(self._same_tree(commit)) - self._before(commit):
            return self._best(same, RewriteHow.TREE, self._aside.own[commit].stamp)
        names = list(history([commit], self._aside.own))
        found: list[Successor] = []
        for name in filter(self._aside.side.changes_something, names):
            if (one := self.of(name)) is None:
                return None
            found.append(one)
        return min(found, key=lambda one: self._age[one.id], default=None)

    def _sought(self, commit: str) -> Successor | None:
        earlier = self._before(commit)
        stamp = self._aside.own[commit].stamp
        for how, names in self._candidates(commit):
            if found := set(names) - earlier:
                return self._best(found, how, stamp)
        return None

    def _candidates(self, commit: str) -> Iterator[tuple[RewriteHow, Iterable[str]]]:
        """Return the possible replacements of a commit, the most certain kind first."""
        changed = self._changed
        holding = [one for one in self._aside.commit_ranges if commit in one.members]
        for stretch in holding:
            if len(stretch.members) == 1:
                yield RewriteHow.PATCH, self._same_patch(stretch)
        yield RewriteHow.TREE, self._from_tree_to_tree(commit)
        for stretch in holding:
            yield RewriteHow.SQUASH, self._same_patch(stretch)
        for stretch in holding:
            yield RewriteHow.SQUASH, changed.files.ends_with_all(stretch.step)

    def _same_patch(self, stretch: CommitRange) -> Iterable[str]:
        return self._changed.by_patch.get(self._changed.patches.get(stretch.step, ""), ())

    def _same_tree(self, commit: str) -> Iterable[str]:
        """Return the commits with the same tree, unless the tree is that of the start."""
        tree = self._aside.own[commit].tree
        if tree in {fork.tree for fork in self._aside.forks.values()}:
            return ()
        return self._by_tree.get(tree, ())

    def _from_tree_to_tree(self, commit: str) -> Iterable[str]:
        """Return the commits with the same tree whose parent's tree also led to the commit.

        Only such a commit certainly makes the change itself, rather than following it.
        """
        own, forks = self._aside.own, self._aside.forks
        before = {own[name].tree for name in history(own[commit].parents, own)}
        before |= {forks[name].tree for name in self._aside.side.starts(commit) if name in forks}
        for name in self._same_tree(commit):
            parent = next(iter(self._listed[name].parents), None)
            found = self._listed.get(parent or "") or forks.get(parent or "")
            if parent is None or (found is not None and found.tree in before):
                yield name

    def _best(self, found: Collection[str], how: RewriteHow, stamp: str | None) -> Successor:
        """Choose the commit with the same author stamp, else the oldest."""
        oldest_first = sorted(set(found), key=lambda name: -self._age[name])
        kept = [name for name in oldest_first if self._listed[name].stamp == stamp]
        return Successor((kept or oldest_first)[0], how, len(oldest_first) - 1)

    def _before(self, commit: str) -> frozenset[str]:
        """Return the listed commits that are ancestors of this one: they cannot replace it."""
        starts = self._aside.side.starts(commit)
        if starts not in self._earlier:
            self._earlier[starts] = frozenset(history(starts, self._listed))
        return self._earlier[starts]


def _chosen(own: Mapping[str, CommitNode], listed: Mapping[str, CommitNode]) -> list[CommitStep]:
    """Return the steps to compare with: those with a wanted author stamp, then the newest."""
    stamps = {node.stamp for node in own.values()}
    plain = [node for node in listed.values() if len(node.parents) <= 1]
    plain.sort(key=lambda node: node.stamp not in stamps)
    return [CommitStep(next(iter(node.parents), None), node.id) for node in plain[:MOST_COMPARED]]


def _files(
    repository: Repository, made_of: Collection[CommitRange], chosen: Sequence[CommitStep]
) -> _Files:
    """Ask git which files the ranges change, and which of these the history changes."""
    ours = changes(repository, [stretch.step for stretch in made_of])
    paths = {path for files in ours.values() for path in files}
    theirs = changes(repository, chosen, among=paths) if paths else {}
    by_file: dict[tuple[bytes, str], set[str]] = defaultdict(set)
    for step, files in theirs.items():
        for file in files.items():
            by_file[file].add(step.end)
    return _Files(ours, theirs, by_file)


class _Hopeful:
    """Finds the lost commits whose whole past may have arrived, before patches are compared.

    A commit has no successor if no range of it changes the same files as a commit of the history,
    and no tree of the history equals its own.
    """

    def __init__(
        self,
        aside: OutsideRanges,
        files: _Files,
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
    files: _Files,
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
