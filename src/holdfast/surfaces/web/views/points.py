"""Points in time: the day or the commit that a page is as of, the same on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.recall.days import end_of_day

if TYPE_CHECKING:
    from holdfast.surfaces.web.call import PageCall

_TWO_POINTS = "is given twice: give a day or a commit, not both."


def point_of(call: PageCall) -> str | None:
    """Return the day or the commit that a page is as of; None for now.

    Raises:
        BadFieldError: The day is none, or both are given.
    """
    day, revision = call.word("day"), call.word("as_of")
    if day and revision:
        raise BadFieldError(field="point in time", problem=_TWO_POINTS)
    if day and end_of_day(day) is None:
        raise BadFieldError(field="day", problem="must have the form 2026-01-31.")
    return day or revision or None


def point_values(call: PageCall) -> dict[str, object]:
    """Return the fields of the point in time as they were typed."""
    return {"day": call.word("day"), "revision": call.word("as_of")}
