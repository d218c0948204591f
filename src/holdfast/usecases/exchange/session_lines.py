"""Export and import of what sessions and repositories keep for the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.cache_shape import (
    cache_from_json,
    cache_json,
    project_from_json,
    project_json,
    session_turn_from_json,
    session_turn_json,
)
from holdfast.domain.exchange.said_shape import said_from_json, said_json
from holdfast.domain.fields import Fields
from holdfast.domain.sessions.said import LONGEST_SAID
from holdfast.domain.values import replace
from holdfast.usecases.exchange.agent_lines import export_line
from holdfast.usecases.sessions.unsaying import said_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.cache import CachedTurn
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.ports.store.store import Transaction

KEPT = "kept"
"""The type of these lines."""
_PAGE = 500


def kept_lines(sessions: Iterable[SessionId], *, tx: Transaction) -> Iterator[str]:
    """Return the lines of what these sessions and all repositories keep."""
    caches = tx.sessions.caches
    for session_id in sessions:
        if (cache := caches.get(session_id)) is not None:
            yield export_line(KEPT, {"session": cache_json(cache)})
        for turn in caches.turns(session_id):
            yield export_line(KEPT, {"turn": session_turn_json(turn)})
        for said in caches.said.of(session_id):
            yield export_line(KEPT, {"said": said_json(said)})
    beyond = ""
    while page := caches.projects.page(beyond=beyond, limit=_PAGE):
        yield from (export_line(KEPT, {"project": project_json(state)}) for state in page)
        beyond = page[-1].repo


def take_kept(data: object, *, tx: Transaction) -> bool:
    """Take one line in; return whether it was new. What is here already stays as it is.

    Raises:
        BadFieldError: It is no such line, or has a number that no turn has.
        NoSuchError: It belongs to a session that is not here.
    """
    fields, caches = Fields(data, noun="line"), tx.sessions.caches
    if (shape := fields.raw("turn")) is not None:
        turn = _numbered(session_turn_from_json(shape))
        is_new = all(one.number != turn.number for one in caches.turns(turn.session_id))
        if is_new:
            caches.put_turn(turn)
        return is_new
    if (shape := fields.raw("said")) is not None:
        said = said_from_json(shape)
        is_new = _is_unknown(said, tx=tx)
        if is_new and said.text.strip() and said.number > 0:
            caches.said.put(replace(said, text=said.text[:LONGEST_SAID]))
        return is_new
    if (shape := fields.raw("session")) is not None:
        cache = cache_from_json(shape)
        is_new = caches.get(cache.session_id) is None
        if is_new:
            caches.put(cache)
        return is_new
    state = project_from_json(fields.raw("project"))
    is_new = caches.projects.get(state.repo) is None
    if is_new:
        caches.projects.put(state)
    return is_new


def _numbered(turn: CachedTurn) -> CachedTurn:
    """Return a turn with a number that a turn can have: a store keeps notes in place of turn 0."""
    if turn.number < 1:
        raise BadFieldError(field="turn", problem=f"is {turn.number}, which no turn has.")
    return turn


def _is_unknown(said: SaidTurn, *, tx: Transaction) -> bool:
    """Return whether a turn is neither here nor was removed here."""
    before = said_before(said.session_id, tx=tx)
    numbers = {one.number for one in before.turns} | {one.number for one in before.unsaid}
    return not (said.number in numbers or said.key in before.keys or before.was_removed(said))
