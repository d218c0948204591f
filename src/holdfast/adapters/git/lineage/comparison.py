"""Compares commits outside a history with those in it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.patches import CommitStep
from holdfast.adapters.git.lineage.ranges import Side, history
from holdfast.domain.memory.anchor import RewriteHow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from holdfast.adapters.git.lineage.ranges import CommitRange
    from holdfast.adapters.git.reading.graph import CommitNode


class Successor(NamedTuple):
    """A commit that replaced another, how that is known, and the others that may have done so."""

    id: str
    how: RewriteHow
    others: tuple[str, ...]


class OutsideRanges(NamedTuple):
    """The commits outside the history, and their ranges."""

    forks: Mapping[str, CommitNode]
    own: Mapping[str, CommitNode]
    side: Side
    commit_ranges: tuple[CommitRange, ...]


class ChangedFiles(NamedTuple):
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

    files: ChangedFiles
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

    def copies(self, commit: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Return a commit and its ancestors, each with the commits that have its patch-id."""
        for name in history([commit], self._aside.own):
            found = self.of(name)
            if found is not None and found.how is RewriteHow.PATCH:
                yield name, (found.id, *found.others)

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
        first = (kept or oldest_first)[0]
        return Successor(first, how, tuple(name for name in oldest_first if name != first))

    def _before(self, commit: str) -> frozenset[str]:
        """Return the listed commits that are ancestors of this one: they cannot replace it."""
        starts = self._aside.side.starts(commit)
        if starts not in self._earlier:
            self._earlier[starts] = frozenset(history(starts, self._listed))
        return self._earlier[starts]
