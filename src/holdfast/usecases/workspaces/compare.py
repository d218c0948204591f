"""List, show and compare snapshots."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import NoSuchPathError
from holdfast.domain.workspaces.changes import TreeChange, changes_between
from holdfast.domain.workspaces.safe_paths import beneath
from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.domain.workspaces.tree import EntryKind
from holdfast.usecases.naming import check_limit
from holdfast.usecases.workspaces.ports import absent_of, entries_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.domain.workspaces.snapshot import FolderSnapshot, Workspace
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.usecases.workspaces.ports import WorkspacePorts

_LARGEST_TEXT = 1024 * 1024
_CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSnapshots:
    """Snapshots, newest first, and their workspaces by id."""

    snapshots: tuple[FolderSnapshot, ...]
    workspaces: dict[str, Workspace]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSnapshot:
    """A snapshot with its workspace and its entries."""

    snapshot: FolderSnapshot
    workspace: Workspace
    entries: tuple[TreeEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The differences from one snapshot to another, or to a folder; then ``new`` is None."""

    old: FolderSnapshot
    new: FolderSnapshot | None
    changes: tuple[TreeChange, ...]
    patch: tuple[str, ...] = ()


def list_snapshots(
    *, ports: WorkspacePorts, limit: int = 20, everywhere: bool = False
) -> ListedSnapshots:
    """Return the snapshots of the folder, or of every folder, newest first."""
    check_limit(limit)
    with ports.store.reading() as tx:
        workspaces = {str(one.id): one for one in tx.diary.workspaces.every()}
        here = tx.diary.workspaces.at(ports.folder.host, ports.folder.root)
        if here is None and not everywhere:
            return ListedSnapshots(snapshots=(), workspaces=workspaces)
        of = None if everywhere or here is None else here.id
        found = tx.diary.workspaces.snapshots.page(workspace=of, beyond=None, limit=limit)
    return ListedSnapshots(snapshots=tuple(found), workspaces=workspaces)


def show_snapshot(reference: str, *, ports: WorkspacePorts) -> ShownSnapshot:
    """Return a snapshot with its entries.

    Raises:
        NoSuchError: There is none with that id.
    """
    with ports.contents.using():
        with ports.store.reading() as tx:
            snapshot = snapshot_of(tx, reference, ports.folder)
            workspace = tx.diary.workspaces.get(snapshot.workspace)
        entries = entries_of(snapshot, ports.contents)
    return ShownSnapshot(snapshot=snapshot, workspace=workspace, entries=entries)


def compare(
    old: str,
    new: str | None = None,
    *,
    ports: WorkspacePorts,
    path: str | None = None,
    with_text: bool = False,
) -> Compared:
    """Compare a snapshot with another one, or with the current state of the folder of the ports.

    Of a partial snapshot only the paths are compared that it knows.

    Raises:
        NoSuchError: There is no such snapshot.
        NoSuchPathError: Neither side has the path.
    """
    with ports.contents.using():
        with ports.store.reading() as tx:
            before = snapshot_of(tx, old, ports.folder)
            after = None if new is None else snapshot_of(tx, new, ports.folder)
        first = entries_of(before, ports.contents)
        if after is None:
            rules = TreeRules(keeps_ignored=before.keeps_ignored)
            second = tuple(ports.folder.scan(rules, progress=ports.progress).entries)
        else:
            second = entries_of(after, ports.contents)
        for one in (before, after):
            if one is not None and not one.is_taken:
                first, second = _known_to(one, first, second, ports=ports)
        if path is not None:
            first, second = _chosen(first, second, path, snapshot=before.id)
        changes = changes_between(first, second)
        patch = tuple(_patch(changes, ports, is_now=after is None)) if with_text else ()
    return Compared(old=before, new=after, changes=changes, patch=patch)


def _known_to(
    partial: FolderSnapshot,
    first: Sequence[TreeEntry],
    second: Sequence[TreeEntry],
    *,
    ports: WorkspacePorts,
) -> tuple[tuple[TreeEntry, ...], tuple[TreeEntry, ...]]:
    """Return the entries of both sides whose paths a partial snapshot has or knows as absent."""
    known = {one.path for one in entries_of(partial, ports.contents)}
    known.update(absent_of(partial, ports.contents))
    old = tuple(one for one in first if one.path in known)
    return old, tuple(one for one in second if one.path in known)


def _chosen(
    first: Sequence[TreeEntry], second: Sequence[TreeEntry], path: str, *, snapshot: str
) -> tuple[tuple[TreeEntry, ...], tuple[TreeEntry, ...]]:
    chosen = path.strip("/")
    old = tuple(one for one in first if beneath(one.path, chosen))
    new = tuple(one for one in second if beneath(one.path, chosen))
    if not old and not new:
        raise NoSuchPathError(path, snapshot=snapshot)
    return old, new


def _patch(changes: Sequence[TreeChange], ports: WorkspacePorts, *, is_now: bool) -> Iterator[str]:
    """Return the changed lines of text files; the new side may be the folder itself."""
    for change in changes:
        old = _lines(change.old, lambda entry: b"".join(ports.contents.read(entry.hash)))
        if is_now:
            new = _lines(change.new, lambda entry: ports.folder.read(entry.path))
        else:
            new = _lines(change.new, lambda entry: b"".join(ports.contents.read(entry.hash)))
        if old is None or new is None or old == new:
            continue
        before = change.path if change.was is None else change.was
        yield from unified_diff(
            old, new, f"a/{before}", f"b/{change.path}", n=_CONTEXT_LINES, lineterm=""
        )


def _lines(entry: TreeEntry | None, read: Callable[[TreeEntry], bytes | None]) -> list[str] | None:
    """Return the lines of a text file; None if it is no text, or too large."""
    if entry is None:
        return []
    if entry.kind != EntryKind.FILE or entry.size > _LARGEST_TEXT:
        return None
    content = read(entry)
    if content is None or b"\0" in content:
        return None
    try:
        return content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return None
