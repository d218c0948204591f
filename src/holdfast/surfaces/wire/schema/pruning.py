"""The ``--json`` answer of ``prune``."""

from __future__ import annotations

from holdfast.domain.care.pruning import PruneCause, PruneStep
from holdfast.surfaces.wire.schema.words import (
    KINDS,
    STATUSES,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    about,
    list_of,
    maybe,
    object_of,
    one_of,
    ref,
)

PRUNED: Json = object_of(
    {
        "dry_run": TRUTH,
        "total": WHOLE,
        "most": WHOLE,
        "too_much": TRUTH,
        "items": list_of(
            object_of(
                {
                    "id": TEXT,
                    "step": one_of(PruneStep),
                    "cause": one_of(PruneCause),
                    "why": TEXT,
                    "kind": one_of(KINDS),
                    "status": one_of(STATUSES),
                    "claim": maybe(TEXT),
                }
            )
        ),
        "kept": list_of(object_of({"id": TEXT, "why": TEXT})),
        "decisions": list_of(ref("decision")),
        "forgotten": list_of(TEXT),
        "skipped": WHOLE,
        "said": about(WHOLE, "How many turns of sessions were kept for too long."),
        "not_yet": TEXT,
        "places": list_of(object_of({"place": TEXT, "state": TEXT, "advice": TEXT})),
    }
)
"""The plan with a reason for each memory, and what was done of it."""
