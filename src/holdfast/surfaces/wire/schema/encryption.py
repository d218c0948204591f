"""The answers of the verbs about encryption."""

from __future__ import annotations

from holdfast.domain.choices import Status
from holdfast.domain.encryption.keys import KeyPlace
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
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

_KEY: Json = {
    "id": TEXT,
    "place": one_of(KeyPlace),
    "name": TEXT,
    "created_at": maybe(MOMENT),
    "current": about(TRUTH, "New records are encrypted with it."),
}
_STATE = object_of(
    {
        "id": TEXT,
        "key": about(maybe(object_of(_KEY)), "Null for a key that is not known here."),
        "records": about(
            maybe(WHOLE), "How many records of this store it reads; null if the store is locked."
        ),
        "problem": about(TEXT, "Why it cannot be read now; empty if it can."),
        "reads_store": about(TRUTH, "The whole store is encrypted with it."),
    }
)
_STATES: Json = {"keys": list_of(_STATE)}
_TEXT = about(
    maybe(TEXT), "The key itself, only for an environment variable; it is shown only here."
)
_REPEATED = object_of(
    {
        "place": about(TEXT, "The id of a memory, or a task, a run or a cycle of an agent."),
        "status": maybe(one_of(Status)),
        "claim": maybe(TEXT),
    }
)
_WHOLE = object_of(
    {
        "key": about(maybe(TEXT), "The key of the whole store; null if it is in clear."),
        "before": about(maybe(TEXT), "The key before."),
        "changed": about(TRUTH, "The store was written anew."),
    }
)
_DELETED = "The key itself was deleted; else it is still in its place."
_STORE_KEY = "The whole store is still encrypted with this other key; null if not."
_UNREADABLE: Json = {"type": "object", "additionalProperties": TEXT}


def answers(forgotten: Json) -> dict[str, list[Json]]:
    """Return each answer of a verb about encryption; ``forgotten`` describes such a memory."""
    protected = object_of(
        {
            "memory": maybe(ref("memory")),
            "forgotten": list_of(forgotten),
            "repeated": about(list_of(_REPEATED), "What says nearly the same words, in clear."),
        }
    )
    return {
        "key create": [object_of({**_KEY, "text": _TEXT})],
        "key add": [object_of(_KEY)],
        "key list": [object_of(_STATES)],
        "key use": [object_of(_KEY)],
        "key rotate": [
            object_of(
                {
                    "key": object_of(_KEY),
                    "is_new": TRUTH,
                    "records": WHOLE,
                    "damaged": list_of(TEXT),
                    "not_yet": TEXT,
                    "store_key": about(maybe(TEXT), _STORE_KEY),
                }
            )
        ],
        "key remove": [object_of({**_KEY, "deleted": about(TRUTH, _DELETED)})],
        "key encrypt-store": [_WHOLE],
        "key decrypt-store": [_WHOLE],
        "key check": [object_of({**_STATES, "read": WHOLE, "unreadable": _UNREADABLE})],
        "protect": [protected],
    }
