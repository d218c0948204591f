"""Remove a forgotten text from the records of a store, and name the places that keep it.

Records that no verb changes lose the text: sessions, questions, runs, their steps, the reasons of
decisions and tombstones, and stored answers to requests. A task, an agent, a snapshot, a document
and another memory belong to somebody, who edits or deletes them; these are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.review.traces import GoneText, Reach, Trace
from holdfast.domain.values import replace
from holdfast.usecases.forgotten_texts import cleaned, forget_in_sessions
from holdfast.usecases.stored_texts import (
    every_bundle,
    every_decision,
    every_reply,
    every_run,
    every_tombstone,
    memory_texts,
    own_texts,
    reply_text,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from holdfast.domain.fields import Shape
    from holdfast.domain.ids import MemoryId, SessionId
    from holdfast.domain.memory.decision import Decision, StandingChange, Withdrawn
    from holdfast.domain.memory.memory import Standing
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.roles.step import RunStep
    from holdfast.domain.sessions.run import Run
    from holdfast.ports.store.store import Transaction

_PAGE = 200
_OWN = "It has the text in words of its own; edit or delete it."
_MEMORY = "It is another memory with the text; forget it too."


def forget_in_store(texts: Sequence[GoneText], *, tx: Transaction) -> None:
    """Replace the text of forgotten claims and checks in every record that no verb changes."""
    checks = [(one.memory, text) for one in texts for text in one.checks]
    texts = [*texts, *(GoneText(memory=name, claim=text) for name, text in checks)]
    forget_in_sessions(texts, tx=tx)
    _forget_in_questions(texts, tx=tx)
    _forget_in_runs(texts, tx=tx)
    _forget_in_decisions(texts, tx=tx)
    for reply in tuple(every_reply(tx)):
        if reply.body is not None and _is_said(reply_text(reply), texts):
            tx.diary.replies.put(replace(reply, body=None))


def _forget_in_runs(texts: Sequence[GoneText], *, tx: Transaction) -> None:
    for run in tuple(every_run(tx)):
        if (clean := _run(run, texts)) != run:
            tx.diary.runs.put(clean)
        for step in tx.diary.runs.steps.of(run.id):
            if (clean_step := _step(step, texts)) != step:
                tx.diary.runs.steps.put(clean_step)


def _forget_in_decisions(texts: Sequence[GoneText], *, tx: Transaction) -> None:
    for decision in tuple(every_decision(tx)):
        if (settled := _decision(decision, texts)) != decision:
            tx.diary.decisions.put(settled)
            for change in settled.changes:
                _forget_reason(change.memory_id, texts, tx=tx)
    for grave in tuple(every_tombstone(tx)):
        if (why := cleaned(grave.reason, texts)) != grave.reason:
            tx.names.bury(replace(grave, reason=why))


def left_in_store(texts: Sequence[GoneText], *, tx: Transaction) -> tuple[Trace, ...]:
    """Return the places of the store that keep a forgotten text, and what removes it there.

    The memories of ``texts`` and offers about them go with them, so these are left out.
    """
    going = {one.memory for one in texts}
    places = dict.fromkeys(
        Trace(place=where, reach=Reach.LEFT, advice=_OWN)
        for where, text in own_texts(tx)
        if _is_said(text, texts)
    )
    for record, text in memory_texts(tx):
        offer = offer_of(record.memory)
        about = record.memory.id if offer is None else offer.about
        if {record.memory.id, about} & going or is_sensitive(record.memory):
            continue
        if _is_said(text, texts):
            place = f"the memory {record.memory.id}"
            places[Trace(place=place, reach=Reach.LEFT, advice=_MEMORY)] = None
    return tuple(places)


def _forget_reason(name: MemoryId, texts: Sequence[GoneText], *, tx: Transaction) -> None:
    """Replace the reason of the last decision about a memory, which its standing repeats."""
    for record in tx.memories.get_many([name]).values():
        if (clean := _standing(record.standing, texts)) != record.standing:
            tx.memories.set_standing(name, clean)


def _is_said(text: str, texts: Sequence[GoneText]) -> bool:
    return any(one.is_said_in(text) for one in texts)


def _forget_in_questions(texts: Sequence[GoneText], *, tx: Transaction) -> None:
    for session in tuple(_sessions(tx)):
        for turn in tx.sessions.turns(session):
            clean = replace(
                turn, query=cleaned(turn.query, texts), notes=cleaned(turn.notes, texts)
            )
            if clean != turn:
                tx.sessions.set_turn(clean)
    gone = frozenset(one.memory for one in texts)
    changed = [new for one in every_bundle(tx) if (new := _bundle(one, texts, gone)) != one]
    for bundle in changed:
        tx.bundles.put(bundle)


def _bundle(bundle: Bundle, texts: Sequence[GoneText], gone: Collection[MemoryId]) -> Bundle:
    question = replace(bundle.question, text=cleaned(bundle.question.text, texts))
    # The outcome of a check has its text, and lines of files that it found.
    items = tuple(
        replace(one, outcomes=()) if one.memory_id in gone else one for one in bundle.items
    )
    return replace(bundle, question=question, items=items)


def _sessions(tx: Transaction) -> Iterator[SessionId]:
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        yield from (one.id for one in page)
        beyond = page[-1].id


def _run(run: Run, texts: Sequence[GoneText]) -> Run:
    return replace(
        run,
        goal=cleaned(run.goal, texts),
        summary=cleaned(run.summary, texts),
        notes=tuple(replace(one, text=cleaned(one.text, texts)) for one in run.notes),
        commits=tuple(cleaned(one, texts) for one in run.commits),
    )


def _step(step: RunStep, texts: Sequence[GoneText]) -> RunStep:
    return replace(
        step,
        inputs=None if step.inputs is None else _shape(step.inputs, texts),
        outputs=None if step.outputs is None else _shape(step.outputs, texts),
        effects=_shape(step.effects, texts),
        attempts=tuple(replace(one, problem=cleaned(one.problem, texts)) for one in step.attempts),
        notes=tuple(cleaned(one, texts) for one in step.notes),
    )


def _shape(shape: Shape, texts: Sequence[GoneText]) -> Shape:
    return cast("Shape", _without(shape, texts))


def _without(shape: object, texts: Sequence[GoneText]) -> object:
    """Return JSON with a mark in place of each string that says one of these claims."""
    if isinstance(shape, str):
        return cleaned(shape, texts)
    if isinstance(shape, Mapping):
        return {key: _without(value, texts) for key, value in shape.items()}
    if isinstance(shape, list | tuple):
        return [_without(one, texts) for one in shape]
    return shape


def _decision(decision: Decision, texts: Sequence[GoneText]) -> Decision:
    return replace(
        decision,
        changes=tuple(_change(one, texts) for one in decision.changes),
        withdrawn=tuple(_withdrawn(one, texts) for one in decision.withdrawn),
    )


def _change(change: StandingChange, texts: Sequence[GoneText]) -> StandingChange:
    before = None if change.before is None else _standing(change.before, texts)
    return replace(change, before=before, after=_standing(change.after, texts))


def _standing(standing: Standing, texts: Sequence[GoneText]) -> Standing:
    return replace(standing, reason=standing.reason and cleaned(standing.reason, texts))


def _withdrawn(one: Withdrawn, texts: Sequence[GoneText]) -> Withdrawn:
    evidence = replace(one.evidence, reference=cleaned(one.evidence.reference, texts))
    return replace(one, evidence=evidence)
