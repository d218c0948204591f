"""The answers about servers that this machine knows, and about writes that wait for them."""

from __future__ import annotations

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
)

_WRITE = object_of(
    {
        "key": TEXT,
        "request": about(TEXT, "The method and the path."),
        "claim": about(maybe(TEXT), "The beginning of its claim, if it has one."),
        "at": MOMENT,
        "may_have_arrived": about(TRUTH, "Whether the server may have received it already."),
        "problem": about(maybe(TEXT), "Why the server refused it; null while it waits."),
    }
)
_REMOTE = object_of(
    {
        "name": TEXT,
        "url": TEXT,
        "default": about(TRUTH, "Whether it is used wherever no store is named."),
        "has_token": TRUTH,
        "answers": about(maybe(TRUTH), "Whether it can be used; null if it was not asked."),
        "problem": maybe(TEXT),
        "version": about(maybe(TEXT), "The version of the server."),
        "waiting": list_of(_WRITE),
        "refused": list_of(_WRITE),
        "damaged": about(list_of(TEXT), "Files of the outbox that cannot be read."),
    }
)
KEPT_HERE = object_of(
    {
        "kept_here": object_of(
            {
                "message": TEXT,
                "server": TEXT,
                "problem": about(TEXT, "Why the server has not got it."),
                "key": about(TEXT, "The idempotency key with which it is sent later."),
                "waiting": about(WHOLE, "How many writes wait, with this one."),
            }
        )
    }
)
"""What a write answers instead if it is kept here until its server can be reached."""
ANSWERS: dict[str, list[Json]] = {
    **{verb: [_REMOTE] for verb in ("remote add", "remote status", "remote remove")},
    "remote list": [object_of({"remotes": list_of(_REMOTE)})],
    "remote use": [object_of({"default": maybe(TEXT)})],
    "remote push": [
        object_of({"sent": WHOLE, "refused": WHOLE, "waiting": WHOLE, "stopped": maybe(TEXT)})
    ],
    **{verb: [_WRITE] for verb in ("remote retry", "remote drop")},
}
"""Each answer of a verb about remotes."""
