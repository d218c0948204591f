"""Compare two trees: what was added, changed, renamed and removed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.workspaces.tree import EntryKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.workspaces.tree import TreeEntry


class ChangeKind(StrEnum):
    """What happened to a path between two trees."""

    ADDED = "added"
    CHANGED = "changed"
    MODE = "mode"
    RENAMED = "renamed"
    REMOVED = "removed"


class TreeChange(NamedTuple):
    """A difference: ``old`` is the entry before and ``new`` the one after; one may be missing."""

    kind: ChangeKind
    path: str
    old: TreeEntry | None
    new: TreeEntry | None

    @property
    def was(self) -> str | None:
        """The path before a rename."""
        return self.old.path if self.kind is ChangeKind.RENAMED and self.old else None


def changes_between(old: Iterable[TreeEntry], new: Iterable[TreeEntry]) -> tuple[TreeChange, ...]:
    """Return the differences by path; a file that moved with equal content is renamed.

    Times are no difference. If several removed files have the content of an added one, the file
    with the same name is taken, else the first by path.
    """
    before = {entry.path: entry for entry in old}
    after = {entry.path: entry for entry in new}
    added = [entry for path, entry in after.items() if path not in before]
    removed = {path: entry for path, entry in before.items() if path not in after}
    found = [
        TreeChange(kind, path, before[path], entry)
        for path, entry in after.items()
        if path in before and (kind := _kind(before[path], entry)) is not None
    ]
    sources = _by_content(removed.values())
    for entry in sorted(added):
        source = _source(entry, sources)
        if source is None:
            found.append(TreeChange(ChangeKind.ADDED, entry.path, None, entry))
        else:
            del removed[source.path]
            found.append(TreeChange(ChangeKind.RENAMED, entry.path, source, entry))
    found += [TreeChange(ChangeKind.REMOVED, path, entry, None) for path, entry in removed.items()]
    return tuple(sorted(found, key=lambda change: change.path))


def _kind(old: TreeEntry, new: TreeEntry) -> ChangeKind | None:
    if old.content != new.content:
        return ChangeKind.CHANGED
    return ChangeKind.MODE if old.mode != new.mode else None


def _by_content(removed: Iterable[TreeEntry]) -> dict[tuple[str, str, str], list[TreeEntry]]:
    """Return the entries that something may have been renamed from; empty files prove nothing."""
    found: dict[tuple[str, str, str], list[TreeEntry]] = {}
    for entry in sorted(removed):
        if entry.kind == EntryKind.LINK or entry.size:
            found.setdefault(entry.content, []).append(entry)
    return found


def _source(
    entry: TreeEntry, sources: dict[tuple[str, str, str], list[TreeEntry]]
) -> TreeEntry | None:
    """Take the removed entry that an added one was renamed from; None if there is none."""
    same = sources.get(entry.content)
    if not same:
        return None
    name = entry.path.rpartition("/")[2]
    named = [place for place, one in enumerate(same) if one.path.rpartition("/")[2] == name]
    return same.pop(named[0] if named else 0)


def counted(changes: Sequence[TreeChange]) -> dict[ChangeKind, int]:
    """Return how many changes of each kind there are."""
    return {kind: sum(one.kind is kind for one in changes) for kind in ChangeKind}
