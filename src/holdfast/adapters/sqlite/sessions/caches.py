"""What sessions and repositories keep for the next session, as sealed rows."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json, checked, millis, sealed
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.cache_shape import (
    cache_from_json,
    cache_json,
    project_from_json,
    project_json,
    session_turn_from_json,
    session_turn_json,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.sessions.said import SqliteSaidTurns
    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.cache import CachedTurn, ProjectState, SessionCache, TurnQuestion

RECORD = "record"
_BODY = 6
_PROJECT = "project "


class SqliteProjectStates:
    """What repositories keep."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, state: ProjectState) -> None:
        """Write the state of a repository."""
        where = (state.repo, None, 0, millis(state.at))
        _put(self.work, (f"{_PROJECT}{state.repo}", 0), where, project_json(state))

    def get(self, repo: str) -> ProjectState | None:
        """Return the state of a repository."""
        row = self.work.row("get_session_record", f"{_PROJECT}{repo}", 0)
        return None if row is None else self._state(row)

    def page(self, *, beyond: str, limit: int) -> Sequence[ProjectState]:
        """Return the states in the order of their repositories."""
        rows = self.work.rows("project_states_after", {"beyond": beyond, "limit": limit})
        return tuple(self.work.sound(rows, self._state))

    def _state(self, row: Row) -> ProjectState:
        return project_from_json(_body(self.work, row))


class SqliteSessionCaches:
    """What sessions keep: row 0 of each, and its turns under their numbers."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @cached_property
    def projects(self) -> SqliteProjectStates:
        """What repositories keep."""
        return SqliteProjectStates(self.work)

    @cached_property
    def said(self) -> SqliteSaidTurns:
        """What was said in sessions."""
        from holdfast.adapters.sqlite.sessions.said import SqliteSaidTurns

        return SqliteSaidTurns(self.work)

    def put(self, cache: SessionCache) -> None:
        """Write what a session keeps beside its turns."""
        self._check(cache.session_id)
        where = (cache.repo or "", cache.branch, 0, millis(cache.at))
        _put(self.work, (cache.session_id, 0), where, cache_json(cache))

    def get(self, session_id: SessionId) -> SessionCache | None:
        """Return what a session keeps."""
        row = self.work.row("get_session_record", session_id, 0)
        return None if row is None else self._cache(row)

    def latest(self, repo: str, *, limit: int) -> Sequence[SessionCache]:
        """Return what the sessions of a repository keep, the last changed first."""
        rows = self.work.rows("newest_session_caches", {"repo": repo, "limit": limit})
        return tuple(self.work.sound(rows, self._cache))

    def put_turn(self, turn: CachedTurn) -> None:
        """Write a turn."""
        self._check(turn.session_id)
        where = (turn.repo or "", turn.branch, turn.hidden, millis(turn.at))
        _put(self.work, (turn.session_id, turn.number), where, session_turn_json(turn))

    def turns(self, session_id: SessionId) -> Sequence[CachedTurn]:
        """Return the turns of a session in order."""
        rows = self.work.rows("session_records_of", (session_id,))
        return tuple(self.work.sound(rows, self._turn))

    def latest_turns(self, question: TurnQuestion) -> Sequence[CachedTurn]:
        """Return the newest turns, newest first."""
        name = "newest_turns_elsewhere" if question.elsewhere else "newest_session_turns"
        values: dict[str, Value] = {
            "repo": question.repo,
            "branch": question.branch,
            "limit": question.limit,
        }
        return tuple(self.work.sound(self.work.rows(name, values), self._turn))

    def _check(self, session_id: SessionId) -> None:
        if self.work.row("get_session", session_id) is None:
            raise NoSuchError(noun="session", reference=session_id)

    def _cache(self, row: Row) -> SessionCache:
        return cache_from_json(_body(self.work, row))

    def _turn(self, row: Row) -> CachedTurn:
        return session_turn_from_json(_body(self.work, row))


def _put(
    work: Work, key: tuple[str, int], where: tuple[Value, ...], body: dict[str, object]
) -> None:
    work.moment()
    row = sealed(RECORD, (*key, *where, as_json(body)))
    work.run("put_session_record", *row)
    work.record("record.put", f"{key[0]} {key[1]}", row[-1])


def _body(work: Work, row: Row) -> object:
    checked(RECORD, row, path=work.path, name=f"{row[0]} {row[1]}")
    found: object = json.loads(row[_BODY])
    return found
