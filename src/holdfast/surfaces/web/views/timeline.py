"""The timeline: decisions, sessions and runs, the newest first."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.callers import plain_tool
from holdfast.domain.values import dataclass
from holdfast.surfaces.web.call import PageAnswer, PageRoute
from holdfast.surfaces.web.rendering import day
from holdfast.usecases.memory.browse import SessionPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.sessions.run import Run
    from holdfast.surfaces.web.call import PageCall

_MANY = 100
SORTS = ("decision", "session", "run")
"""What the timeline shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """One thing that happened: when, what sort, by whom, in which words, and where it leads."""

    at: datetime
    sort: str
    by: str
    words: str
    link: str = ""
    decision: Decision | None = None


def timeline(call: PageCall) -> PageAnswer:
    """Show what happened here, or everywhere."""
    sort = call.word("sort")
    everywhere = call.is_served or bool(call.word("everywhere"))
    entries = [
        one
        for name, read in _READ.items()
        if sort in {"", name}
        for one in read(call, everywhere=everywhere)
    ]
    entries.sort(key=lambda one: one.at, reverse=True)
    return PageAnswer(
        template="timeline.html",
        values={
            "section": "timeline",
            "days": _by_day(entries[:_MANY]),
            "sort": sort,
            "sorts": SORTS,
            "everywhere": everywhere,
        },
    )


def _by_day(entries: list[TimelineEntry]) -> list[tuple[str, list[TimelineEntry]]]:
    """Return the entries of each day, the newest day first."""
    return [(name, list(some)) for name, some in groupby(entries, key=lambda one: day(one.at))]


def run(call: PageCall) -> PageAnswer:
    """Show one run."""
    found = call.app.runs.show(call.path["id"])
    return PageAnswer(template="run.html", values={"section": "timeline", "run": found})


def session(call: PageCall) -> PageAnswer:
    """Show one session with its turns.

    Raises:
        NoSuchError: The id is not that of a session.
    """
    found = call.app.memories.show(call.path["id"])
    if not isinstance(found, SessionPage):
        raise NoSuchError(noun="session", reference=call.path["id"])
    return PageAnswer(template="session.html", values={"section": "timeline", "found": found})


def _decisions(call: PageCall, *, everywhere: bool) -> Iterator[TimelineEntry]:
    for one in call.app.review.decisions(limit=_MANY, everywhere=everywhere):
        many = len(one.changes)
        words = f"{one.action.value}: {'1 memory' if many == 1 else f'{many} memories'}"
        first = one.memories[0] if one.memories else ""
        yield TimelineEntry(
            at=one.at,
            sort="decision",
            by=one.by,
            words=words,
            link=f"/memories/{first}" if first else "",
            decision=one,
        )


def _sessions(call: PageCall, *, everywhere: bool) -> Iterator[TimelineEntry]:
    for one in call.app.sessions.latest(limit=_MANY, everywhere=everywhere):
        ended = "" if one.finished_at is None else ", ended"
        branch = "" if one.branch is None else f" on {one.branch}"
        yield TimelineEntry(
            at=one.started_at,
            sort="session",
            by=one.user,
            words=f"{plain_tool(one.tool)}{branch}{ended}",
            link=f"/sessions/{one.id}",
        )


def _runs(call: PageCall, *, everywhere: bool) -> Iterator[TimelineEntry]:
    try:
        found = call.app.runs.latest(limit=_MANY, everywhere=everywhere)
    except NoHistoryError:
        return
    for one in found:
        yield TimelineEntry(
            at=one.started_at,
            sort="run",
            by=one.user,
            words=f"{one.label}: {_told(one)}",
            link=f"/runs/{one.id}",
        )


def _told(one: Run) -> str:
    return one.summary or one.goal or one.status.value


_READ = {"decision": _decisions, "session": _sessions, "run": _runs}

ROUTES = (
    PageRoute(method="GET", path="/timeline", does=timeline),
    PageRoute(method="GET", path="/runs/{id}", does=run),
    PageRoute(method="GET", path="/sessions/{id}", does=session),
)
