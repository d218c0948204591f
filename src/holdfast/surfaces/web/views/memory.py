"""Memories: the list, and the page of one with its verdict, evidence, history and successors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status, choose
from holdfast.domain.errors import InvalidError, NotFoundError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.memory.selection import Page, Selection
from holdfast.surfaces.web.call import PageAnswer, PageRoute, address
from holdfast.surfaces.web.problems import problem_values, status_of
from holdfast.surfaces.web.views.inbox import kept_fields
from holdfast.surfaces.web.views.points import point_of, point_values
from holdfast.usecases.memory.browse import Browse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.web.call import PageCall

_PAGE_SIZE = 50
_MARGIN = 3
_RECENT = 200
_FILTERS = ("q", "kind", "scope", "status", "origin", "day", "as_of", "everywhere", "repo")


def listing(call: PageCall) -> PageAnswer:
    """List memories, newest first, or best first for a query.

    A wrong field is explained above the form, which keeps what was typed.
    """
    found: dict[str, object] = {"records": (), "total": 0, "page": 1, "has_more": False}
    status = 200
    try:
        found = _listed(call)
    except (InvalidError, NotFoundError) as error:
        status = status_of(error)
        found["problem"] = problem_values(error, call)
    values = {
        "section": "memories",
        "problem": None,
        "kept": {name: call.word(name) for name in _FILTERS if call.word(name)},
        "choices": {"kind": list(Kind), "scope": list(Scope), "origin": list(Origin)},
        "statuses": list(Status),
        **point_values(call),
    }
    return PageAnswer(template="memories.html", values={**values, **found}, status=status)


def _listed(call: PageCall) -> dict[str, object]:
    """Return one page of the list."""
    point = point_of(call)
    selection = Selection(
        space=call.app.principal.space,
        place=None if call.is_served or call.word("everywhere") else call.app.place(),
        kinds=frozenset(choose(Kind, word, what="kind") for word in call.words("kind")),
        scopes=frozenset(choose(Scope, word, what="scope") for word in call.words("scope")),
        origins=frozenset(choose(Origin, word, what="origin") for word in call.words("origin")),
        statuses=_statuses(call, is_past=point is not None),
    )
    page = max(call.number("page", 1), 1)
    wanted = min(page * _PAGE_SIZE, _MOST)
    found = call.app.memories.browse(
        Browse(selection=selection, query=call.word("q"), as_of=point, page=Page(limit=wanted))
    )
    return {
        "records": found.records[(page - 1) * _PAGE_SIZE : wanted],
        "total": found.total,
        "page": page,
        "has_more": found.total > wanted and wanted < _MOST,
    }


_MOST = 1_000


def _statuses(call: PageCall, *, is_past: bool) -> frozenset[Status]:
    """Return the wanted statuses; what held in the past may be superseded by now."""
    words = call.words("status")
    if not words and not is_past:
        return frozenset({Status.ACCEPTED})
    return frozenset(choose(Status, word, what="status") for word in words if word != "any")


def memory(call: PageCall) -> PageAnswer:
    """Show one memory with everything that is known about it."""
    chain = call.app.memories.explain(call.path["id"])
    record = chain.record
    checked = _checked(call, record)
    return PageAnswer(
        template="memory.html",
        values={
            "section": "memories",
            "record": record,
            "chain": chain,
            "checked": checked,
            "verdict": _worst(checked),
            "quotes": call.app.code.cited_lines(record, checked, margin=_MARGIN),
            "related": call.app.memories.related(record.memory.id),
            "decisions": _decisions(call, record),
            "earlier": chain.replaced,
            "is_live": record.standing.status in {Status.ACCEPTED, Status.CANDIDATE},
            "may_pin": call.may(Operation.PIN),
            "kept": kept_fields(call.query),
        },
    )


def _checked(call: PageCall, record: MemoryRecord) -> Sequence[Checked]:
    """Return the verdicts about the evidence; none where there is no repository to check with."""
    try:
        return call.app.evidence.checks_of([record])[0].evidence
    except NoHistoryError:
        return ()


def _worst(checked: Sequence[Checked]) -> str:
    order = ("orphaned", "drifted", "moved", "fresh", "unverifiable")
    said = {one.sighting.verdict.value for one in checked}
    return next((name for name in order if name in said), "")


def _decisions(call: PageCall, record: MemoryRecord) -> list[object]:
    recent = call.app.review.decisions(limit=_RECENT, everywhere=True)
    return [one for one in recent if record.memory.id in one.memories]


def pin(call: PageCall) -> PageAnswer:
    """Pin a memory, or unpin it."""
    name = call.path["id"]
    call.app.memories.pin(name, pinned=call.word("pinned") == "yes")
    return PageAnswer(to=f"/memories/{name}")


def deprecate(call: PageCall) -> PageAnswer:
    """Deprecate an accepted memory."""
    name = call.path["id"]
    call.app.care.deprecate([name], by=call.visitor.name, reason=call.word("reason"))
    return PageAnswer(to=address(f"/memories/{name}", {}))


ROUTES = (
    PageRoute(method="GET", path="/memories", does=listing),
    PageRoute(method="GET", path="/memories/{id}", does=memory),
    PageRoute(method="POST", path="/memories/{id}/pin", does=pin),
    PageRoute(method="POST", path="/memories/{id}/deprecate", does=deprecate),
)
