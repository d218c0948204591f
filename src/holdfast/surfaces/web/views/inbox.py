"""The inbox: the candidates that wait, each with everything that a decision needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, choose
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.recall.rendering import cut_short
from holdfast.domain.review.differences import differing_fields
from holdfast.domain.review.review import Risk
from holdfast.domain.review.shown import set_fields
from holdfast.domain.values import dataclass, replace
from holdfast.surfaces.web.call import PageAnswer, PageRoute, fields_of
from holdfast.usecases.review.queued import Review

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.memory.decision import Decision, Offer
    from holdfast.surfaces.web.call import PageCall
    from holdfast.usecases.anchors.quoting import CitedLines
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import Queue, WaitingCandidate

PAGE_SIZE = 20
_MARGIN = 3
_MOST_LINES = 12
_MOST_QUOTES = 2
_LONGEST = 1_500
_KEPT = ("kind", "origin", "source", "max_risk", "conflicting", "everywhere", "repo", "select")
_RECENT = 50
SELECTIONS = {"low": "low risk", "known": "said already", "all": "all of this page"}
"""The selections that the bulk bar offers, with their words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCard:
    """A candidate as the page shows it.

    ``quotes`` are the cited lines with the lines around them, ``fields`` what is not the default.
    ``is_whole`` says that everything is shown; a card that is not whole takes no decision.
    """

    item: WaitingCandidate
    quotes: tuple[CitedLines, ...]
    fields: tuple[tuple[str, str], ...]
    offer: Offer | None
    is_selected: bool = False
    is_whole: bool = True

    def differences(self, conflict: Conflict) -> tuple[object, ...]:
        """Return the fields in which the candidate and a memory that it contradicts differ."""
        return differing_fields(conflict.candidate, conflict.standing)


def inbox(call: PageCall) -> PageAnswer:
    """Show the candidates that wait."""
    page = max(call.number("page", 1), 1)
    queue = call.app.review.review(_wish(call, page))
    if not queue.items and page > 1:
        page, queue = 1, call.app.review.review(_wish(call, 1))
    cards = [card_of(call, item) for item in queue.items]
    return PageAnswer(
        template="inbox.html",
        values={
            "section": "inbox",
            "queue": queue,
            "cards": cards,
            "page": page,
            "pages": -(-queue.total // PAGE_SIZE),
            "kept": kept_fields(call.query),
            "choices": {"kind": list(Kind), "origin": list(Origin), "max_risk": list(Risk)},
            "selections": _selections(queue),
            "done": _done(call),
            "left": call.number("left", 0),
            "gone": call.number("gone", 0),
            "page_problem": call.word("pages"),
        },
    )


def candidate(call: PageCall) -> PageAnswer:
    """Show one candidate; one that was decided is shown on its own page as a memory."""
    reference = call.path["id"]
    queue = call.app.review.review(Review(references=(reference,), limit=1, reads_pairs=True))
    return PageAnswer(
        template="candidate.html",
        values={
            "section": "inbox",
            "card": card_of(call, queue.items[0], in_full=True),
            "notes": queue.notes,
            "kept": kept_fields(call.query),
        },
    )


def card_of(call: PageCall, item: WaitingCandidate, *, in_full: bool = False) -> CandidateCard:
    """Return a candidate with the cited lines in their file; the list has only some of them."""
    quotes = call.app.code.cited_lines(item.record, item.checked, margin=_MARGIN)
    is_whole = in_full or _length(item) <= _LONGEST
    if not in_full:
        quotes = tuple(_cut(one) for one in quotes[:_MOST_QUOTES])
    return CandidateCard(
        item=item,
        quotes=quotes,
        fields=set_fields(item.record),
        offer=offer_of(item.record.memory),
        is_selected=is_whole and is_selected(item, call.word("select")),
        is_whole=is_whole,
    )


def _length(item: WaitingCandidate) -> int:
    """Return how many letters a person has to read to decide about a candidate."""
    known = () if item.known is None else (item.known,)
    claims = [one.memory.claim for one in (item.record, *item.against.rivals, *known)]
    said = [one.reference for one in item.record.evidence]
    fields = [value for _, value in set_fields(item.record)]
    return sum(map(len, (*claims, *said, *fields)))


def _cut(one: CitedLines) -> CitedLines:
    """Return at most some of the cited lines; those after them are then not shown either."""
    cut = cut_short(one.quote, _MOST_LINES)
    return replace(one, quote=cut, after=() if cut.more else one.after)


def is_selected(item: WaitingCandidate, chosen: str) -> bool:
    """Return whether a selection of the bulk bar contains a candidate."""
    if chosen == "low":
        return item.danger.risk is Risk.LOW and item.known is None
    if chosen == "known":
        return item.known is not None
    return chosen == "all"


def kept_fields(query: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the filters of the inbox that the next page keeps."""
    return {name: query[name][-1] for name in _KEPT if query.get(name, [""])[-1]}


def fields_back(call: PageCall) -> dict[str, str]:
    """Return the filters that a form was sent from."""
    try:
        return kept_fields(fields_of(call.word("back")))
    except ValueError:
        return {}


def _selections(queue: Queue) -> list[tuple[str, str, int]]:
    counted = [
        (name, words, sum(is_selected(item, name) for item in queue.items))
        for name, words in SELECTIONS.items()
    ]
    return [one for one in counted if one[-1]]


def _wish(call: PageCall, page: int) -> Review:
    return Review(
        kinds=frozenset(choose(Kind, word, what="kind") for word in call.words("kind")),
        origins=frozenset(choose(Origin, word, what="origin") for word in call.words("origin")),
        source=call.word("source") or None,
        most_risk=choose(Risk, call.word("max_risk") or Risk.HIGH.value, what="risk"),
        is_conflicting=bool(call.word("conflicting")),
        is_everywhere=call.is_served or bool(call.word("everywhere")),
        limit=PAGE_SIZE,
        skip=(page - 1) * PAGE_SIZE,
        reads_pairs=True,
    )


def _done(call: PageCall) -> Decision | None:
    """Return the decision that the page before made, to tell it and to offer its undo."""
    name = call.word("done")
    if not name:
        return None
    try:
        recent = call.app.review.decisions(limit=_RECENT, everywhere=True)
    except HoldfastError:
        return None
    return next((one for one in recent if one.id == name), None)


ROUTES = (
    PageRoute(method="GET", path="/inbox", does=inbox),
    PageRoute(method="GET", path="/inbox/{id}", does=candidate),
)
