"""Tells whether a commit that replaced another still makes the change of that other commit.

Two commits with one patch-id may differ in white space, or change another one of two equal places.
A commit may have been amended to another change, and a squash need not contain what a later commit
took back. So the changed lines themselves are compared, and the places where they are.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.commit_changes import ADDED, REMOVED, read_changes
from holdfast.adapters.git.lineage.hunk_places import HunkPlaces
from holdfast.adapters.git.lineage.shares import share_of
from holdfast.adapters.git.reading.graph import is_partial
from holdfast.adapters.git.reading.objects import blobs_at, read_blobs

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.adapters.git.lineage.commit_changes import Change, FileDiff, Replacement
    from holdfast.adapters.git.lineage.shares import ArrivedShare
    from holdfast.adapters.git.reading.repository import Repository

AT_ONCE = 250
"""How many replacements are compared with one call of git."""
MOST_COMPARED = 2_000
"""The most replacements that are compared; beyond it, the patch-ids decide alone."""
_EMPTY_FILES = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)


class Likeness(NamedTuple):
    """Whether a commit makes the whole change of another; if it does not, how much it makes."""

    is_same: bool
    share: ArrivedShare | None


def compared(repository: Repository, pairs: Collection[Replacement]) -> Mapping[Replacement, bool]:
    """Return for each replacement whether it makes the whole change of the commit it replaced.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    return {pair: found.is_same for pair, found in likenesses(repository, pairs).items()}


def likenesses(
    repository: Repository, pairs: Collection[Replacement]
) -> Mapping[Replacement, Likeness]:
    """Return for each replacement how it compares to the commit it replaced.

    A merge or an empty commit has no change to compare, and a partial clone does not have the
    files: such pairs are missing in the result, and so are those beyond a bound.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    if not pairs or is_partial(repository):
        return {}
    found: dict[Replacement, Likeness] = {}
    ordered = sorted(set(pairs))[:MOST_COMPARED]
    for start in range(0, len(ordered), AT_ONCE):
        part = ordered[start : start + AT_ONCE]
        changes = read_changes(repository, sorted({name for pair in part for name in pair}))
        known = [pair for pair in part if pair.old in changes and pair.new in changes]
        alike = {p for p in known if _has_equal_lines(changes[p.old], changes[p.new])}
        others = [pair for pair in known if pair not in alike]
        places = HunkPlaces(repository, changes, alike)
        squashes = _Squashes(repository, changes, others)
        for pair in known:
            is_same = places.are_same(pair) if pair in alike else squashes.contain(pair)
            share = None if is_same else share_of(changes[pair.old], changes[pair.new])
            found[pair] = Likeness(is_same, share)
    return found


def _has_equal_lines(one: Change, other: Change) -> bool:
    """Tell whether two commits change the same lines of the same files, wherever these are."""
    return one.keys() == other.keys() and all(
        file.modes == other[name].modes
        and [hunk.changed() for hunk in file.hunks]
        == [hunk.changed() for hunk in other[name].hunks]
        and (bool(file.hunks) or _is_same_blob(file, other[name]))
        for name, file in one.items()
    )


def _is_same_blob(one: FileDiff, other: FileDiff) -> bool:
    """Tell whether two changes of a binary file may be the same.

    If they start from different contents, nobody can tell, and the other files decide.
    """
    return one.new == other.new or one.old != other.old


class _Squashes:
    """Tells whether commits that change more, or other lines, contain the change of others."""

    def __init__(
        self,
        repository: Repository,
        changes: Mapping[str, Change],
        pairs: Collection[Replacement],
    ) -> None:
        self._changes = changes
        absent = {
            (pair.new, file.path)
            for pair in pairs
            for name, file in changes[pair.old].items()
            if name not in changes[pair.new]
        }
        self._untouched = blobs_at(repository, absent)
        wanted = {
            blob
            for pair in pairs
            for file in changes[pair.new].values()
            for blob in (file.old, file.new)
            if blob.strip("0")
        }
        wanted |= set(self._untouched.values())
        found = read_blobs(repository, sorted(wanted))
        self._lines = {blob: Counter(content.split(b"\n")) for blob, content in found.items()}

    def contain(self, pair: Replacement) -> bool:
        return all(self._contains(file, pair.new) for file in self._changes[pair.old].values())

    def _contains(self, file: FileDiff, commit: str) -> bool:
        """Tell whether what a commit leaves of a file still has the change.

        Every added line must be there, and one of them must be new. If lines were only removed,
        those that are rare must be gone. A file that is not there may have been renamed.
        """
        new = self._changes[commit]
        there = new.get(file.name)
        after = self._untouched.get((commit, file.path), "") if there is None else there.new
        if not file.hunks:
            return self._has_content(file, there, after)
        lines = self._lines.get(after)
        if added := set(file.lines(ADDED)):
            others = list(new.values()) if lines is None else [there] if there else []
            if lines is None:
                lines = sum((self._lines.get(one.new, Counter()) for one in others), Counter())
            fresh = {line for one in others for line in one.lines(ADDED)}
            return added <= lines.keys() and not added.isdisjoint(fresh)
        before = self._lines.get(after if there is None else there.old, Counter())
        return lines is None or not any(
            line in lines and before[line] <= 1 for line in file.lines(REMOVED)
        )

    @staticmethod
    def _has_content(file: FileDiff, there: FileDiff | None, after: str) -> bool:
        """Tell whether a change without lines is contained: of a mode, or of a binary file."""
        if not file.new:
            modes = {mode.split()[-1] for mode in file.modes[-1:]}
            return there is not None and modes <= {mode.split()[-1] for mode in there.modes}
        if file.new in _EMPTY_FILES or not file.new.strip("0"):
            return bool(after.strip("0")) == bool(file.new.strip("0"))
        return file.new == after or (there is not None and file.old != there.old)
