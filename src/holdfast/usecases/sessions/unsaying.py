"""Remove what was said, and leave tombstones, so that no hook and no import brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError
from holdfast.domain.sessions.cache import SessionCache, UnsaidTurn
from holdfast.domain.sessions.said import said_mark
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import scrubbed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.sessions.session_ports import SessionPorts

_REMOVED_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsaidTurns:
    """What was removed; ``not_yet`` says why bytes of it are still in a file, if they are."""

    turns: tuple[SaidTurn, ...]
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidBefore:
    """What a session has from before: its turns, and the tombstones of those that were removed.

    ``last`` is the largest number that a turn of the session has or had.
    """

    turns: tuple[SaidTurn, ...] = ()
    unsaid: tuple[UnsaidTurn, ...] = ()
    last: int = 0

    @property
    def keys(self) -> set[str]:
        """The keys of turns that are kept or were removed."""
        return ({one.key for one in self.turns} | {one.key for one in self.unsaid}) - {""}

    def was_removed(self, turn: SaidTurn) -> bool:
        """Return whether these words were removed from the session."""
        return said_mark(turn) in {one.mark for one in self.unsaid}


def said_before(session: SessionId, *, tx: Transaction) -> SaidBefore:
    """Return what a session has from before."""
    turns, cache = tuple(tx.sessions.caches.said.of(session)), tx.sessions.caches.get(session)
    removed = 0 if cache is None else cache.said_last
    return SaidBefore(
        turns=turns,
        unsaid=() if cache is None else cache.unsaid,
        last=max((removed, *(turn.number for turn in turns))),
    )


def unsay(reference: str, *, number: int | None, ports: SessionPorts) -> UnsaidTurns:
    """Remove what was said in a session, or one turn of it, so that no byte of it stays.

    Raises:
        NoSuchError: The session has no such turn.
    """
    gone = _removed(reference, number=number, ports=ports)
    return UnsaidTurns(turns=gone, not_yet=scrubbed(ports.store) if gone else "")


@repeatable
def _removed(reference: str, *, number: int | None, ports: SessionPorts) -> tuple[SaidTurn, ...]:
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        name = session_id(tx, reference)
        found = tx.sessions.caches.said.of(name)
        gone = tuple(turn for turn in found if number in {None, turn.number})
        if not gone and number is not None:
            raise NoSuchError(noun="turn", reference=f"{name}/{number}")
        graves = [
            UnsaidTurn(number=turn.number, key=turn.key, mark=said_mark(turn)) for turn in gone
        ]
        _bury(name, gone, graves, tx=tx, at=now)
        return gone


def remove_old_said(kept_for: timedelta | None, *, at: datetime, tx: Transaction) -> int:
    """Remove what is kept for longer than a time; return how many turns, a limited number.

    Nobody asked to remove them, so there are no tombstones: a later import may bring them back.
    """
    if kept_for is None:
        return 0
    old = tx.sessions.caches.said.before(at - kept_for, limit=_REMOVED_AT_ONCE)
    for name in dict.fromkeys(turn.session_id for turn in old):
        _bury(name, [turn for turn in old if turn.session_id == name], (), tx=tx, at=at)
    return len(old)


def _bury(
    name: SessionId,
    gone: Sequence[SaidTurn],
    graves: Sequence[UnsaidTurn],
    *,
    tx: Transaction,
    at: datetime,
) -> None:
    """Remove turns of a session, and record their numbers and tombstones."""
    if not gone:
        return
    tx.sessions.caches.said.drop(gone)
    session = tx.sessions.get(name)
    cache = tx.sessions.caches.get(name) or SessionCache(
        session_id=name, at=at, repo=session.repo, branch=session.branch
    )
    last = max((cache.said_last, *(turn.number for turn in gone)))
    tx.sessions.caches.put(replace(cache, unsaid=(*cache.unsaid, *graves), said_last=last))
