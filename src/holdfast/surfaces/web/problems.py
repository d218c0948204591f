"""Errors as pages: what happened, why, what to do next, and who decided meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import AlreadyDecidedError, HoldfastError
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.surfaces.wire.failures import advised, outward

if TYPE_CHECKING:
    from holdfast.surfaces.web.call import PageCall
    from holdfast.surfaces.wire.failures import Advice, Facts

_FORBIDDEN = 403


def _rights(facts: Facts) -> str:
    """Return which token would do."""
    if facts.get("scope"):
        return f"Sign in with a token that has the scope '{facts.get('scope')}'."
    return "Sign in with the token of a person, or ask one."


_TYPED = ("claim", "text", "reason")
ADVICE: dict[str, Advice] = {
    "already-decided": "Nothing was changed. Open the memory to see its history.",
    "changed-since-shown": "Look at it again; then decide about what is shown now.",
    "decided-since": "The timeline lists the later decision; undo that one first.",
    "may-not": _rights,
    "needs-person": "Sign in with the token of a person, or ask one.",
    "nothing-to-undo": "It was undone already.",
    "own-proposal": "Ask another person to decide about it.",
    "proposes-forgetting": "Forget it at the command line: holdfast forget {about}",
    "said-already": "Reject this candidate, or choose other words.",
    "unresolved-conflict": "Choose which of the two is valid, or keep both.",
    "words-contradict": "Change the words, or resolve the conflict first.",
}
"""Advice by code, in the words of the page."""


def status_of(error: HoldfastError) -> int:
    """Return the status of an error."""
    return _FORBIDDEN if error.code == "may-not" else outward(error).http_status


def problem_values(error: HoldfastError, call: PageCall) -> dict[str, object]:
    """Return what the page about an error shows."""
    advice = f"{error.hint} {advised(error, ADVICE)}".strip() or outward(error).advice
    return {
        "message": error.message,
        "advice": advice,
        "decided": _decided(error, call),
        "candidate_id": call.path.get("id", ""),
        "typed": "\n".join("".join(call.form.get(name, ())) for name in _TYPED).strip(),
    }


def _decided(error: HoldfastError, call: PageCall) -> MemoryRecord | None:
    """Return the memory that somebody decided about meanwhile."""
    if not isinstance(error, AlreadyDecidedError):
        return None
    try:
        found = call.app.memories.show(str(error.facts["memory_id"]))
    except HoldfastError:
        return None
    return found if isinstance(found, MemoryRecord) else None
