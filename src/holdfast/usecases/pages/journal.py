"""Journal: the page of a day, generated from the store."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import SHARED
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.selection import Cursor, Page, Selection
from holdfast.domain.pages.journal import (
    Section,
    journal_page,
    memory_section,
    run_sections,
    turn_section,
)
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.memory.browse import turn_recorders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.domain.sessions.session import Session
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.store.store import Store, Transaction

_PAGE = 200
_FIRST_YEAR, _LAST_YEAR = 1970, 9998
_LONGEST_SESSION = timedelta(days=14)


def journal(
    day: date, *, store: Store, surroundings: Surroundings, verifier: Verifier | None
) -> str:
    """Return the page of a day, as seen from this checkout; days begin and end in UTC.

    Raises:
        BadFieldError: The day is outside the range of years that a store can hold.
    """
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise BadFieldError(
            field="day", problem=f"must lie between the years {_FIRST_YEAR} and {_LAST_YEAR}."
        )
    place = surroundings.place()
    start = datetime.combine(day, time(), tzinfo=UTC)
    with store.reading() as tx:
        sessions = list(_sessions(place, start, tx=tx))
        points = {one.branch_point for one in sessions if one.branch_point is not None}
        aside = [point for point in points if point.is_aside]
        here = view(place, tx=tx, verifier=verifier, also=aside)
        found = [
            *_turns(sessions, here, tx=tx),
            *_runs(place, here, start, tx=tx),
            *_memories(Selection(place=place, statuses=SHARED, view=here), start, tx=tx),
        ]
    end = start + timedelta(days=1)
    return journal_page(day, [section for section in found if start <= section.at < end])


def _turns(sessions: list[Session], here: View, *, tx: Transaction) -> Iterator[Section]:
    """Return the turns of the sessions that reach this checkout."""
    for session in sessions:
        if session.branch_point not in here.unseen:
            by = turn_recorders(session.id, tx=tx)
            for turn in tx.sessions.turns(session.id):
                yield turn_section(turn, recorder=by.get(turn.at, ""))


def _sessions(place: Place, start: datetime, *, tx: Transaction) -> Iterator[Session]:
    """Return the sessions of this repository that may extend into the day."""
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        for session in page:
            if session.repo == place.repo and session.started_at < start + timedelta(days=1):
                yield session
        if page[-1].started_at < start - _LONGEST_SESSION:
            return
        beyond = page[-1].id


def _runs(place: Place, here: View, start: datetime, *, tx: Transaction) -> Iterator[Section]:
    """Return the runs on branches that reach this checkout; a run stores only its branch name."""
    hidden = {point.branch for point in here.unseen}
    beyond: str | None = None
    while page := tx.diary.runs.page(beyond=beyond, limit=_PAGE):
        for run in page:
            if run.repo == place.repo and (run.branch is None or run.branch not in hidden):
                yield from run_sections(run)
        if page[-1].started_at < start - _LONGEST_SESSION:
            return
        beyond = page[-1].id


def _memories(wanted: Selection, start: datetime, *, tx: Transaction) -> Iterator[Section]:
    beyond: Cursor | None = None
    while page := tx.memories.find(wanted, Page(limit=_PAGE, beyond=beyond)):
        yield from (memory_section(one) for one in page if not is_sensitive(one.memory))
        # Imported memories arrive later than they were said, so one old memory proves nothing.
        if all(record.memory.created_at < start for record in page):
            return
        beyond = page.beyond
