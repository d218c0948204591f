"""Answers questions from the memories that were read before, while the server is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.remote.checking import with_verdicts
from holdfast.bootstrap.remote.shelf import shelf_of
from holdfast.domain.choices import Retrieval
from holdfast.domain.values import replace
from holdfast.usecases.recall.recall import answer
from holdfast.usecases.recall.recalled_memories import RecallPorts

if TYPE_CHECKING:
    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.remote_errors import ServerAwayError


def answered_here(at: Asking, question: Question, away: ServerAwayError) -> Recalled:
    """Answer a question from the memories that were read before.

    Raises:
        ServerAwayError: None was read before.
    """
    local, now = at.holdfast, at.holdfast.now()
    shelf = shelf_of(at.server, now=now)
    if shelf.oldest is None:
        raise away
    ports = RecallPorts(
        store=shelf.store(local.place().space, now=now),
        clock=local.clock,
        counter=local.counter,
        surroundings=local.surroundings,
        retrieval=Retrieval.WORDS,
        wording=local.heuristics.wording,
        judge=local.heuristics.judge,
    )
    found = answer(question, ports=ports)
    many = len(shelf.records)
    memories = "1 memory that was" if many == 1 else f"{many:,} memories that were"
    note = (
        f"{away} This answer is made from {memories} read here before,"
        f" since {shelf.oldest:%Y-%m-%d %H:%M} UTC; it is not stored."
    )
    at.server.tell(note)
    bundle = replace(found.bundle, notes=(*found.bundle.notes, note))
    return with_verdicts(at, replace(found, bundle=bundle))
