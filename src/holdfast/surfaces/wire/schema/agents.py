"""The ``--json`` answers of verbs about agents."""

from __future__ import annotations

from holdfast.domain.agents.cycle import CycleStatus
from holdfast.surfaces.wire.schema.streams import EXPORT_LINE
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    list_of,
    map_of,
    maybe,
    object_of,
    one_of,
    ref,
)

_FREE: Json = {"description": "Any JSON value, as the agent gave it."}
_AGENT: Json = {
    "id": TEXT,
    "name": TEXT,
    "created_at": MOMENT,
    "directives": TEXT,
    "config": {"type": "object"},
}
_STATE: Json = {
    **_AGENT,
    "cycles": WHOLE,
    "namespaces": map_of(WHOLE),
    "held": TRUTH,
    "holder": TEXT,
    "held_until": maybe(MOMENT),
    "openings": WHOLE,
}
_PROPOSAL: Json = {
    "at": MOMENT,
    "tool": TEXT,
    "args": {"type": "object"},
    "reasoning": TEXT,
    "plan": list_of(TEXT),
    "cues": list_of(TEXT),
}
_RESULT: Json = {
    "at": MOMENT,
    "summary": TEXT,
    "output": _FREE,
    "error": _FREE,
    "artifacts": list_of(TEXT),
}
_CYCLE: Json = {
    "agent_id": TEXT,
    "index": WHOLE,
    "started_at": MOMENT,
    "epoch": WHOLE,
    "proposal": maybe(object_of(_PROPOSAL)),
    "result": maybe(object_of(_RESULT)),
}

NOUNS: dict[str, Json] = {"agent": object_of(_STATE), "cycle": object_of(_CYCLE)}
"""The nouns of agents."""

ANSWERS: dict[str, list[Json]] = {
    "agent list": [object_of({"agents": list_of(ref("agent"))})],
    "agent show": [object_of({"agent": ref("agent")})],
    "agent cycles": [
        object_of({"cycles": list_of(object_of({**_CYCLE, "status": one_of(CycleStatus)}))})
    ],
    "agent resume": [
        object_of(
            {
                "agent": object_of(_AGENT),
                "last": maybe(ref("cycle")),
                "unfinished": list_of(ref("cycle")),
                "interrupted": WHOLE,
                "cycles": WHOLE,
            }
        )
    ],
    "agent export": [object_of({"file": TEXT, "lines": WHOLE}), EXPORT_LINE],
    "agent delete": [
        object_of(
            {
                "id": TEXT,
                "name": TEXT,
                "cycles": WHOLE,
                "notes": WHOLE,
                "candidates": WHOLE,
                "kept": list_of(TEXT),
                "dry_run": TRUTH,
                "not_yet": TEXT,
            }
        )
    ],
}
"""Each answer of a verb about agents."""
