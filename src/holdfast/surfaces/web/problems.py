"""Errors as pages: what happened, why, what to do next, and who decided meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import AlreadyDecidedError, HoldfastError, InvalidError, NotFoundError
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import dataclass
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


_TEXTS = {"claim": "The claim in your words", "text": "One claim for both"}
_LINES = {"other": "With which memory", "reason": "Why"}
_UNSENT = frozenset({"form_token", *_TEXTS, *_LINES})
_MENDED_BY_WORDS = frozenset({"said-already", "words-contradict"})
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAgain:
    """A refused form with what was typed: its texts, its lines, and its hidden fields.

    ``is_card`` says that a script sent it, which replaces only the card of a candidate.
    """

    address: str
    texts: tuple[tuple[str, str, str], ...]
    lines: tuple[tuple[str, str, str], ...]
    hidden: tuple[tuple[str, str], ...]
    is_card: bool


def problem_values(error: HoldfastError, call: PageCall) -> dict[str, object]:
    """Return what the page about an error shows."""
    advice = f"{error.hint} {advised(error, ADVICE)}".strip() or outward(error).advice
    is_missing = isinstance(error, NotFoundError) and not call.form
    return {
        "title": "Not found" if is_missing else "Not done",
        "message": error.message,
        "advice": advice,
        "decided": _decided(error, call),
        "candidate_id": call.path.get("id", ""),
        "typed": "\n".join(filter(None, (_typed(call, name) for name in (*_TEXTS, "reason")))),
        "again": _form_again(error, call),
    }


def _form_again(error: HoldfastError, call: PageCall) -> FormAgain | None:
    """Return the form again, if other words in it may be accepted.

    A candidate that was changed or decided meanwhile has to be looked at again first.
    """
    may_be_mended = isinstance(error, InvalidError | NotFoundError)
    if not (may_be_mended or error.code in _MENDED_BY_WORDS) or not call.form:
        return None
    typed = {name for name in (*_TEXTS, *_LINES) if name in call.form}
    if not typed or call.word("way") not in {"", "merge"}:
        return None
    return FormAgain(
        address=call.address,
        texts=tuple(
            (one, words, _typed(call, one)) for one, words in _TEXTS.items() if one in typed
        ),
        lines=tuple(
            (one, words, _typed(call, one)) for one, words in _LINES.items() if one in typed
        ),
        hidden=tuple(
            (name, one) for name, some in call.form.items() if name not in _UNSENT for one in some
        ),
        is_card=call.is_fragment,
    )


def _typed(call: PageCall, name: str) -> str:
    return "".join(call.form.get(name, ())).strip()


def _decided(error: HoldfastError, call: PageCall) -> MemoryRecord | None:
    """Return the memory that somebody decided about meanwhile."""
    if not isinstance(error, AlreadyDecidedError):
        return None
    try:
        found = call.app.memories.show(str(error.facts["memory_id"]))
    except HoldfastError:
        return None
    return found if isinstance(found, MemoryRecord) else None
