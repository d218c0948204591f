"""Plan a restore: which paths are written, replaced or removed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.values import dataclass
from holdfast.domain.workspaces.safe_paths import beneath
from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.domain.workspaces.tree import EntryKind
from holdfast.ports.workspaces.folders import RestoreSteps
from holdfast.usecases.workspaces.ports import absent_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.workspaces.folders import WorkspaceFolder
    from holdfast.usecases.workspaces.ports import WorkspacePorts


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreSnapshot:
    """A request to write a snapshot into a folder.

    ``paths`` are the files and folders to restore, all if empty. ``replaces`` allows to replace
    what differs; ``removes`` allows to remove what the snapshot does not have, and for a partial
    snapshot only what the restore that it undoes had added.
    """

    reference: str
    paths: tuple[str, ...] = ()
    replaces: bool = False
    removes: bool = False
    with_times: bool = False
    dry_run: bool = False


class StepKind(StrEnum):
    """What a restore does with a path."""

    CREATE = "create"
    REPLACE = "replace"
    MODE = "mode"
    REMOVE = "remove"


class RestoreStep(NamedTuple):
    """One path, and what a restore does with it."""

    kind: StepKind
    path: str


class RestorePlan(NamedTuple):
    """The steps of a restore, and what it would lose or leave alone."""

    steps: tuple[RestoreStep, ...]
    work: RestoreSteps
    unchanged: int
    lost: tuple[str, ...]


def planned_steps(
    entries: Sequence[TreeEntry],
    wish: RestoreSnapshot,
    snapshot: FolderSnapshot,
    *,
    into: WorkspaceFolder,
    ports: WorkspacePorts,
) -> RestorePlan:
    """Compare the folder with the snapshot, and decide about each path."""
    from holdfast.domain.workspace_errors import NoFolderError

    try:
        looked = into.look([one.path for one in entries])
        extra = _extra(entries, wish, snapshot, into=into, ports=ports)
    except NoFolderError:
        looked, extra = None, ()
    seen = {} if looked is None else {one.path: one for one in looked.entries}
    odd = set() if looked is None else {one.path for one in looked.omitted}
    write: list[TreeEntry] = []
    steps: list[RestoreStep] = []
    for entry in entries:
        kind = _step(entry, seen.get(entry.path), is_odd=entry.path in odd)
        if kind is not None:
            write.append(entry)
            steps.append(RestoreStep(kind, entry.path))
    steps += [RestoreStep(StepKind.REMOVE, one.path) for one in extra]
    lost = tuple(one.path for one in steps if one.kind is not StepKind.CREATE)
    work = RestoreSteps(
        write, extra, seen | {one.path: one for one in extra}, with_times=wish.with_times
    )
    unchanged = sum(_counts(one, wish) for one in entries) - sum(_counts(o, wish) for o in write)
    return RestorePlan(tuple(steps), work, unchanged, lost)


def _counts(entry: TreeEntry, wish: RestoreSnapshot) -> bool:
    """Tell whether an entry was asked for; the folders that lead to a chosen path were not."""
    return not wish.paths or any(beneath(entry.path, path.strip("/")) for path in wish.paths)


def _step(entry: TreeEntry, seen: TreeEntry | None, *, is_odd: bool) -> StepKind | None:
    """Return what to do about an entry; None if the folder has it already."""
    if seen is None:
        return StepKind.REPLACE if is_odd else StepKind.CREATE
    if seen.content != entry.content:
        return StepKind.REPLACE
    is_same = entry.kind == EntryKind.LINK or seen.mode == entry.mode
    return None if is_same else StepKind.MODE


def _extra(
    entries: Sequence[TreeEntry],
    wish: RestoreSnapshot,
    snapshot: FolderSnapshot,
    *,
    into: WorkspaceFolder,
    ports: WorkspacePorts,
) -> tuple[TreeEntry, ...]:
    """Return what the folder has and the snapshot has not, as far as a snapshot would keep it.

    A partial snapshot says nothing about most files: only those count that its restore had added.
    """
    if not wish.removes:
        return ()
    rules = TreeRules(keeps_ignored=snapshot.keeps_ignored)
    known = {one.path for one in entries}
    chosen = [path.strip("/") for path in wish.paths]
    if snapshot.is_taken:
        found = into.scan(rules, progress=ports.progress)
    else:
        found = into.look(absent_of(snapshot, ports.contents))
    return tuple(
        one
        for one in found.entries
        if one.path not in known and (not chosen or any(beneath(one.path, path) for path in chosen))
    )
