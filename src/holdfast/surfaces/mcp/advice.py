"""The MCP door's advice for an agent by error code: tools and their arguments.

Advice that only a person can follow says so. A code without an entry has its advice in its message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text.outside import words_outside
from holdfast.surfaces.wire.failures import advised

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError
    from holdfast.surfaces.wire.failures import Advice, Facts

_LONGEST_ERROR = 4_000
HOW_TO_GIVE_EVIDENCE = (
    'Give lines of a file ("src/app.py:10-30"), a URL, "commit:<hash>",'
    ' "command:<line you ran>" or the bundle it came from ("c_…").'
)
_A_PERSON = "Ask a person to do it."
_NEW_RUN = "run.start starts a new run; run.finish needs none, if you omit its argument 'run'."


def _rights(facts: Facts) -> str:
    """Return who can help: whoever makes tokens, or a person who does it."""
    return "Ask a person for a token with this scope." if facts.get("scope") else _A_PERSON


def _ready(facts: Facts) -> str:
    """Return what says why nothing can start, or how to add the first task."""
    return "task.list says why." if facts["held"] else "task.add adds one."


def _ids(facts: Facts) -> str:
    """Return the tool that lists ids of that type."""
    if facts["noun"] == "memory":
        return "memory.list returns the ids of memories."
    if facts["noun"] == "task":
        return "task.list returns the ids of tasks."
    return "run.list returns the ids of runs." if facts["noun"] == "run" else ""


ADVICE: dict[str, Advice] = {
    "agents-word": HOW_TO_GIVE_EVIDENCE,
    "already-decided": _A_PERSON,
    "blank-evidence": HOW_TO_GIVE_EVIDENCE,
    "bad-store-address": _A_PERSON,
    "incomplete-export": "Tell the person; they can repair the store.",
    "may-not": _rights,
    "needs-person": _A_PERSON,
    "no-evidence": HOW_TO_GIVE_EVIDENCE,
    "no-open-run": _NEW_RUN,
    "no-repository": "Use the scope 'workspace' or 'global'.",
    "not-authenticated": _A_PERSON,
    "not-migrated": _A_PERSON,
    "not-on-remote": _A_PERSON,
    "token-of-other-space": _A_PERSON,
    "no-store": "A person has to create it.",
    "no-such-store": "A person has to create it.",
    "no-such": _ids,
    "only-candidate": "A person can reject it in a review.",
    "run-is-over": _NEW_RUN,
    "secret-refused": "Remove the secret and propose the claim without it.",
    "store-damaged": "Tell the person; they can repair it.",
    "proposed-too-fast": "Propose only what will matter later, and ask the person to review.",
    "too-many-waiting": "Propose nothing more, and ask the person to review what waits.",
    "task-claimed": "Take another task: task.update with the action 'claim' and no id.",
    "task-is-done": "A person can reopen it.",
    "task-lease-lost": "Read it with task.list before you go on.",
    "task-waits": "Take another task, or finish those first.",
    "nothing-ready": _ready,
    "unresolved-conflict": _A_PERSON,
}
"""Advice by code."""


def advice(error: HoldfastError) -> str:
    """Return what an agent can do about an error; empty if the message already says it."""
    return advised(error, ADVICE)


def worded(error: HoldfastError) -> str:
    """Return the message of an error with the advice for an agent."""
    return words_outside(f"{error} {advice(error)}", most=_LONGEST_ERROR)
