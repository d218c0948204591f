"""The fields of each request, for MCP tools, batches and schemas.

Limits and choices are repeated in the descriptions, because some clients strip them from the
schema.
"""

from __future__ import annotations

from holdfast.surfaces.wire.schema.words import EVIDENCE_TYPES, KINDS, ORIGINS, SCOPES, object_of

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from holdfast.surfaces.wire.schema.words import Json

_REFERENCE: Json = {"type": "string", "minLength": 1, "maxLength": 2_000}
_EVIDENCE_OBJECT: Json = {
    "type": {"type": "string", "enum": EVIDENCE_TYPES},
    "ref": _REFERENCE,
}
EVIDENCE: Json = {
    "type": "array",
    "minItems": 1,
    "maxItems": 64,
    "items": {"anyOf": [_REFERENCE, object_of(_EVIDENCE_OBJECT)]},
    "description": (
        "Why the claim is true, 1 to 64 items of at most 2,000 characters each: a place in a file"
        ' ("src/app.py:10-30"), a URL, "commit:<hash>", "command:<line you ran>", a bundle'
        ' ("c_…" from context.assemble), "query:…", "job_run:…" or "turn:…"; or the same as'
        ' {"type": …, "ref": …}. A "statement:…" may stand beside these but not alone:'
        " only a person's own statement is evidence by itself."
    ),
}

_CLAIM: Json = {
    "type": "string",
    "minLength": 1,
    "maxLength": 65_536,
    "description": (
        "The claim in one or a few sentences that stand by themselves; at most 65,536 bytes."
        " Always give it."
    ),
}

REMEMBER: Json = {
    "claim": _CLAIM,
    "value": {**_CLAIM, "description": "Another name of claim; give one of the two."},
    "kind": {
        "type": "string",
        "enum": KINDS,
        "description": f"The sort of claim, one of: {', '.join(KINDS)}.",
    },
    "key": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": (
            "A stable name for what the claim is about, one line of at most 200"
            " characters; accepting another claim with the same key replaces the old one."
        ),
    },
    "scope": {
        "type": "string",
        "enum": SCOPES,
        "description": (
            "Where it holds: repo (the default inside a repository), workspace, or global"
            " (the default elsewhere)."
        ),
    },
    "evidence": EVIDENCE,
    "tags": {
        "type": "array",
        "maxItems": 32,
        "items": {"type": "string", "minLength": 1, "maxLength": 64},
        "description": "At most 32 words of at most 64 characters, no spaces or commas.",
    },
    "ttl": {
        "type": "string",
        "maxLength": 20,
        "description": (
            "How long it holds: a number and s, m, h, d, w or y ('30d'), or 'never' (the default)."
        ),
    },
    "because": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2_000,
        "description": (
            "Your reasoning, at most 2,000 characters, kept beside the evidence as a statement."
        ),
    },
    "label": {"type": "string", "description": "A label such as DEC-001."},
    "importance": {"type": "number", "description": "From 0 to 1; 0.5 if not said."},
    "weight": {"type": "number", "description": "From 0 to 10; 1 if not said."},
    "pinned": {"type": "boolean", "description": "Whether it never expires."},
    "sensitive": {
        "type": "boolean",
        "description": "Whether its text is encrypted: no answer has it, and only people read it.",
    },
    "metadata": {"type": "object", "description": "Facts about it, by name."},
    "checks": {
        "type": "array",
        "items": {"type": "string"},
        "maxItems": 8,
        "description": "At most 8 checks of files: 'must not match `\\bprint\\(` in src/**'.",
    },
    "origin": {
        "type": "string",
        "enum": ORIGINS,
        "description": "Who says it; nobody is made a person by it.",
    },
    "source": {"type": "string", "description": "The tool it comes through."},
    "from_bundle": {"type": "string", "description": "The bundle it was learned from (c_…)."},
    "derived_from": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Memories it was concluded from.",
    },
}
"""The fields of a request to remember; ``claim`` or ``value`` is required."""

_PROPOSED = (
    "kind",
    "key",
    "claim",
    "value",
    "scope",
    "evidence",
    "tags",
    "ttl",
    "because",
    "checks",
    "sensitive",
)
CREATE: Json = {name: REMEMBER[name] for name in _PROPOSED}
"""The fields of a claim that an agent proposes."""

RECALL: Json = {
    "q": {
        "type": "string",
        "minLength": 1,
        "maxLength": 8_192,
        "description": "The question or task in plain words, at most 8,192 characters.",
    },
    "budget": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1_000_000,
        "default": 2_000,
        "description": (
            "How many tokens the answer may take, at most 1,000,000; 2,000 if not said."
            " One that cannot hold an empty answer is refused with the least."
        ),
    },
    "include": {
        "type": "array",
        "minItems": 1,
        "maxItems": 5,
        "items": {"type": "string", "enum": ["memory", "code", "history", "tasks", "sessions"]},
        "default": ["memory"],
        "description": (
            "What to search, one to five of: 'memory', 'code' (this checkout), 'history'"
            " (its commits), 'tasks' (what is in work or to be done), 'sessions' (what was said,"
            " quoted); memory if not said."
        ),
    },
    "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 20,
        "description": "How many memories at most, from 1 to 200; 20 if not said.",
    },
    "deep": {
        "type": "boolean",
        "description": "true: small models read the best hits again, together with the question."
        " Default: the setting recall.deep.",
    },
}
"""The fields of a question."""

LIST: Json = {
    "q": {
        "type": "string",
        "maxLength": 8_192,
        "description": "Words to look for, at most 8,192 characters; none: the newest.",
    },
    "scope": {
        "type": "string",
        "enum": SCOPES,
        "description": "Only this scope: repo, workspace or global; all three if not said.",
    },
    "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 10,
        "description": "How many at most, from 1 to 100; 10 if not said.",
    },
    "status": {
        "type": "string",
        "enum": ["accepted", "candidate"],
        "default": "accepted",
        "description": "accepted: knowledge (the default); candidate: proposed, not yet accepted.",
    },
}
"""The fields of a request to list memories."""

DELETE: Json = {
    "id": {
        "type": "string",
        "minLength": 3,
        "maxLength": 100,
        "description": "The candidate's whole id, as memory.list gives it: m_…",
    },
    "reason": {
        "type": "string",
        "maxLength": 500,
        "description": "Why it should be gone, at most 500 characters; a person reads it.",
    },
}
"""The fields of a request to delete a candidate."""

FINISH: Json = {
    "summary": {
        "type": "string",
        "minLength": 1,
        "maxLength": 20_000,
        "description": "What changed and why, at most 20,000 characters.",
    },
    "goal": {
        "type": "string",
        "maxLength": 2_000,
        "description": "What the work was for, at most 2,000 characters.",
    },
    "run": {
        "type": "string",
        "minLength": 3,
        "maxLength": 100,
        "description": "The open run to finish (run-… or r_…); a new one if not said.",
    },
}
"""The fields of a request to finish a run."""


BY_TOOL: dict[str, Json] = {
    "memory.list": object_of(LIST, required=[]),
    "memory.create": object_of(CREATE, required=["kind", "evidence"]),
    "memory.delete": object_of(DELETE, required=["id"]),
    "context.assemble": object_of(RECALL, required=["q"]),
    "run.finish": object_of(FINISH, required=["summary"]),
}
"""The arguments of each MCP tool."""


def batch_line() -> Json:
    """Return the schema of one line of a batch, with every field of a claim."""
    told: Json = {"type": "object", "additionalProperties": {"type": "string"}}
    whole = object_of({**_EVIDENCE_OBJECT, "facts": told}, required=["type", "ref"])
    evidence: Json = {**EVIDENCE, "items": {"anyOf": [_REFERENCE, whole]}}
    line = object_of({**REMEMBER, "evidence": evidence}, required=[])
    return {**line, "anyOf": [{"required": ["claim"]}, {"required": ["value"]}]}
