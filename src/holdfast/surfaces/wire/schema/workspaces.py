"""The ``--json`` answers of verbs about workspaces."""

from __future__ import annotations

from holdfast.domain.workspaces.changes import ChangeKind
from holdfast.domain.workspaces.snapshot import CycleMoment, SnapshotKind
from holdfast.domain.workspaces.tree import EntryKind, OmitReason
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    list_of,
    maybe,
    object_of,
    one_of,
)
from holdfast.usecases.workspaces.restore_plan import StepKind

_WORKSPACE = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "root": TEXT,
        "host": TEXT,
        "agent": maybe(TEXT),
        "created_at": MOMENT,
    }
)
_SNAPSHOT = object_of(
    {
        "id": TEXT,
        "workspace": TEXT,
        "taken_at": MOMENT,
        "manifest": TEXT,
        "kind": one_of(SnapshotKind),
        "note": TEXT,
        "entries": WHOLE,
        "size": WHOLE,
        "stored": WHOLE,
        "ignored": WHOLE,
        "all": TRUTH,
        "left_out": list_of(object_of({"path": TEXT, "reason": one_of(OmitReason)})),
        "more_left_out": WHOLE,
        "cycle": maybe(object_of({"agent": TEXT, "index": WHOLE, "moment": one_of(CycleMoment)})),
    }
)
_ENTRY = object_of(
    {
        "path": TEXT,
        "kind": one_of(EntryKind),
        "mode": TEXT,
        "size": WHOLE,
        "sha256": maybe(TEXT),
        "target": maybe(TEXT),
        "sparse": TRUTH,
    }
)
_CHANGE = object_of(
    {
        "change": one_of(ChangeKind),
        "path": TEXT,
        "was": maybe(TEXT),
        "old": maybe(_ENTRY),
        "new": maybe(_ENTRY),
    }
)
_RESTORED = object_of(
    {
        "snapshot": TEXT,
        "into": TEXT,
        "dry_run": TRUTH,
        "steps": list_of(object_of({"step": one_of(StepKind), "path": TEXT})),
        "unchanged": WHOLE,
        "displaced": maybe(TEXT),
        "aside": list_of(TEXT),
    }
)

ANSWERS: dict[str, list[Json]] = {
    "workspace snapshot": [
        object_of({"snapshot": _SNAPSHOT, "workspace": _WORKSPACE, "new": TRUTH})
    ],
    "workspace list": [
        object_of({"snapshots": list_of(_SNAPSHOT), "workspaces": list_of(_WORKSPACE)})
    ],
    "workspace show": [
        object_of({"snapshot": _SNAPSHOT, "workspace": _WORKSPACE, "entries": list_of(_ENTRY)})
    ],
    "workspace diff": [
        object_of(
            {
                "old": TEXT,
                "new": maybe(TEXT),
                "changes": list_of(_CHANGE),
                "patch": list_of(TEXT),
            }
        )
    ],
    "workspace restore": [_RESTORED],
    "workspace delete": [object_of({"deleted": TEXT})],
    "workspace gc": [
        object_of({"snapshots": WHOLE, "pieces": WHOLE, "freed": WHOLE, "dry_run": TRUTH})
    ],
}
"""Each answer of a verb."""
