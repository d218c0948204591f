"""The MCP door's advice for an agent by error code: tools and their arguments.

Advice that only a person can follow says so. A code without an entry has its advice in its message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.wire.failures import advised

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError
    from holdfast.surfaces.wire.failures import Advice, Facts

HOW_TO_GIVE_EVIDENCE = (
    'Give a place in a file ("src/app.py:10-30"), a URL, "commit:<hash>",'
    ' "command:<line you ran>" or the bundle it came from ("c_…").'
)
_A_PERSON = "Leave that to a person."


def _ids(facts: Facts) -> str:
    """Name the tool that returns ids of that sort."""
    if facts["noun"] == "memory":
        return "memory.list gives the ids of memories."
    return "Leave the argument 'run' out to begin one." if facts["noun"] == "run" else ""


ADVICE: dict[str, Advice] = {
    "agents-word": HOW_TO_GIVE_EVIDENCE,
    "already-decided": _A_PERSON,
    "blank-evidence": HOW_TO_GIVE_EVIDENCE,
    "incomplete-export": "Tell the person; they can repair the store.",
    "may-not": _A_PERSON,
    "needs-person": _A_PERSON,
    "no-evidence": HOW_TO_GIVE_EVIDENCE,
    "no-open-run": "Leave the argument 'run' out to begin one.",
    "no-repository": "Use the scope 'workspace' or 'global'.",
    "no-store": "A person has to create it.",
    "no-such-store": "A person has to create it.",
    "no-such": _ids,
    "only-candidate": "memory.delete removes a candidate.",
    "run-is-over": "Leave the argument 'run' out to begin another one.",
    "secret-refused": "Take it out and propose the claim without it.",
    "store-damaged": "Tell the person; they can repair it.",
    "unresolved-conflict": _A_PERSON,
}
"""Advice by code."""


def advice(error: HoldfastError) -> str:
    """Return what an agent can do about an error; empty if the message already says it."""
    return advised(error, ADVICE)


def worded(error: HoldfastError) -> str:
    """Return the message of an error with the advice for an agent."""
    return f"{error} {advice(error)}".strip()
