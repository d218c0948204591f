"""Sessions and their turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    checked,
    maybe_millis,
    maybe_moment,
    millis,
    moment_of,
    sealed,
)
from holdfast.adapters.sqlite.database.standpoint_rows import branch_point_of, put_branch_point
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.sessions.caches import SqliteSessionCaches

SESSION, TURN = "session", "turn"
_SESSION_COLUMNS = 9


class SqliteSessions:
    """Sessions by id, and their turns by number."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @cached_property
    def caches(self) -> SqliteSessionCaches:
        """What sessions and repositories keep for the next session."""
        from holdfast.adapters.sqlite.sessions.caches import SqliteSessionCaches

        return SqliteSessionCaches(self.work)

    def put(self, session: Session) -> None:
        """Write a session, or its end."""
        self.work.moment()
        values = sealed(
            SESSION,
            (
                session.id,
                session.tool,
                session.user,
                session.repo,
                session.branch,
                millis(session.started_at),
                maybe_millis(session.finished_at),
            ),
        )
        self.work.run("put_session", *values)
        self.work.record("session.put", session.id, values[-1])
        self._put_branch_point(session)

    def get(self, session_id: SessionId) -> Session:
        """Return a session."""
        row = self.work.row("get_session", session_id)
        if row is None:
            raise NoSuchError(noun="session", reference=session_id)
        return self._session(row)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Session]:
        """Return sessions, newest id first, starting after ``beyond``."""
        rows = self.work.rows("sessions_before", {"beyond": beyond, "limit": limit})
        return tuple(self.work.sound(rows, self._session))

    def add_turn(self, turn: Interaction) -> Interaction:
        """Write a turn and return it with its number."""
        self.work.moment()
        self.get(turn.session_id)
        numbered = replace(turn, id=turn.id or int(self.work.rows("last_turn")[0][0]) + 1)
        self._put_turn("turn.added", numbered)
        return numbered

    def turns(self, session_id: SessionId) -> Sequence[Interaction]:
        """Return a session's turns in order."""
        return tuple(self.work.sound(self.work.rows("turns_of", (session_id,)), self._turn))

    def set_turn(self, turn: Interaction) -> None:
        """Replace a turn's question, verdict and notes."""
        self.work.moment()
        row = self.work.row("get_turn", turn.id)
        if row is None:
            raise NoSuchError(noun="turn", reference=str(turn.id))
        judged = replace(
            self._turn(row), query=turn.query, satisfied=turn.satisfied, notes=turn.notes
        )
        self._put_turn("turn.set", judged)

    def turns_with(self, bundle_id: BundleId) -> Sequence[Interaction]:
        """Return the turns that a bundle answered."""
        return tuple(self.work.sound(self.work.rows("turns_with", (bundle_id,)), self._turn))

    def _put_turn(self, action: str, turn: Interaction) -> None:
        values = sealed(TURN, _turn_values(turn))
        self.work.run("put_turn", *values)
        self.work.record(action, str(turn.id), values[-1])

    def _put_branch_point(self, session: Session) -> None:
        if session.branch_point is not None:
            put_branch_point(session.id, session.repo, session.branch_point, self.work)
        elif self.work.row("drop_standpoint", session.id) is not None:
            self.work.record("standpoint.removed", session.id)

    def _session(self, joined: Row) -> Session:
        row, point = joined[:_SESSION_COLUMNS], joined[_SESSION_COLUMNS:]
        checked(SESSION, row, path=self.work.path, name=str(row[0]))
        return Session(
            id=SessionId(row[0]),
            tool=row[1],
            user=row[2],
            repo=row[3],
            branch=row[4],
            started_at=moment_of(row[5]),
            finished_at=maybe_moment(row[6]),
            branch_point=None if point[0] is None else branch_point_of(self.work.path, *point),
        )

    def _turn(self, row: Row) -> Interaction:
        checked(TURN, row, path=self.work.path, name=str(row[0]))
        return Interaction(
            id=row[0],
            session_id=SessionId(row[1]),
            at=moment_of(row[2]),
            query=row[3],
            bundle_id=None if row[4] is None else BundleId(row[4]),
            satisfied=None if row[5] is None else bool(row[5]),
            notes=row[6],
        )


def _turn_values(turn: Interaction) -> tuple[Value, ...]:
    return (
        turn.id,
        turn.session_id,
        millis(turn.at),
        turn.query,
        turn.bundle_id,
        None if turn.satisfied is None else int(turn.satisfied),
        turn.notes,
    )
