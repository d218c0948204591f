"""The requests and answers that only the server and its tokens have."""

from __future__ import annotations

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.review.review import Risk
from holdfast.surfaces.wire.schema.answers import RECALLED as RECALLED_FIELDS
from holdfast.surfaces.wire.schema.requests import EVIDENCE, RECALL, REMEMBER
from holdfast.surfaces.wire.schema.words import (
    KINDS,
    MOMENT,
    ORIGINS,
    SCOPES,
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

_TOKEN: Json = {
    "id": TEXT,
    "name": TEXT,
    "kind": one_of(PrincipalKind),
    "scopes": list_of(one_of(Operation)),
    "space": TEXT,
    "created_at": MOMENT,
    "expires_at": maybe(MOMENT),
    "revoked_at": maybe(MOMENT),
    "valid": TRUTH,
}
_SHOWN_ONCE = "The token's text, which is shown only here; null if it was written to a file."
ANSWERS: dict[str, list[Json]] = {
    "token create": [object_of({**_TOKEN, "token": about(maybe(TEXT), _SHOWN_ONCE)})],
    "token list": [object_of({"tokens": list_of(object_of(_TOKEN))})],
    "token revoke": [object_of(_TOKEN)],
}
"""Each answer of a verb about tokens."""


def text(most: int, least: int = 1) -> Json:
    """Return the schema of a text with that many characters."""
    return {"type": "string", "minLength": least, "maxLength": most}


ID = text(200)
"""An id, the start of one, or a label."""
_WORDS = {"type": "array", "maxItems": 32, "items": text(64)}
_FEW: Json = {"type": "integer", "minimum": 1, "maximum": 200, "default": 20}
_REASON = about(text(500, 0), "Why; it is stored with the decision.")
_DRY = about(TRUTH, "Show what would happen, and change nothing.")


def some(words: list[str]) -> Json:
    """Return the schema of a list of words from a closed set."""
    return {"type": "array", "maxItems": len(words), "items": one_of(words)}


PLACE: dict[str, Json] = {
    "repo": about(text(500), "The repository that the request is made from."),
    "branch": about(text(250), "The branch that is checked out there."),
    "workspace": about(text(64), "The workspace; 'default' if not said."),
    "head": about(text(64, 4), "The commit that is checked out there."),
    "aside": about(TRUTH, "The branch is not the main one: what is said there holds only there."),
    "shared": about(TRUTH, "The branch has no commit of its own yet."),
}
"""The query parameters of every route that sees memories from a place."""
LISTING: dict[str, Json] = {
    "q": about(
        text(8_192, 0),
        "Words to search for. The answer has the best 'limit' memories and no further page.",
    ),
    "kinds": some(KINDS),
    "scopes": some(SCOPES),
    "statuses": some(STATUSES),
    "origins": some(ORIGINS),
    "tags": _WORDS,
    "key": text(200),
    "labels": _WORDS,
    "source": text(200),
    "pinned": TRUTH,
    "expired": about(TRUTH, "Only expired memories; false is refused."),
    "recallable": about(TRUTH, "Only memories that recall may give; false is refused."),
    "everywhere": about(TRUTH, "Memories of every place, not only those that reach this one."),
    "oldest_first": TRUTH,
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
    "cursor": about(text(200), "The field 'next' of the page before."),
}
QUEUE: dict[str, Json] = {
    "ids": {"type": "array", "maxItems": 200, "items": ID},
    "kinds": some(KINDS),
    "origins": some([one.value for one in Origin]),
    "source": text(200),
    "max_risk": one_of(Risk),
    "conflicting": TRUTH,
    "everywhere": TRUTH,
    "limit": _FEW,
}
LATEST: dict[str, Json] = {
    "limit": _FEW,
    "everywhere": about(TRUTH, "Those of every repository, not only of the request's."),
}
_CURSOR = about(text(200), "The field 'next' of the page before.")
SESSION_LISTING: dict[str, Json] = {**LATEST, "cursor": _CURSOR}
LIMIT: dict[str, Json] = {"limit": _FEW}
SPAN_IDS: dict[str, Json] = {"ids": {"type": "array", "minItems": 1, "maxItems": 200, "items": ID}}
SPANS_FOUND = object_of({"spans": list_of(ref("span"))})
REVEAL: dict[str, Json] = {
    "reveal": about(TRUTH, "Decrypt the text of a sensitive memory; only people may.")
}
REASON: dict[str, Json] = {"reason": _REASON, "dry_run": _DRY}

PAGE = object_of(
    {
        "total": about(WHOLE, "How many match; a search by words counts at most 1,000."),
        "memories": list_of(ref("memory")),
        "next": about(
            maybe(TEXT), "The cursor of the next page; null on the last one, and for a search."
        ),
    }
)
"""A page of memories."""
SESSIONS = object_of(
    {
        "sessions": list_of(ref("session")),
        "next": about(maybe(TEXT), "The cursor of the next page; null on the last one."),
    }
)
"""A page of sessions."""
_SPAN = object_of(
    {
        "path": about(text(1_000), "The path from the root of the repository."),
        "first": WHOLE,
        "last": WHOLE,
        "text_hash": about(text(64), "The SHA-256 of the lines, with \\n between them."),
        "anchor": about({"type": "object"}, "What finds the lines again, as an export has it."),
    },
    required=["path", "first", "last", "text_hash"],
)
_EVIDENCE = about(
    {
        "type": "array",
        "minItems": 1,
        "maxItems": 64,
        "items": {
            "anyOf": [
                text(2_000),
                object_of(
                    {
                        "type": one_of(EvidenceType),
                        "ref": text(2_000),
                        "span": about(ID, "The id of a place that the server has already."),
                        "facts": about(
                            {"type": "object", "additionalProperties": text(2_000, 0)},
                            "What the caller found out, such as the whole id of a commit.",
                        ),
                    },
                    required=["type", "ref"],
                ),
            ]
        },
    },
    str(EVIDENCE["description"]),
)
SPANS = about(
    {**list_of(_SPAN), "maxItems": 64},
    "Lines of files that the caller read; the server has no checkout and reads none.",
)
CLAIM: Json = {
    **object_of({**REMEMBER, "evidence": _EVIDENCE, "spans": SPANS}, required=[]),
    "anyOf": [{"required": ["claim"]}, {"required": ["value"]}, {"required": ["from_bundle"]}],
}
CLAIMS: Json = object_of({"claims": {**list_of(CLAIM), "minItems": 1, "maxItems": 1_000}})
KEPT = object_of({"remembered": list_of(ref("answer.remember"))})
QUESTION = object_of(
    {
        **RECALL,
        "kinds": some(KINDS),
        "scopes": some(SCOPES),
        "tags": _WORDS,
        "as_of": text(100),
        "all_branches": TRUTH,
        "verbose": TRUTH,
    },
    required=["q"],
)
APPROVE = object_of(
    {
        "ids": {"type": "array", "minItems": 1, "maxItems": 200, "items": ID},
        "shown": about(
            {"type": "object", "additionalProperties": text(100)},
            "By id: the hash that the review showed; another text is refused.",
        ),
        "leave_conflicts": about(TRUTH, "Leave candidates that contradict accepted memories."),
    },
    required=["ids"],
)
REJECT = object_of(
    {"ids": {"type": "array", "minItems": 1, "maxItems": 200, "items": ID}, "reason": _REASON},
    required=["ids"],
)
EDIT = object_of(
    {"claim": REMEMBER["claim"], "shown": text(100), "dry_run": _DRY},
    required=["claim"],
)
RESOLVE = object_of(
    {
        "id": ID,
        "other": ID,
        "way": one_of(["keep-old", "supersede", "keep-both", "merge"]),
        "merge": about(text(65_536), "With merge: the claim that replaces both."),
        "scope_new": text(500, 0),
        "scope_old": text(500, 0),
        "reason": _REASON,
        "shown": text(100),
    },
    required=["id", "way"],
)
UNDO = object_of(
    {
        "id": ID,
        "steps": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1},
        "dry_run": _DRY,
        "everywhere": TRUTH,
    },
    required=[],
)
REVERT = object_of(
    {"source": text(200), "forget": TRUTH, "reason": _REASON, "dry_run": _DRY}, required=["source"]
)
PIN = object_of({"pinned": TRUTH, "label": text(100)}, required=[])
LINK = object_of(
    {
        "src": ID,
        "dst": ID,
        "kind": text(50),
        "score": {"type": "number", "minimum": 0, "maximum": 1, "default": 1},
    },
    required=["src", "dst"],
)
FEEDBACK = object_of({"good": TRUTH})
SESSION = object_of({"tool": text(100), "user": text(100)}, required=[])
TURN = object_of(
    {
        "q": text(8_192),
        "bundle": ID,
        "satisfied": TRUTH,
        "notes": text(20_000, 0),
    },
    required=["q"],
)
RUN = object_of({"tool": text(100), "user": text(100), "goal": text(2_000, 0)}, required=[])
NOTE = object_of({"text": text(20_000)})
FINISH = object_of({"summary": text(20_000, 0), "abandon": TRUTH, "propose": TRUTH}, required=[])
NOTHING = object_of({}, required=[])
NAMED_REASON = object_of({"reason": _REASON, "dry_run": _DRY}, required=[])
RECALLED = object_of(RECALLED_FIELDS)
LEARN = object_of({"since": text(20), "dry_run": _DRY}, required=[])
LINES: Json = {"type": "string", "description": "One JSON object per line."}
HERE = about(TRUTH, "Only what reaches the place of the request.")
IMPORT = object_of(
    {"lines": {"type": "array", "minItems": 1, "maxItems": 100_000, "items": text(1_000_000)}}
)
