"""Remove a forgotten text from what sessions and repositories keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.shared_words import SharedWords
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.review.traces import GoneText
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote, ProjectState
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.domain.sessions.session import Session
    from holdfast.ports.store.store import Transaction

GONE = "[forgotten]"
_PAGE = 200


def kept_words(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield each text that forgetting looks through, with the name of its place."""
    for session in _sessions(tx):
        where = f"the session {session.id}"
        for turn in tx.sessions.caches.turns(session.id):
            fields = (turn.asked, turn.summary, *turn.commands, *turn.paths)
            yield from ((where, text) for text in fields)
        cache = tx.sessions.caches.get(session.id)
        yield from ((where, note.text) for note in (() if cache is None else cache.notes))
    yield from ((f"the turn {turn.reference}", turn.searched) for turn in _said(tx))
    for state in _states(tx):
        yield from (("the state of the project", note.text) for note in state.notes)


def said_nearly(texts: Sequence[GoneText], *, tx: Transaction) -> tuple[str, ...]:
    """Return the places of sessions with nearly the words of a claim, which forgetting leaves."""
    shared = SharedWords.of(one.claim for one in texts)
    found = (
        where
        for where, text in kept_words(tx)
        if shared.are_in(text) and cleaned(text, texts) == text
    )
    return tuple(dict.fromkeys(found))


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
    for state in _states(tx):
        if (notes := _notes(state.notes, texts)) != state.notes:
            caches.projects.put(replace(state, notes=notes))
            count += 1
    return count


def _forget_said(texts: Sequence[GoneText], *, tx: Transaction) -> int:
    """Replace the words of turns; the turns stay, so that no hook or import brings them back."""
    count = 0
    for turn in _said(tx):
        if cleaned(turn.searched, texts) == GONE:
            tx.sessions.caches.said.put(replace(turn, text=GONE, name=""))
            count += 1
    return count


def _said(tx: Transaction) -> Iterator[SaidTurn]:
    beyond = ("", 0)
    while page := tx.sessions.caches.said.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = (page[-1].session_id, page[-1].number)


def _states(tx: Transaction) -> Iterator[ProjectState]:
    beyond = ""
    while page := tx.sessions.caches.projects.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].repo


def _sessions(tx: Transaction) -> Iterator[Session]:
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].id


def _without(turn: CachedTurn, texts: Sequence[GoneText]) -> CachedTurn:
    return replace(
        turn,
        asked=cleaned(turn.asked, texts),
        summary=cleaned(turn.summary, texts),
        commands=tuple(cleaned(one, texts) for one in turn.commands),
        paths=tuple(cleaned(one, texts) for one in turn.paths),
    )


def _notes(notes: tuple[CacheNote, ...], texts: Sequence[GoneText]) -> tuple[CacheNote, ...]:
    return tuple(replace(note, text=cleaned(note.text, texts)) for note in notes)


def cleaned(text: str, texts: Sequence[GoneText]) -> str:
    """Return a text, or a mark in its place if it says one of these claims."""
    return GONE if any(one.is_said_in(text) for one in texts) else text
