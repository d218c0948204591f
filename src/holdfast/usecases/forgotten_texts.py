"""Remove a forgotten text from what sessions and repositories keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.review.traces import GoneText
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.session import Session
    from holdfast.ports.store.store import Transaction

GONE = "[forgotten]"
_PAGE = 200


def forget_in_sessions(texts: Sequence[GoneText], *, tx: Transaction) -> int:
    """Replace every kept text that contains a forgotten claim; return how many there were."""
    caches, count = tx.sessions.caches, 0
    for session in _sessions(tx):
        for turn in caches.turns(session.id):
            clean = _without(turn, texts)
            if clean != turn:
                caches.put_turn(clean)
                count += 1
        cache = caches.get(session.id)
        if cache is not None and (notes := _notes(cache.notes, texts)) != cache.notes:
            caches.put(replace(cache, notes=notes))
            count += 1
    count += _forget_said(texts, tx=tx)
    beyond = ""
    while page := caches.projects.page(beyond=beyond, limit=_PAGE):
        for state in page:
            if (notes := _notes(state.notes, texts)) != state.notes:
                caches.projects.put(replace(state, notes=notes))
                count += 1
        beyond = page[-1].repo
    return count


def _forget_said(texts: Sequence[GoneText], *, tx: Transaction) -> int:
    """Replace the words of turns; the turns stay, so that no hook or import brings them back."""
    said, count, beyond = tx.sessions.caches.said, 0, ("", 0)
    while page := said.page(beyond=beyond, limit=_PAGE):
        for turn in page:
            if _clean(turn.searched, texts) == GONE:
                said.put(replace(turn, text=GONE, name=""))
                count += 1
        beyond = (page[-1].session_id, page[-1].number)
    return count


def _sessions(tx: Transaction) -> Iterator[Session]:
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].id


def _without(turn: CachedTurn, texts: Sequence[GoneText]) -> CachedTurn:
    return replace(
        turn,
        asked=_clean(turn.asked, texts),
        summary=_clean(turn.summary, texts),
        commands=tuple(_clean(one, texts) for one in turn.commands),
        paths=tuple(_clean(one, texts) for one in turn.paths),
    )


def _notes(notes: tuple[CacheNote, ...], texts: Sequence[GoneText]) -> tuple[CacheNote, ...]:
    return tuple(replace(note, text=_clean(note.text, texts)) for note in notes)


def _clean(text: str, texts: Sequence[GoneText]) -> str:
    return GONE if any(one.is_in(text) for one in texts) else text
