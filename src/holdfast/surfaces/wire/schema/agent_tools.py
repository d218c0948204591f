"""The fields of the requests that only MCP tools take.

Limits and choices are repeated in the descriptions, because some clients strip them from the
schema.
"""

from __future__ import annotations

from holdfast.surfaces.wire.schema.requests import EVIDENCE, REMEMBER
from holdfast.surfaces.wire.schema.words import KINDS, about, object_of, one_of

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from holdfast.surfaces.wire.schema.words import Json


def text(most: int, description: str, *, least: int = 1) -> Json:
    """Return the schema of a text of that length."""
    return {
        "type": "string",
        "minLength": least,
        "maxLength": most,
        "description": f"{description} At most {most:,} characters.",
    }


def number(least: int, most: int, usual: int, description: str) -> Json:
    """Return the schema of a whole number in a range."""
    return {
        "type": "integer",
        "minimum": least,
        "maximum": most,
        "default": usual,
        "description": f"{description} From {least:,} to {most:,}; {usual:,} if not said.",
    }


MEMORY_ID = text(200, "The memory's id (m_…), the start of it, its key or its label.")
_IDS: Json = {
    "type": "array",
    "minItems": 1,
    "maxItems": 20,
    "items": {"type": "string", "minLength": 1, "maxLength": 200},
    "description": "1 to 20 ids, as memory.list and context.assemble give them (m_…).",
}
_SESSION = text(200, "The session (i_…).")
_LISTED = "How many at most."

BY_AGENT_TOOL: dict[str, Json] = {
    "memory.get": object_of({"ids": _IDS}),
    "memory.update": object_of(
        {
            "id": MEMORY_ID,
            "claim": REMEMBER["claim"],
            "evidence": EVIDENCE,
            "kind": about(one_of(KINDS), f"Its kind if it changes, one of: {', '.join(KINDS)}."),
            "because": REMEMBER["because"],
        },
        required=["id", "claim", "evidence"],
    ),
    "memory.link": object_of(
        {
            "from": text(200, "The memory that the link starts at (m_…)."),
            "to": text(200, "The memory that it leads to (m_…)."),
            "kind": text(50, "The kind of link, such as 'supports'; 'related' if not said."),
        },
        required=["from", "to"],
    ),
    "memory.related": object_of(
        {"id": MEMORY_ID, "limit": number(1, 100, 20, _LISTED)}, required=["id"]
    ),
    "memory.explain": object_of(
        {
            "id": text(200, "A memory (m_…), or a bundle (c_…)."),
            "bundle": text(200, "Why this bundle (c_…) has the memory, or left it out."),
        },
        required=["id"],
    ),
    "memory.feedback": object_of(
        {
            "bundle": text(200, "The bundle (c_…) that context.assemble named in its first line."),
            "good": {"type": "boolean", "description": "Whether it helped with the task."},
        }
    ),
    "memory.verify": object_of(
        {
            "ids": {
                **_IDS,
                "maxItems": 100,
                "description": "1 to 100 memories (m_…); without it, all that reach this folder.",
            },
            "at": text(200, "A commit, branch or tag to check against; the files on disk if none."),
        },
        required=[],
    ),
    "code.context": object_of(
        {
            "symbol": text(500, "A name, Class.method, PATH:NAME or PATH:LINE of this checkout."),
            "limit": number(1, 100, 20, "How many callers and callees at most."),
        },
        required=["symbol"],
    ),
    "blame": object_of({"place": text(1_000, "PATH, PATH:LINE or PATH:FROM-TO in this checkout.")}),
    "session.start": object_of({}),
    "session.turn": object_of(
        {
            "session": _SESSION,
            "q": text(8_192, "What was asked in this turn."),
            "bundle": text(200, "The bundle (c_…) that was given for it."),
            "satisfied": {"type": "boolean", "description": "Whether the answer helped."},
            "notes": text(20_000, "What came of it.", least=0),
        },
        required=["session", "q"],
    ),
    "session.end": object_of({"session": _SESSION}),
    "session.resume": object_of({"session": _SESSION}),
    "run.start": object_of({"goal": text(2_000, "What the work is for.", least=0)}, required=[]),
    "run.note": object_of(
        {
            "text": text(20_000, "What was done, tried or found out."),
            "run": text(100, "The open run (run-… or r_…)."),
        }
    ),
    "run.list": object_of(
        {
            "id": text(100, "One run with its notes and summary (run-… or r_…)."),
            "limit": number(1, 100, 20, _LISTED),
        },
        required=[],
    ),
    "review.list": object_of(
        {
            "ids": {
                **_IDS,
                "maxItems": 100,
                "description": "1 to 100 candidates (m_…); without it, all that wait here.",
            },
            "limit": number(1, 100, 20, _LISTED),
        },
        required=[],
    ),
}
"""The arguments of each MCP tool that no other door has in this form."""
