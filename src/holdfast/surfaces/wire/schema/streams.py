"""What ``export`` writes to stdout, and what ``hook`` answers in the format of each tool."""

from __future__ import annotations

from holdfast.surfaces.wire.schema.words import TEXT, TRUTH, Json, object_of, one_of

EXPORT_LINE = object_of(
    {
        "type": one_of(
            ["holdfast", "span", "rewrite", "tombstone", "memory", "link", "bundle", "session"]
            + ["turn", "run", "step", "task", "decision", "agent", "cycle", "namespace", "document"]
        ),
        "data": {"type": "object"},
    }
)
"""A line of an export: what it is, and its content as the store has it."""

_DECISION = one_of(["ask", "deny"])


def _optional(properties: Json) -> Json:
    return object_of(properties, required=[])


HOOK_ANSWERS: list[Json] = [
    _optional(
        {
            "hookSpecificOutput": object_of(
                {
                    "hookEventName": TEXT,
                    "additionalContext": TEXT,
                    "permissionDecision": _DECISION,
                    "permissionDecisionReason": TEXT,
                },
                required=["hookEventName"],
            ),
            "systemMessage": TEXT,
            "decision": one_of(["deny"]),
            "reason": TEXT,
        }
    ),
    _optional(
        {
            "additionalContext": TEXT,
            "permissionDecision": _DECISION,
            "permissionDecisionReason": TEXT,
        }
    ),
    _optional(
        {
            "additional_context": TEXT,
            "permission": _DECISION,
            "continue": TRUTH,
            "user_message": TEXT,
            "agent_message": TEXT,
        }
    ),
    _optional({"contextModification": TEXT, "cancel": TRUTH, "errorMessage": TEXT}),
    _optional({"context": TEXT, "message": TEXT, "stop": TEXT}),
]
"""The answers of a hook: Claude, Codex and Gemini; Copilot; Cursor; Cline; our own plug-in.

An empty object says nothing to the agent.
"""
