"""Decisions by form: approve, reject, edit, merge, resolve, several at once, and undo.

A decision counts only for what was shown: the forms of a candidate have the hash of its card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError, ChangedSinceShownError, HoldfastError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.review.shown import is_shown
from holdfast.surfaces.web.call import PageAnswer, PageRoute, address
from holdfast.surfaces.web.views.inbox import card_of, fields_back
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.memory.decision import Decision
    from holdfast.surfaces.web.call import PageCall
    from holdfast.usecases.review.approve import Decided

_MOST_AT_ONCE = 200
_NOTHING_CHOSEN = "names no candidate. Mark some first."
_TOO_MANY = f"names more than {_MOST_AT_ONCE} candidates."
_NOT_SHOWN = "does not say what it showed. Open the candidate again."
_NO_OTHER = "names no memory. Give the id of the memory to merge with."


def approve(call: PageCall) -> PageAnswer:
    """Accept a candidate as it was shown."""
    name = call.path["id"]
    wish = Approve(references=(name,), by=call.visitor.name, shown=_shown(call, name))
    return _told(call, call.app.review.approve(wish), "Approved")


def reject(call: PageCall) -> PageAnswer:
    """Reject a candidate."""
    wish = Reject(references=(call.path["id"],), by=call.visitor.name, reason=call.word("reason"))
    return _told(call, call.app.review.reject(wish), "Rejected")


def edit(call: PageCall) -> PageAnswer:
    """Accept a candidate or a memory in other words."""
    name = call.path["id"]
    if call.word("shown"):
        _refuse_decided(call)
    wish = Edit(
        reference=name,
        claim=_text(call, "claim"),
        by=call.visitor.name,
        shown_hash=call.word("shown") or None,
    )
    return _told(call, call.app.review.edit(wish), "Edited and approved")


def resolve(call: PageCall) -> PageAnswer:
    """Resolve the conflict of a candidate with an accepted memory."""
    way = choose(ResolutionWay, call.word("way"), what="way to resolve a conflict")
    wish = Resolve(
        reference=call.path["id"],
        other=call.word("other") or None,
        by=call.visitor.name,
        way=way,
        text=_text(call, "text") if way is ResolutionWay.MERGE else "",
        scope_new=call.word("scope_new"),
        scope_old=call.word("scope_old"),
        reason=call.word("reason"),
        shown_hash=call.word("shown") or None,
    )
    decided = call.app.review.resolve(wish)
    if decided.left and call.is_fragment:
        return _left(call)
    return _told(call, decided, _resolved(way, decided))


def _left(call: PageCall) -> PageAnswer:
    """Return the card of a candidate with the conflicts that are left."""
    wish = Review(references=(call.path["id"],), limit=1, reads_pairs=True)
    queue = call.app.review.review(wish)
    card = card_of(call, queue.items[0], in_full=True)
    return PageAnswer(
        template="candidate_fragment.html", values={"card": card, "kept": fields_back(call)}
    )


_RESOLVED = {
    ResolutionWay.KEEP_OLD: "Kept the accepted memory",
    ResolutionWay.SUPERSEDE: "Replaced the accepted memory",
    ResolutionWay.KEEP_BOTH: "Kept both",
    ResolutionWay.MERGE: "Merged",
}


def _resolved(way: ResolutionWay, decided: Decided) -> str:
    """Return what a decision did, in words; it may be about several accepted memories."""
    is_about_old = way in {ResolutionWay.KEEP_OLD, ResolutionWay.SUPERSEDE}
    old = decided.replaced if way is ResolutionWay.SUPERSEDE else decided.records
    if is_about_old and len(old) > 1:
        return _RESOLVED[way].replace("the accepted memory", f"{len(old)} accepted memories")
    return _RESOLVED[way]


def merge(call: PageCall) -> PageAnswer:
    """Make one memory of a candidate and another memory."""
    name, other = call.path["id"], call.word("other")
    if not other:
        raise BadFieldError(field="other", problem=_NO_OTHER)
    text = _text(call, "text")
    _refuse_decided(call)
    standing = call.app.memories.explain(other).record
    is_said = text.strip() == standing.memory.claim.strip()
    decided = call.app.care.consolidate(
        (standing.memory.id, name), by=call.visitor.name, text=None if is_said else text
    )
    return _told(call, decided, "Merged")


def several(call: PageCall) -> PageAnswer:
    """Approve or reject the marked candidates.

    Approving leaves those with a conflict and, among several, those whose evidence is gone.
    """
    names = call.words("ids")
    if not names or len(names) > _MOST_AT_ONCE:
        raise BadFieldError(field="ids", problem=_TOO_MANY if names else _NOTHING_CHOSEN)
    by = call.visitor.name
    founded = names
    if call.word("action") == "reject":
        wish = Reject(references=names, by=by, reason=call.word("reason"))
        decided = call.app.review.reject(wish)
    else:
        founded = _founded(call, names)
        shown = {name: given for name in founded if (given := call.word(f"shown-{name}"))}
        decided = call.app.review.approve(
            Approve(references=founded, by=by, shown=shown, leaves_conflicts=True)
        )
    left = {one.candidate.memory.id for one in decided.left}
    gone = len(names) - len(founded)
    back = {**fields_back(call), "pages": _page_problem(call), "gone": str(gone) if gone else ""}
    back.pop("select", None)
    return PageAnswer(to=_after(back, decided.decision, left=len(left)))


def _founded(call: PageCall, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the candidates without those whose evidence is gone; a single one is kept."""
    if len(names) == 1:
        return names
    items = call.app.review.review(Review(references=names, limit=len(names))).items
    gone = {item.record.memory.id for item in items if item.is_unfounded}
    return tuple(name for name in names if name not in gone)


def undo(call: PageCall) -> PageAnswer:
    """Undo a decision."""
    taken = call.app.review.undo(Undo(by=call.visitor.name, reference=call.path["id"]))
    problem = _page_problem(call)
    if call.is_fragment:
        return _card_again(call, call.word("candidate"))
    back = call.word("to")
    if back == "timeline":
        return PageAnswer(to="/timeline")
    touched = taken[0].memories
    if back == "memory" and touched:
        return PageAnswer(to=f"/memories/{touched[0]}")
    return PageAnswer(to=address("/inbox", {**fields_back(call), "pages": problem}))


def _card_again(call: PageCall, name: str) -> PageAnswer:
    """Return the card of a candidate that waits again."""
    [item] = call.app.review.review(Review(references=(name,), limit=1)).items
    values = {"card": card_of(call, item), "kept": fields_back(call)}
    return PageAnswer(template="candidate_fragment.html", values=values)


def _told(call: PageCall, decided: Decided, words: str) -> PageAnswer:
    """Return what comes after a decision: a line in place of the card, or the inbox again."""
    problem = _page_problem(call)
    if call.is_fragment:
        return PageAnswer(
            template="decided_fragment.html",
            values={
                "words": words,
                "candidate_id": call.path["id"],
                "decision": decided.decision,
                "records": decided.records,
                "page_problem": problem,
                "kept": fields_back(call),
            },
        )
    if call.word("to") == "memory":
        made = decided.records[0].memory.id if decided.records else call.path["id"]
        return PageAnswer(to=f"/memories/{made}")
    return PageAnswer(to=_after({**fields_back(call), "pages": problem}, decided.decision))


def _after(back: dict[str, str], decision: Decision | None, *, left: int = 0) -> str:
    done = "" if decision is None else decision.id
    return address("/inbox", {**back, "done": done, "left": str(left) if left else ""})


def _page_problem(call: PageCall) -> str:
    """Write a decision into the pages of the repository; return what prevented it.

    The decision is kept if this fails.
    """
    try:
        call.app.page_writer.write(by=call.visitor.name)
    except HoldfastError as error:
        return error.code
    return ""


def _refuse_decided(call: PageCall) -> None:
    """Return if the candidate of a form still waits, and is what the form showed.

    An accepted memory could be edited and merged too, but the form was about a candidate.

    Raises:
        AlreadyDecidedError: Somebody decided about it meanwhile.
        ChangedSinceShownError: It is not what the form showed.
    """
    name = call.path["id"]
    [item] = call.app.review.review(Review(references=(name,), limit=1)).items
    if not is_shown(call.word("shown"), item.shown):
        raise ChangedSinceShownError(name)


def _shown(call: PageCall, name: str) -> dict[str, str]:
    """Return the hash of what the form showed.

    Raises:
        BadFieldError: The form has none.
    """
    given = call.word("shown")
    if not given and call.may(Operation.DECIDE):
        raise BadFieldError(field="form", problem=_NOT_SHOWN)
    return {name: given} if given else {}


def _text(call: PageCall, name: str) -> str:
    """Return a field with its line breaks.

    Raises:
        BadFieldError: It is empty.
    """
    text = "".join(call.form.get(name, ()))
    if not text.strip():
        raise BadFieldError(field=name, problem="is empty.")
    return text


def _form(path: str, does: Callable[[PageCall], PageAnswer]) -> PageRoute:
    return PageRoute(method="POST", path=path, does=does)


ROUTES = (
    _form("/inbox/several", several),
    _form("/candidates/{id}/approve", approve),
    _form("/candidates/{id}/reject", reject),
    _form("/candidates/{id}/edit", edit),
    _form("/candidates/{id}/merge", merge),
    _form("/candidates/{id}/resolve", resolve),
    _form("/decisions/{id}/undo", undo),
)
