"""The frame of every page: the navigation, the place, and the number of waiting candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.memory.callers import Operation
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.selection import Page, Selection
from holdfast.surfaces.web.rendering import brief
from holdfast.usecases.memory.browse import Browse

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.web.call import PageCall

_LONGEST_REPO = 40
SECTIONS = (
    ("inbox", "Inbox"),
    ("search", "Search"),
    ("memories", "Memories"),
    ("timeline", "Timeline"),
    ("health", "Health"),
    ("tasks", "Tasks"),
    ("agents", "Agents"),
)


def frame_values(call: PageCall) -> dict[str, object]:
    """Return what the frame of a page shows."""
    return {
        "now": call.app.now(),
        "place_words": _place_words(call),
        "sections": SECTIONS,
        "visitor": call.visitor,
        "may_decide": call.may(Operation.DECIDE),
        "is_served": call.is_served,
        "is_fragment": call.is_fragment,
        "waiting": waiting_count(call.app, is_served=call.is_served),
    }


def _place_words(call: PageCall) -> str:
    """Return the space, the repository and the branch that the page is seen from."""
    place = call.app.place()
    space = "" if place.space == DEFAULT_SPACE else place.space
    repo = brief(call.visitor.folder or place.repo or "", _LONGEST_REPO)
    return " · ".join(word for word in (space, repo, place.branch or "") if word)


def waiting_count(app: Holdfast, *, is_served: bool) -> int:
    """Return how many candidates wait: here, or everywhere on a server."""
    selection = Selection(
        space=app.principal.space,
        place=None if is_served else app.place(),
        statuses=frozenset({Status.CANDIDATE}),
    )
    return app.memories.browse(Browse(selection=selection, page=Page(limit=1))).total
