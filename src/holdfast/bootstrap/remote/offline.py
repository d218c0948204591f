"""Answers questions from the memories that were read before, while the server is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.bootstrap.remote.checking import with_verdicts
from holdfast.domain.choices import Retrieval
from holdfast.domain.errors import HoldfastError
from holdfast.domain.exchange.shapes import record_from_json
from holdfast.domain.values import replace
from holdfast.usecases.recall.recall import answer
from holdfast.usecases.recall.recalled_memories import RecallPorts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.remote_errors import ServerAwayError

_ID = "content_hash"


def answered_here(at: Asking, question: Question, away: ServerAwayError) -> Recalled:
    """Answer a question from the memories that were read before.

    Raises:
        ServerAwayError: None was read before.
    """
    local = at.holdfast
    known = _known(at)
    if not known:
        raise away
    store = InMemoryStore(space=next(iter(known.values()))[0].memory.space)
    with store.writing(local.now()) as tx:
        for record, _ in sorted(known.values(), key=lambda one: one[0].sequence):
            tx.memories.add(record.memory, record.standing)
    place = replace(local.place(), space=store.space)
    found = answer(
        question,
        ports=RecallPorts(
            store=store,
            clock=local.clock,
            counter=local.counter,
            surroundings=local.surroundings,
            retrieval=Retrieval.WORDS,
            wording=local.heuristics.wording,
            judge=local.heuristics.judge,
        ),
        place=place,
    )
    oldest = min(when for _, when in known.values())
    note = (
        f"{away} This answer is made from {len(known):,} memories that were read before,"
        f" the oldest at {oldest:%Y-%m-%d %H:%M} UTC; it is not stored."
    )
    at.server.tell(note)
    bundle = replace(found.bundle, notes=(*found.bundle.notes, note))
    return with_verdicts(at, replace(found, bundle=bundle))


def _known(at: Asking) -> dict[MemoryId, tuple[MemoryRecord, datetime]]:
    """Return the newest version of every memory in the cached answers, and when it was read."""
    found: dict[MemoryId, tuple[MemoryRecord, datetime]] = {}
    for cached in at.server.cache.every(now=at.holdfast.now()):
        for shape in _records(cached.body):
            try:
                record = record_from_json(shape)
            except HoldfastError:
                continue
            name = record.memory.id
            if name not in found or found[name][1] < cached.at:
                found[name] = (record, cached.at)
    return found


def _records(value: object) -> Iterator[object]:
    """Return everything inside a JSON value that looks like a memory."""
    if isinstance(value, dict):
        if _ID in value and "claim" in value:
            yield value
        for one in value.values():
            yield from _records(one)
    elif isinstance(value, list):
        for one in value:
            yield from _records(one)
