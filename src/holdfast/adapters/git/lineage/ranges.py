"""Ranges of commits outside a history, each with its combined change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.graph import CommitNode
from holdfast.adapters.git.lineage.patches import CommitStep

MOST_STRETCHES = 1_000
_MOST_TIPS = 64
_LONGEST_PIECED = 16
_LONGEST_FOLLOWED = 200


class CommitRange(NamedTuple):
    """A range of consecutive commits, and their combined change."""

    members: frozenset[str]
    step: CommitStep


class Side:
    """Commits outside a history, and the commits of the history they start from."""

    def __init__(
        self,
        own: Mapping[str, CommitNode],
        forks: Mapping[str, CommitNode],
        listed: Mapping[str, CommitNode],
    ) -> None:
        self._own = own
        self._forks = forks
        self._listed = listed
        self._starts: dict[str, frozenset[str]] = {}
        self._best: dict[frozenset[str], str | None] = {}

    def commit_ranges(self) -> tuple[CommitRange, ...]:
        """Return the ranges that change something, longest first."""
        found: dict[CommitStep, CommitRange] = {}
        for stretch in self._all():
            if len(found) < MOST_STRETCHES or len(stretch.members) == 1:
                found.setdefault(stretch.step, stretch)
        return tuple(sorted(found.values(), key=lambda one: (-len(one.members), one.step.end)))

    def changes_something(self, commit: str) -> bool:
        """Return whether a commit changes files; false for a merge."""
        step = _alone(self._own[commit])
        return step is not None and self._is_between_unequal_trees(step)

    def starts(self, commit: str) -> frozenset[str]:
        """Return the commits of the history from which a commit outside it starts."""
        if commit not in self._starts:
            self._starts[commit] = frozenset(
                parent
                for name in history([commit], self._own)
                for parent in self._own[name].parents
                if parent not in self._own
            )
        return self._starts[commit]

    def _all(self) -> Iterator[CommitRange]:
        for name, node in self._own.items():
            step = _alone(node)
            if step is not None and self._is_between_unequal_trees(step):
                yield CommitRange(frozenset({name}), step)
        for tip in self._tips():
            for stretch in self._together(tip):
                if self._is_between_unequal_trees(stretch.step):
                    yield stretch

    def _together(self, tip: str) -> Iterator[CommitRange]:
        chain = list(_first_parents(tip, self._own))
        for end in chain if len(chain) <= _LONGEST_FOLLOWED else chain[:1]:
            base = self._best_start(end)
            if base is not None:
                yield CommitRange(frozenset(history([end], self._own)), CommitStep(base, end))
        if len(chain) <= _LONGEST_PIECED:
            yield from self._pieces(chain)

    def _pieces(self, chain: Sequence[str]) -> Iterator[CommitRange]:
        """Return every part of a chain without a merge, newest first."""
        for last in range(len(chain)):
            for first in range(last, len(chain)):
                parents = self._own[chain[first]].parents
                if len(parents) != 1:
                    break
                members = frozenset(chain[last : first + 1])
                yield CommitRange(members, CommitStep(parents[0], chain[last]))

    def _best_start(self, commit: str) -> str | None:
        """Return the start that all other starts lead to: the last merge of the history."""
        starts = self.starts(commit)
        if starts not in self._best:
            self._best[starts] = self._newest_of(starts)
        return self._best[starts]

    def _newest_of(self, starts: frozenset[str]) -> str | None:
        """Return the only start that is no ancestor of another; None if there are several."""
        listed = starts & self._listed.keys()
        parents = (parent for start in listed for parent in self._listed[start].parents)
        # One walk from all parents: no commit is its own ancestor.
        earlier = set(history(parents, self._listed))
        newest = (listed or starts) - earlier
        return next(iter(newest)) if len(newest) == 1 else None

    def _tips(self) -> list[str]:
        parents = {parent for node in self._own.values() for parent in node.parents}
        return [name for name in self._own if name not in parents][:_MOST_TIPS]

    def _is_between_unequal_trees(self, step: CommitStep) -> bool:
        base = self._own.get(step.base or "") or self._forks.get(step.base or "")
        return base is None or base.tree != self._own[step.end].tree


def concerned(own: Mapping[str, CommitNode], lost: Collection[str]) -> dict[str, CommitNode]:
    """Return the descendants of some commits, and all ancestors of those, newest first."""
    after: set[str] = set()
    for name in reversed(list(own)):
        if name in lost or not after.isdisjoint(own[name].parents):
            after.add(name)
    wanted = set(history(after, own))
    return {name: node for name, node in own.items() if name in wanted}


def history(starts: Iterable[str], nodes: Mapping[str, CommitNode]) -> Iterator[str]:
    """Return every ancestor of the starts that is among the nodes."""
    due, seen = list(starts), set()
    while due:
        name = due.pop()
        if name in nodes and name not in seen:
            seen.add(name)
            yield name
            due.extend(nodes[name].parents)


def _alone(node: CommitNode) -> CommitStep | None:
    """Return the change of a single commit; None for a merge."""
    return CommitStep(next(iter(node.parents), None), node.id) if len(node.parents) <= 1 else None


def _first_parents(tip: str, nodes: Mapping[str, CommitNode]) -> Iterator[str]:
    name: str | None = tip
    while name is not None and name in nodes:
        yield name
        name = next(iter(nodes[name].parents), None)
