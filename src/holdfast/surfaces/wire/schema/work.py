"""The ``--json`` answers of verbs about sessions, runs, imports and measurements."""

from __future__ import annotations

from holdfast.surfaces.wire.schema.decisions import FLAWS
from holdfast.surfaces.wire.schema.nouns import TURN
from holdfast.surfaces.wire.schema.session_cache import KEPT_ANSWERS
from holdfast.surfaces.wire.schema.streams import EXPORT_LINE, HOOK_ANSWERS
from holdfast.surfaces.wire.schema.words import (
    KINDS,
    MOMENT,
    NUMBER,
    REMOVED,
    STATUSES,
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
from holdfast.usecases.exchange.take_over import NoteOutcome

_SESSION = object_of({"session": ref("session")})
_RUN = object_of({"run": ref("run")})
_NUMBER = about(WHOLE, "Its number in the session.")
_NOTE = object_of(
    {
        "outcome": one_of(NoteOutcome),
        "kind": one_of(KINDS),
        "claim": TEXT,
        "place": TEXT,
        "source": TEXT,
        "why": TEXT,
        "id": TEXT,
        "status": one_of(STATUSES),
        "contradicts": list_of(object_of({"id": TEXT, "reason": TEXT})),
    },
    required=["outcome", "kind", "claim", "place", "source"],
)
_TAKEN: Json = {
    "dry_run": TRUTH,
    "counts": object_of({"read": WHOLE, "added": WHOLE, "known": WHOLE, "left_out": WHOLE}),
    "notes": list_of(_NOTE),
    "left": list_of(object_of({"place": TEXT, "text": TEXT, "why": TEXT})),
    "left_by_reason": map_of(WHOLE),
    "links": WHOLE,
    "outdated": about(
        list_of(TEXT), "Earlier candidates whose notes were changed: new ones say it now."
    ),
    "accepted": list_of(TEXT),
    "flaws": FLAWS,
}
_TALK: Json = {
    "tool": TEXT,
    "session": TEXT,
    "source": TEXT,
    "turns": WHOLE,
    "said": about(
        maybe(object_of({"session": TEXT, "turns": WHOLE, "changed": WHOLE})),
        "The session whose turns were kept, how many are new, and how many got another text;"
        " null if none were asked for.",
    ),
    "notes": list_of(TEXT),
    "added": list_of(object_of({"claim": TEXT, "id": maybe(TEXT)})),
    "strengthened": list_of(TEXT),
    "left": list_of(object_of({"claim": TEXT, "why": TEXT})),
}
_IMPORT = [
    object_of(
        {
            "added": WHOLE,
            "known": WHOLE,
            "buried": about(WHOLE, "Lines left out: their memories were forgotten here."),
            "refused": list_of(TEXT),
        }
    ),
    object_of(
        {
            "commits": WHOLE,
            "new": WHOLE,
            "known": WHOLE,
            "since": about(
                maybe(MOMENT), "The start of the history that is indexed; null if all of it is."
            ),
        }
    ),
    object_of(_TAKEN),
    object_of({"dry_run": TRUTH, "conversations": list_of(object_of(_TALK)), "flaws": FLAWS}),
]
_FIGURE: Json = {"set": TEXT, "category": TEXT, "queries": WHOLE, "means": map_of(maybe(NUMBER))}
_DIFFERENCE: Json = {
    "set": TEXT,
    "category": TEXT,
    "measure": TEXT,
    "queries": WHOLE,
    "before": maybe(NUMBER),
    "after": maybe(NUMBER),
    "change": NUMBER,
    "low": NUMBER,
    "high": NUMBER,
    "sure": TRUTH,
}
_SINCE_EMPTIED = "Since the tool last emptied its context; the other counts are of the session."
_TOOL_SESSION: Json = {
    "session": TEXT,
    "tool": TEXT,
    "folder": TEXT,
    "seen": MOMENT,
    "tokens": WHOLE,
    "prompts": about(WHOLE, _SINCE_EMPTIED),
    "news": WHOLE,
    "warnings": WHOLE,
    "stops": WHOLE,
    "proposals": WHOLE,
    "told": about(list_of(TEXT), _SINCE_EMPTIED),
    "warned": about(list_of(TEXT), _SINCE_EMPTIED),
}

ANSWERS: dict[str, list[Json]] = {
    "session start": [_SESSION],
    "session end": [_SESSION],
    "session turn": [
        object_of({"turn": object_of({**TURN, "turn": _NUMBER}), "removed_characters": REMOVED})
    ],
    "session list": [object_of({"sessions": list_of(ref("session"))})],
    **KEPT_ANSWERS,
    "run start": [
        object_of({"run": ref("run"), "context": maybe(TEXT), "removed_characters": REMOVED})
    ],
    "run note": [object_of({"run": ref("run"), "removed_characters": REMOVED})],
    "run show": [_RUN],
    "run list": [object_of({"runs": list_of(ref("run"))})],
    "run finish": [
        object_of(
            {
                "run": ref("run"),
                "page": maybe(TEXT),
                "candidates": list_of(TEXT),
                "notes": list_of(TEXT),
                "removed_characters": REMOVED,
            }
        )
    ],
    "run context": [
        object_of({"goal": TEXT, "text": TEXT, "memories": list_of(TEXT), "path": maybe(TEXT)})
    ],
    "journal": [object_of({"day": TEXT, "text": TEXT, "path": maybe(TEXT)})],
    "export": [object_of({"file": TEXT, "lines": WHOLE}), EXPORT_LINE],
    "import": _IMPORT,
    "eval": [
        object_of(
            {
                "data": maybe(TEXT),
                "split": maybe(TEXT),
                "settings": map_of(TEXT),
                "model": maybe(TEXT),
                "deep": TRUTH,
                "figures": list_of(object_of(_FIGURE)),
                "notes": map_of(list_of(TEXT)),
            }
        ),
        object_of({"differences": list_of(object_of(_DIFFERENCE))}),
    ],
    "hook": [
        object_of({"sessions": list_of(object_of(_TOOL_SESSION)), "trouble": list_of(TEXT)}),
        object_of({"tool": TEXT, "session": TEXT, "proposed": WHOLE}),
        object_of({"tool": TEXT, "session": TEXT, "kept": WHOLE}),
        *HOOK_ANSWERS,
    ],
}
"""Each answer of a verb; a verb with several answers in different shapes has several."""
