"""The schema of a bundle: the question, the items, and what was left out."""

from __future__ import annotations

from holdfast.domain.choices import PassageKind
from holdfast.surfaces.wire.schema.words import (
    KINDS,
    MOMENT,
    NUMBER,
    ORIGINS,
    SCOPES,
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

_REASONS = list_of(object_of({"leg": TEXT, "amount": NUMBER, "note": TEXT}))
_RANKS = list_of(object_of({"stage": TEXT, "rank": WHOLE}))
_PASSAGES = list_of(
    object_of(
        {
            "kind": one_of(PassageKind),
            "ref": TEXT,
            "title": TEXT,
            "text_hash": TEXT,
            "score": NUMBER,
            "tokens": WHOLE,
            "reasons": _REASONS,
            "beside": list_of(TEXT),
            "why_not": TEXT,
        }
    )
)
_LEFT_OUT: Json = {
    "memory_id": TEXT,
    "score": NUMBER,
    "tokens": WHOLE,
    "reasons": _REASONS,
    "ranks": _RANKS,
    "why": TEXT,
}
_GIVEN: Json = {
    "memory_id": TEXT,
    "content_hash": TEXT,
    "score": NUMBER,
    "tokens": WHOLE,
    "reasons": _REASONS,
    "ranks": _RANKS,
    "superseded_by": maybe(TEXT),
    "evidence": about(
        list_of(ref("verdict")),
        "What a check found about evidence in files; what the memory cites is in its record.",
    ),
    "checks": list_of(ref("check")),
}
_ALWAYS = [name for name in _GIVEN if name != "checks"]
_NAMED: Json = {"claim": maybe(TEXT), "key": maybe(TEXT), "kind": maybe(one_of(KINDS))}
GIVEN_WITH_CLAIMS: Json = list_of(object_of({**_GIVEN, **_NAMED}, required=[*_ALWAYS, *_NAMED]))
"""The items of an answer; a memory that was forgotten since has no claim, key and kind."""
_QUESTION: Json = {
    "text": TEXT,
    "budget": WHOLE,
    "include": list_of(TEXT),
    "limit": WHOLE,
    "kinds": list_of(one_of(KINDS)),
    "scopes": list_of(one_of(SCOPES)),
    "tags": list_of(TEXT),
    "as_of": maybe(TEXT),
    "all_branches": TRUTH,
}

BUNDLE: Json = {
    "id": TEXT,
    "asked_at": MOMENT,
    "question": object_of(
        {**_QUESTION, "verbose": TRUTH, "deep": TRUTH, "agent": TEXT, "namespaces": list_of(TEXT)},
        required=list(_QUESTION),
    ),
    "place": object_of(
        {"space": TEXT, "workspace": TEXT, "repo": maybe(TEXT), "branch": maybe(TEXT)}
    ),
    "items": list_of(object_of(_GIVEN, required=_ALWAYS)),
    "left_out": list_of(object_of(_LEFT_OUT)),
    "tokens": WHOLE,
    "counter": TEXT,
    "notes": list_of(TEXT),
    "good": maybe(TRUTH),
    "rated_by": maybe(one_of(ORIGINS)),
    "passages": _PASSAGES,
    "passages_left_out": _PASSAGES,
    "shortage": maybe(object_of({"found": WHOLE, "needs": WHOLE})),
}
