"""Answers, lists and shows what was read before, while the server is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.remote.shelf import shelf_of
from holdfast.domain.choices import Retrieval, Status
from holdfast.domain.errors import NotFoundError
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import replace
from holdfast.usecases.recall.recall import answer
from holdfast.usecases.recall.recalled_memories import RecallPorts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.app import Holdfast
    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.bootstrap.remote.shelf import Shelf
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.remote_errors import ServerAwayError
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.memory.browse import Browse, MemoryListing, SessionPage


def listed_here(at: Asking, wish: Browse, away: ServerAwayError) -> MemoryListing:
    """List the memories that were read before.

    Raises:
        ServerAwayError: None was read before.
    """
    shelf, oldest, here = _opened(at, away)
    found = here.memories.browse(wish)
    at.server.tell(f"{_note(shelf, oldest, away)}.")
    tell_replaced(at, found.records)
    return found


def shown_here(
    at: Asking, reference: str, away: ServerAwayError
) -> MemoryRecord | Bundle | Span | Run | SessionPage:
    """Show a memory or a place in a file that was read before.

    Raises:
        ServerAwayError: It was not read before.
    """
    shelf, oldest, here = _opened(at, away)
    try:
        found = here.memories.show(reference)
    except NotFoundError:
        ended = _ended(shelf, reference)
        if ended is None:
            raise away from None
        found = ended
    if isinstance(found, MemoryRecord):
        name = found.memory.id
        at.server.tell(
            f"{away} {name} was {found.standing.status} when it was read here on"
            f" {shelf.read_at[name]:%Y-%m-%d %H:%M} UTC; it may have changed since."
        )
        tell_replaced(at, [found])
    else:
        at.server.tell(f"{_note(shelf, oldest, away)}.")
    return found


def _ended(shelf: Shelf, key: str) -> MemoryRecord | None:
    """Return the newest memory that had a key, if nothing is known to have it now."""
    found = [one for one in shelf.records.values() if one.memory.key == key]
    return max(found, key=lambda one: one.sequence, default=None)


def _opened(at: Asking, away: ServerAwayError) -> tuple[Shelf, datetime, Holdfast]:
    """Return what was read before, when the oldest of it was read, and a memory of it."""
    local, now = at.holdfast, at.holdfast.now()
    shelf = shelf_of(at.server, now=now)
    if shelf.oldest is None:
        raise away
    store = shelf.store(local.place().space, now=now)
    return shelf, shelf.oldest, replace(local, store=store, carrier=None)


def _note(shelf: Shelf, oldest: datetime, away: ServerAwayError) -> str:
    many = len(shelf.records)
    memories = "1 memory that was" if many == 1 else f"{many:,} memories that were"
    return (
        f"{away} This answer is made from {memories} read here before,"
        f" since {oldest:%Y-%m-%d %H:%M} UTC"
    )


def answered_here(at: Asking, question: Question, away: ServerAwayError) -> Recalled:
    """Answer a question from the memories that were read before.

    Raises:
        ServerAwayError: None was read before.
    """
    local = at.holdfast
    shelf, oldest, here = _opened(at, away)
    ports = RecallPorts(
        store=here.store,
        clock=local.clock,
        counter=local.counter,
        surroundings=local.surroundings,
        retrieval=Retrieval.WORDS,
        wording=local.heuristics.wording,
        judge=local.heuristics.judge,
    )
    found = answer(question, ports=ports)
    note = f"{_note(shelf, oldest, away)}; it is not stored."
    at.server.tell(note)
    bundle = replace(found.bundle, notes=(*found.bundle.notes, note))
    return replace(found, bundle=bundle)


def tell_replaced(at: Asking, records: Iterable[MemoryRecord]) -> tuple[str, ...]:
    """Say which claims are old because a write that waits replaces them; return the sentences."""
    waiting: dict[str | None, str] = {}
    for write in at.server.outbox.waiting():
        waiting.update(write.keyed_claims.items())
    words = tuple(
        f"{memory.id} is old: a write that waits here replaces it, under the key {memory.key}."
        for memory in (one.memory for one in records if one.standing.status is Status.ACCEPTED)
        if memory.key in waiting and not says_the_same(waiting[memory.key], memory.claim)
    )
    for one in words:
        at.server.tell(one)
    return words
