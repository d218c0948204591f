"""Workspaces, their files, and their snapshots."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType

from holdfast.domain.choices import choose
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.values import dataclass
from holdfast.domain.workspaces.tree import OmitReason, Omitted

if TYPE_CHECKING:
    from datetime import datetime

WorkspaceId = NewType("WorkspaceId", str)
SnapshotId = NewType("SnapshotId", str)
WORKSPACE_PREFIX, SNAPSHOT_PREFIX = "w", "v"
_MEBIBYTE = 1024 * 1024
MOST_LISTED_OMISSIONS = 200
"""How many paths that were left out a snapshot names; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a snapshot may keep: bytes of one file, number of entries, bytes of all files."""

    file: int = 1024 * _MEBIBYTE
    entries: int = 200_000
    total: int = 10 * 1024 * _MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRules:
    """Which entries of a folder belong to a snapshot.

    Usually those that git ignores, git's own folder and files that look like secrets do not.
    """

    keeps_ignored: bool = False
    keeps_secrets: bool = False
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A folder on one machine whose snapshots are kept; it may belong to an agent."""

    id: WorkspaceId
    name: str
    root: str
    host: str
    created_at: datetime
    agent: str | None = None


class WorkspaceFile(NamedTuple):
    """A file of a workspace at its newest snapshot, and the snapshot that first had it so."""

    path: str
    kind: str
    mode: int
    size: int
    hash: str
    snapshot: SnapshotId


class SnapshotKind(StrEnum):
    """Why a snapshot exists."""

    TAKEN = "taken"
    """Somebody asked for it."""
    DISPLACED = "displaced"
    """A restore replaced these files; the snapshot keeps them as they were."""


class CycleMoment(StrEnum):
    """Whether the tool of a cycle had run when a snapshot was taken."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class SnapshotCycle:
    """The cycle of an agent for which a snapshot was taken, and the moment in it."""

    agent: str
    index: int
    moment: CycleMoment


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSnapshot:
    """The content of a workspace at one moment; ``manifest`` is the hash of its manifest.

    ``stored`` is how many bytes were new, after compression. ``omitted`` names what was left out;
    ``more_omitted`` counts the rest, and ``ignored`` what git ignores. ``cycle`` is the cycle of an
    agent that refers to it.
    """

    id: SnapshotId
    workspace: WorkspaceId
    taken_at: datetime
    manifest: str
    kind: SnapshotKind = SnapshotKind.TAKEN
    note: str = ""
    entries: int = 0
    size: int = 0
    stored: int = 0
    ignored: int = 0
    keeps_ignored: bool = False
    omitted: tuple[Omitted, ...] = ()
    more_omitted: int = 0
    cycle: SnapshotCycle | None = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody asked for it; the others keep what a restore replaced."""
        return self.kind is SnapshotKind.TAKEN


def workspace_json(workspace: Workspace) -> dict[str, object]:
    """Return the JSON that is stored and shown."""
    return {
        "id": workspace.id,
        "name": workspace.name,
        "root": workspace.root,
        "host": workspace.host,
        "agent": workspace.agent,
        "created_at": time_text(workspace.created_at),
    }


def workspace_from_json(shape: object) -> Workspace:
    """Read a workspace."""
    fields = Fields(shape, noun="workspace")
    return Workspace(
        id=WorkspaceId(fields.text("id")),
        name=fields.text("name"),
        root=fields.text("root"),
        host=fields.text("host"),
        agent=fields.maybe_text("agent"),
        created_at=fields.moment("created_at"),
    )


def snapshot_json(snapshot: FolderSnapshot) -> dict[str, object]:
    """Return the JSON that is stored and shown."""
    return {
        "id": snapshot.id,
        "workspace": snapshot.workspace,
        "taken_at": time_text(snapshot.taken_at),
        "manifest": snapshot.manifest,
        "kind": snapshot.kind.value,
        "note": snapshot.note,
        "entries": snapshot.entries,
        "size": snapshot.size,
        "stored": snapshot.stored,
        "ignored": snapshot.ignored,
        "all": snapshot.keeps_ignored,
        "left_out": [{"path": one.path, "reason": one.reason.value} for one in snapshot.omitted],
        "more_left_out": snapshot.more_omitted,
        "cycle": None if snapshot.cycle is None else _cycle_json(snapshot.cycle),
    }


def snapshot_from_json(shape: object) -> FolderSnapshot:
    """Read a snapshot."""
    fields = Fields(shape, noun="snapshot")
    return FolderSnapshot(
        id=SnapshotId(fields.text("id")),
        workspace=WorkspaceId(fields.text("workspace")),
        taken_at=fields.moment("taken_at"),
        manifest=fields.text("manifest"),
        kind=choose(SnapshotKind, fields.text("kind"), what="kind of snapshot"),
        note=fields.text("note"),
        entries=fields.whole("entries"),
        size=fields.whole("size"),
        stored=fields.whole("stored"),
        ignored=fields.whole("ignored"),
        keeps_ignored=bool(fields.maybe_bool("all")),
        omitted=tuple(_omitted(item) for item in fields.items("left_out")),
        more_omitted=fields.whole("more_left_out"),
        cycle=_cycle(fields.raw("cycle")),
    )


def _cycle_json(cycle: SnapshotCycle) -> dict[str, object]:
    """Return the JSON of the cycle of a snapshot."""
    return {"agent": cycle.agent, "index": cycle.index, "moment": cycle.moment.value}


def _cycle(shape: object) -> SnapshotCycle | None:
    """Read the cycle of a snapshot; most snapshots have none."""
    if shape is None:
        return None
    fields = Fields(shape, noun="cycle")
    moment = choose(CycleMoment, fields.text("moment"), what="moment")
    return SnapshotCycle(fields.text("agent"), fields.whole("index"), moment)


def _omitted(shape: object) -> Omitted:
    fields = Fields(shape, noun="path")
    reason = choose(OmitReason, fields.text("reason"), what="reason")
    return Omitted(fields.text("path"), reason)
