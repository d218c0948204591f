"""What a tool asked a person to allow: open until it is answered, and kept with its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.sessions.cache import NoteKind
from holdfast.domain.sessions.noting import with_notes
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from holdfast.domain.sessions.cache import CacheNote
    from holdfast.ports.store.store import Transaction

    Notes = tuple[CacheNote, ...]

_MOST_KEPT = 20
"""How many approvals that were answered are kept with a session."""
_LOOKED_AT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """What hooks saw a tool ask a person, in one turn."""

    asks: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()


def is_seen(note: CacheNote) -> bool:
    """Return whether a note is an approval that a hook saw, and not one that somebody wrote."""
    return note.kind is NoteKind.APPROVAL and note.origin is Origin.TOOL


def with_approvals(notes: Notes, seen: Approvals, *, make: Callable[[str], CacheNote]) -> Notes:
    """Return the notes of a session with what was asked in its newest turn.

    What was asked before and does not wait any more is closed; the oldest closed ones are dropped.
    """
    known = {note.text for note in notes if is_seen(note)}
    asked = (*seen.answered, *(one for one in seen.asks if one not in seen.answered))
    grown = (*notes, *(make(text) for text in asked if text not in known))
    stated = [replace(one, is_open=one.text in seen.asks) if is_seen(one) else one for one in grown]
    closed = [one.id for one in stated if is_seen(one) and not one.is_open]
    dropped = set(closed[:-_MOST_KEPT])
    return tuple(one for one in stated if one.id not in dropped)


def close_what_was_done(
    commands: Sequence[str], *, repo: str | None, but: str, tx: Transaction, at: datetime
) -> None:
    """Close what other sessions of the repository wait for, if this turn ran the same command."""
    if not commands or repo is None:
        return
    for cache in tx.sessions.caches.latest(repo, limit=_LOOKED_AT):
        notes = tuple(
            replace(one, is_open=False) if _is_done(one, commands) else one for one in cache.notes
        )
        if notes != cache.notes and cache.session_id != but:
            tx.sessions.caches.put(with_notes(cache, notes, at=at))


def _is_done(note: CacheNote, commands: Collection[str]) -> bool:
    return is_seen(note) and note.is_open and note.text.partition(": ")[2] in commands
