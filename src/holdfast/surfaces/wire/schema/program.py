"""The ``--json`` answers of verbs about the store, settings and tools."""

from __future__ import annotations

from holdfast.domain.care.job import JobKind, JobState
from holdfast.domain.review.curation import MemoryTrouble, Remedy, Severity, TidyStep
from holdfast.surfaces.wire.schema.decisions import DECIDED
from holdfast.surfaces.wire.schema.pruning import PRUNED
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    NUMBER,
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
from holdfast.usecases.recall.learn import LearningOutcome as LessonOutcome

_COUNT = object_of({"memories": WHOLE})
_WAITING: Json = {"candidates": WHOLE, "conflicts": WHOLE, "drifted": WHOLE, "warnings": WHOLE}
_HEALTH = object_of(
    {"at": MOMENT, "place": TEXT, "score": WHOLE, "live": WHOLE, "counts": map_of(WHOLE)}
)
_CONCERN = object_of(
    {
        "finding": one_of(MemoryTrouble),
        "severity": one_of(Severity),
        "memories": list_of(TEXT),
        "span": maybe(TEXT),
        "why": TEXT,
        "remedy": one_of(Remedy),
        "command": TEXT,
        "step": maybe(one_of(TidyStep)),
        "places": about(list_of(TEXT), "The current places of changed evidence."),
    }
)
_STATUS: Json = {
    "total": WHOLE,
    "here": WHOLE,
    "elsewhere": WHOLE,
    "full": list_of(TEXT),
    "by_status": map_of(WHOLE),
    "by_kind": map_of(WHOLE),
    "pinned": WHOLE,
    "expired": WHOLE,
    "embedding": object_of(
        {"model": maybe(TEXT), "memories": WHOLE, "answering": TEXT, "sends_to": TEXT}
    ),
    "place": object_of({"repo": maybe(TEXT), "branch": maybe(TEXT), "workspace": TEXT}),
    "store": object_of(
        {
            "location": TEXT,
            "backend": TEXT,
            "schema": WHOLE,
            "engine": TEXT,
            "bytes_on_disk": WHOLE,
            "events": WHOLE,
            "head": TEXT,
        }
    ),
    "waiting": object_of(_WAITING),
}
_REPAIR: Json = {
    "actions": list_of(TEXT),
    "kept_damaged_file": maybe(TEXT),
    "rescued": WHOLE,
    "lost": list_of(TEXT),
    "missing": WHOLE,
    "changes_missing": WHOLE,
}
_DOCTOR: Json = {
    "exit_code": WHOLE,
    "findings": list_of(
        object_of({"check": TEXT, "severity": one_of(Severity), "message": TEXT, "advice": TEXT})
    ),
    "repair": maybe(object_of(_REPAIR)),
}
_COPIED = object_of(
    {
        "same": TRUTH,
        "rows": WHOLE,
        "tables": list_of(
            object_of(
                {
                    "table": TEXT,
                    "rows": WHOLE,
                    "digest": TEXT,
                    "target_rows": WHOLE,
                    "target_digest": TEXT,
                    "written": WHOLE,
                }
            )
        ),
    }
)
_TENANT = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "created_at": TEXT,
        "spaces": list_of(TEXT),
        "memories": WHOLE,
    }
)
_JOB = object_of(
    {
        "id": TEXT,
        "kind": one_of(JobKind),
        "state": one_of(JobState),
        "by": TEXT,
        "created_at": TEXT,
        "parts": WHOLE,
        "done": WHOLE,
        "leased": WHOLE,
        "failed": WHOLE,
        "problem": TEXT,
    }
)
_DATABASE: Json = {
    "location": TEXT,
    "database_bytes": WHOLE,
    "connections": WHOLE,
    "most_connections": WHOLE,
    "oldest_transaction_seconds": maybe(NUMBER),
    "tables": list_of(
        object_of(
            {
                "name": TEXT,
                "rows": WHOLE,
                "dead_rows": WHOLE,
                "table_bytes": WHOLE,
                "index_bytes": WHOLE,
            }
        )
    ),
    "indexes": list_of(
        object_of({"table": TEXT, "name": TEXT, "scans": WHOLE, "index_bytes": WHOLE})
    ),
    "replicas": list_of(
        object_of({"name": TEXT, "state": TEXT, "synchronous": TRUTH, "bytes_behind": maybe(WHOLE)})
    ),
    "tenants": list_of(_TENANT),
}
_MODEL = object_of(
    {
        "name": TEXT,
        "title": TEXT,
        "licence": TEXT,
        "source": TEXT,
        "installed": TRUTH,
        "chosen": TRUTH,
        "size": WHOLE,
        "dimension": WHOLE,
        "model": TEXT,
        "memories": WHOLE,
        "problem": TEXT,
        "sends_to": TEXT,
    }
)
_LESSON: Json = {
    "space": TEXT,
    "outcome": one_of(LessonOutcome),
    "version": WHOLE,
    "weights": list_of(object_of({"name": TEXT, "before": NUMBER, "after": NUMBER})),
    "learned_from": WHOLE,
    "check": maybe(
        object_of(
            {"answers": WHOLE, "before": NUMBER, "after": NUMBER, "better": WHOLE, "worse": WHOLE}
        )
    ),
}
_SETTING: Json = {"name": TEXT, "value": TEXT, "from": TEXT}
_ONE_SETTING = object_of(_SETTING)
_CHANGES = object_of(
    {
        "changes": list_of(
            object_of(
                {"tool": TEXT, "part": TEXT, "path": maybe(TEXT), "done": TEXT, "reason": TEXT}
            )
        ),
        "dry_run": TRUTH,
    }
)
_TOOL: Json = {
    "tool": TEXT,
    "title": TEXT,
    "found": maybe(TEXT),
    "parts": map_of(object_of({"state": TEXT, "scopes": list_of(TEXT), "paths": list_of(TEXT)})),
    "notes": list_of(TEXT),
    "last_hook": maybe(MOMENT),
    "last_failure": maybe(TEXT),
}
_HOOK: Json = {"event": TEXT, "path": TEXT, "state": TEXT, "chained": TRUTH}

ANSWERS: dict[str, list[Json]] = {
    "init": [
        object_of(
            {
                "created": TRUTH,
                "store": TEXT,
                "schema": WHOLE,
                "repo": maybe(TEXT),
                "branch": maybe(TEXT),
                "workspace": TEXT,
                "model": TEXT,
                "pages": list_of(TEXT),
                "next": list_of(TEXT),
            }
        )
    ],
    "status": [object_of(_STATUS), object_of({**_WAITING, "badge": TEXT})],
    "prune": [PRUNED],
    "curate": [
        object_of(
            {
                "health": _HEALTH,
                "history": list_of(_HEALTH),
                "concerns": list_of(_CONCERN),
                "notes": list_of(TEXT),
            }
        ),
        object_of({"plan": list_of(_CONCERN), "dry_run": TRUTH}),
        object_of(
            {
                "decisions": list_of(ref("decision")),
                "unpinned": list_of(TEXT),
                "passed": list_of(TEXT),
            }
        ),
        DECIDED,
        object_of({"page": TEXT, "health": _HEALTH}),
    ],
    "doctor": [object_of(_DOCTOR)],
    "rebuild": [_COUNT],
    "store copy": [_COPIED],
    "store compare": [_COPIED],
    "db upgrade": [object_of({"done": list_of(TEXT)})],
    "db check": [object_of(_DOCTOR)],
    "db stats": [object_of(_DATABASE)],
    "db backup-advice": [object_of(_DOCTOR)],
    "db citus": [object_of({"statements": list_of(TEXT)})],
    "jobs add": [
        object_of({"id": TEXT, "kind": one_of(JobKind), "parts": WHOLE, "refused": list_of(TEXT)})
    ],
    "jobs list": [object_of({"jobs": list_of(_JOB)})],
    "jobs run": [object_of({"job": TEXT, "kind": one_of(JobKind), "part": WHOLE, "problem": TEXT})],
    "jobs cancel": [object_of({"cancelled": TEXT})],
    "tenant create": [object_of({"created": TRUTH, "tenant": _TENANT})],
    "tenant list": [object_of({"tenants": list_of(_TENANT)})],
    "tenant export": [
        object_of({"tenant": _TENANT, "files": list_of(object_of({"file": TEXT, "lines": WHOLE}))})
    ],
    "tenant delete": [
        object_of(
            {
                "tenant": _TENANT,
                "removed": TRUTH,
                "deleted": map_of(WHOLE),
                "tables_checked": WHOLE,
            }
        )
    ],
    "index": [
        object_of(
            {
                "files": WHOLE,
                "symbols": WHOLE,
                "read": WHOLE,
                "removed": WHOLE,
                "passed_over": map_of(WHOLE),
            }
        )
    ],
    "feedback": [object_of({"bundle_id": TEXT, "good": TRUTH})],
    "learn": [object_of(_LESSON)],
    "model install": [object_of({"installed": TRUTH, "model": _MODEL})],
    "model list": [object_of({"models": list_of(_MODEL)})],
    "model use": [
        object_of({"name": TEXT, "dimension": WHOLE, "sends_to": TEXT, "memories": WHOLE})
    ],
    "model verify": [object_of({"verified": list_of(TEXT)})],
    "model remove": [
        object_of({"removed": TEXT}),
        object_of({"removed": TEXT, "memories": WHOLE}),
    ],
    "model catch-up": [_COUNT],
    "config list": [
        object_of(
            {
                "settings": list_of(
                    object_of({**_SETTING, "default": TEXT, "meaning": TEXT, "takes": TEXT})
                )
            }
        )
    ],
    "config get": [_ONE_SETTING],
    "config set": [_ONE_SETTING],
    "config unset": [_ONE_SETTING],
    "config path": [object_of({"path": TEXT})],
    "hooks install": [object_of({"installed": list_of(TEXT), "dry_run": TRUTH})],
    "hooks remove": [object_of({"removed": list_of(TEXT), "dry_run": TRUTH})],
    "hooks status": [object_of({"folder": TEXT, "hooks": list_of(object_of(_HOOK))})],
    "hooks run": [object_of({"event": TEXT})],
    "adapters install": [_CHANGES],
    "adapters remove": [_CHANGES],
    "adapters status": [object_of({"tools": list_of(object_of(_TOOL))})],
    "adapters plugin": [object_of({"folder": TEXT, "written": list_of(TEXT), "dry_run": TRUTH})],
    "merge-file": [object_of({"path": TEXT, "conflicts": list_of(TEXT)})],
    "completion": [object_of({"shell": TEXT, "script": TEXT})],
}
"""Each answer of a verb; a verb with several answers in different shapes has several."""
