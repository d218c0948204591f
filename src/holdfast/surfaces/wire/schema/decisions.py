"""The ``--json`` answers of verbs about decisions, conflicts and pages."""

from __future__ import annotations

from holdfast.domain.choices import Status
from holdfast.domain.pages.syncing import SyncStep
from holdfast.surfaces.wire.schema.nouns import CONFLICT, TRACE
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    about,
    list_of,
    map_of,
    maybe,
    object_of,
    one_of,
    ref,
)

FLAWS = list_of(object_of({"path": TEXT, "line": WHOLE, "problem": TEXT, "advice": TEXT}))

_QUEUE: Json = {
    "waiting": list_of(ref("candidate")),
    "total": WHOLE,
    "elsewhere": WHOLE,
    "shown": maybe(TEXT),
    "notes": list_of(TEXT),
}
DECIDED = object_of(
    {
        "decided": list_of(ref("memory")),
        "replaced": list_of(ref("memory")),
        "left": list_of(ref("conflict")),
        "decision": maybe(ref("decision")),
    }
)
_DECIDE = [DECIDED, object_of({**_QUEUE, "decided": list_of(TEXT), "dry_run": TRUTH})]
_CONFLICTS: Json = {
    **CONFLICT,
    "candidate_memory": ref("memory"),
    "standing_memory": ref("memory"),
    "candidate_evidence": list_of(ref("verdict")),
    "standing_evidence": list_of(ref("verdict")),
}
_REVERTED: Json = {
    "source": TEXT,
    "contributed": list_of(ref("memory")),
    "derived": list_of(ref("memory")),
    "restored": list_of(ref("memory")),
    "strengthened": list_of(object_of({"id": TEXT, "evidence": list_of(ref("evidence"))})),
    "forgotten": TRUTH,
    "dry_run": TRUTH,
    "decision": maybe(ref("decision")),
    "not_yet": TEXT,
    "places": list_of(TRACE),
}
_SYNC_OUTCOME = object_of(
    {
        "step": one_of(SyncStep),
        "uid": maybe(TEXT),
        "label": maybe(TEXT),
        "memory": maybe(TEXT),
        "path": TEXT,
        "line": WHOLE,
        "claim": TEXT,
        "note": TEXT,
        "advice": TEXT,
    }
)
_SYNCED: Json = {
    "in_line": TRUTH,
    "dry_run": TRUTH,
    "entries": WHOLE,
    "outcomes": list_of(_SYNC_OUTCOME),
    "flaws": FLAWS,
    "set_aside": list_of(TEXT),
}
_PENDING: Json = {
    "uid": maybe(TEXT),
    "label": maybe(TEXT),
    "path": TEXT,
    "line": WHOLE,
    "claim": TEXT,
    "instead_of": maybe(TEXT),
    "status": one_of(Status),
    "key": maybe(TEXT),
    "expires": maybe(TEXT),
    "checks": list_of(TEXT),
    "fields": about(map_of(TEXT), "The other fields of the page of a task."),
    "proof": maybe(TEXT),
}
_TRUST = [
    object_of({"shown": TEXT, "pending": list_of(object_of(_PENDING)), "flaws": FLAWS}),
    object_of({"trusted": list_of(_SYNC_OUTCOME)}),
    object_of(
        {
            "revoked": list_of(TEXT),
            "files": about(list_of(TEXT), "Files of sessions and goals that wait again."),
        }
    ),
    object_of({"ignored": about(list_of(TEXT), "Session files that are left alone.")}),
    object_of(
        {"clones": list_of(object_of({"clone": TEXT, "tree": TEXT, "by": TEXT, "at": MOMENT}))}
    ),
]

ANSWERS: dict[str, list[Json]] = {
    "review": [object_of(_QUEUE)],
    "approve": _DECIDE,
    "reject": _DECIDE,
    "edit": [DECIDED, object_of({"diff": TEXT, "dry_run": TRUTH})],
    "conflicts": [object_of({"conflicts": list_of(object_of(_CONFLICTS)), "notes": list_of(TEXT)})],
    "resolve": [DECIDED],
    "undo": [
        object_of({"undone": list_of(ref("decision")), "dry_run": TRUTH}),
        object_of({"decisions": list_of(ref("decision"))}),
    ],
    "revert": [object_of(_REVERTED)],
    "sync": [object_of(_SYNCED)],
    "trust": _TRUST,
}
"""Each answer of a verb; a verb with several answers in different shapes has several."""
