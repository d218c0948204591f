"""Reads the changes of commits: their files, and the patch-id that copies share.

Finds ranges of commits that may have been squashed into one commit.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from holdfast.adapters.git.reading.repository import ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.graph import CommitNode
    from holdfast.adapters.git.reading.repository import Repository


Found = TypeVar("Found")

_MOST_NAMED = 200
_DIFF = ("diff-tree", "--root", "-r", "--no-renames")
# The diff options; with them, the patch-id of a change is the same everywhere.
PATCH = (*_DIFF, "-p", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color")


class CommitStep(NamedTuple):
    """The change between two commits; without a first one, from the commit's parent or nothing."""

    base: str | None
    end: str


def patch_ids(repository: Repository, steps: Sequence[CommitStep]) -> Mapping[CommitStep, str]:
    """Return the stable patch-id of each step; an empty change has none.

    Renames are not detected and white space is ignored, as in ``git patch-id``.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    if not steps:
        return {}
    ordered = sorted(set(steps), key=lambda step: (step.end, step.base or ""))
    diffs = asked(repository, *PATCH, "--stdin", given=given(ordered))
    words = asked(repository, "patch-id", "--stable", given=diffs)
    found: dict[str, list[str]] = defaultdict(list)
    for line in words.decode("ascii", "replace").splitlines():
        patch, _, end = line.partition(" ")
        found[end].append(patch)
    return dict(paired(ordered, found))


def patches_of(repository: Repository, commits: Collection[str]) -> Mapping[str, str]:
    """Return the patch-id of each commit that changes something and is no merge.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    found = patch_ids(repository, [CommitStep(None, commit) for commit in commits])
    return {step.end: patch for step, patch in found.items()}


def changes(
    repository: Repository, steps: Sequence[CommitStep], *, among: Collection[bytes] = ()
) -> Mapping[CommitStep, Mapping[bytes, str]]:
    """Return the files that each step changes, with the old and new modes and hashes.

    If some files are named, and they are not too many, only those are compared.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    if not steps:
        return {}
    ordered = sorted(set(steps), key=lambda step: (step.end, step.base or ""))
    paths = sorted(os.fsdecode(path) for path in among) if len(among) <= _MOST_NAMED else ()
    words = asked(
        repository,
        *("--literal-pathspecs", *_DIFF, "--stdin", "--raw", "-z", "--", *paths),
        given=given(ordered),
    )
    found: dict[str, list[dict[bytes, str]]] = defaultdict(list)
    parts = iter(words.split(b"\0"))
    files: dict[bytes, str] = {}
    for part in parts:
        if part.startswith(b":"):
            files[next(parts)] = part.decode("ascii", "replace").rpartition(" ")[0]
        elif part:
            files = {}
            found[part.decode("ascii", "replace")].append(files)
    return dict(paired(ordered, found))


def paired(
    steps: Sequence[CommitStep], found: Mapping[str, list[Found]]
) -> Iterator[tuple[CommitStep, Found]]:
    """Pair each step with its result, in order; if the counts differ, the steps get none."""
    by_end: dict[str, list[CommitStep]] = defaultdict(list)
    for step in steps:
        by_end[step.end].append(step)
    for end, of_end in by_end.items():
        if len(found.get(end, ())) == len(of_end):
            yield from zip(of_end, found[end], strict=True)


def given(steps: Sequence[CommitStep]) -> bytes:
    """Return steps as ``git diff-tree --stdin`` reads them."""
    lines = (step.end if step.base is None else f"{step.end} {step.base}" for step in steps)
    return "".join(f"{line}\n" for line in lines).encode("ascii", "replace")


def asked(repository: Repository, *words: str, given: bytes) -> bytes:
    """Return the answer of git.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    status, answer, trouble = ask_git_bytes(repository, *words, given=given)
    if status != 0:
        raise OutsideUnavailableError(
            who="git", words=f"{trouble.strip()[:300]} Run 'git fsck' to see what is damaged."
        )
    return answer


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
