"""Sessions with a tool, and the turns in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import SessionEndedError
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.domain.values import replace
from holdfast.usecases.naming import bundle_id, check_limit, session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store


@repeatable
def start_session(
    *, tool: str, user: str, store: Store, clock: Clock, surroundings: Surroundings
) -> Session:
    """Start a session of a tool, here."""
    now, place = clock.now(), surroundings.place()
    session = Session(
        id=SessionId(sortable("i", at=now, entropy=clock.entropy())),
        tool=screened(tool, what="tool"),
        user=screened(user, what="user"),
        repo=place.repo,
        branch=place.branch,
        started_at=now,
        branch_point=surroundings.branch_point(),
    )
    with store.writing(now) as tx:
        tx.sessions.put(session)
    return session


@repeatable
def add_turn(reference: str, turn: Interaction, *, store: Store, clock: Clock) -> Interaction:
    """Record a question of a session, the bundle that answered it, and whether it helped.

    Raises:
        SessionEndedError: The session is over.
    """
    clean = replace(
        turn,
        query=screened(turn.query, what="query", secrets=SecretPolicy.REDACT),
        notes=screened(turn.notes, what="notes", secrets=SecretPolicy.REDACT),
        at=clock.now(),
    )
    with store.writing(clean.at) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is not None:
            raise SessionEndedError(session.id)
        bundle = None if clean.bundle_id is None else bundle_id(tx, clean.bundle_id)
        return tx.sessions.add_turn(replace(clean, id=0, session_id=session.id, bundle_id=bundle))


@repeatable
def end_session(reference: str, *, store: Store, clock: Clock) -> Session:
    """End a session; a second call changes nothing."""
    now = clock.now()
    with store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is None:
            session = replace(session, finished_at=now)
            tx.sessions.put(session)
        return session


def sessions(*, limit: int, store: Store) -> Sequence[Session]:
    """Return the latest sessions, newest first."""
    check_limit(limit)
    with store.reading() as tx:
        return tx.sessions.page(beyond=None, limit=limit)
