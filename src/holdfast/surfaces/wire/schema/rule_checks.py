"""The ``--json`` answers of verbs about checks."""

from __future__ import annotations

from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    STATUSES,
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

_ACCEPTED = object_of({"command": TEXT, "clone": TEXT, "by": TEXT, "at": MOMENT})
REPORT = object_of(
    {
        "sound": TRUTH,
        "certain": TRUTH,
        "counts": map_of(WHOLE),
        "notes": list_of(TEXT),
        "memories": list_of(
            object_of(
                {
                    "id": TEXT,
                    "key": maybe(TEXT),
                    "claim": TEXT,
                    "status": one_of(STATUSES),
                    "checks": list_of(ref("check")),
                }
            )
        ),
    }
)
"""The answer of ``verify --checks``."""

ANSWERS: dict[str, list[Json]] = {
    "check list": [
        object_of(
            {
                "checks": list_of(
                    object_of(
                        {
                            "id": TEXT,
                            "status": one_of(STATUSES),
                            "check": TEXT,
                            "command": TRUTH,
                            "accepted": maybe(_ACCEPTED),
                        }
                    )
                )
            }
        )
    ],
    "check accept": [
        object_of({"accepted": list_of(_ACCEPTED)}),
        object_of({"shown": TEXT, "commands": list_of(TEXT)}),
    ],
    "check revoke": [object_of({"revoked": list_of(TEXT)})],
}
"""Each answer of a verb."""
