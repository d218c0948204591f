"""Recall: the memories that answer a question, ranked, explained, within a token budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.ids import bundle_name, short
from holdfast.domain.recall.bundle import NOT_KEPT, Bundle
from holdfast.domain.recall.packing import pack
from holdfast.domain.recall.question import MEMORY, READ_AT_MOST, SESSIONS, TASKS
from holdfast.domain.recall.relevance import text_of
from holdfast.domain.recall.rendering import Recalled
from holdfast.domain.recall.unmentioned import unmentioned
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import bundle_id
from holdfast.usecases.recall.keeping import keep_bundle
from holdfast.usecases.recall.own_notes import recent_results, result_texts
from holdfast.usecases.recall.passages import Passages, passages
from holdfast.usecases.recall.recalled_memories import RecalledMemories, what_is_known
from holdfast.usecases.screening import SecretPolicy, screen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Rewrite
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.bundle import Passage
    from holdfast.domain.recall.question import Question
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store
    from holdfast.usecases.recall.recalled_memories import RecallPorts


_NOT_MENTIONED = "no item here mentions {names}, so it may be about something else"
_ONLY_PINNED = "no memory answers the question; the items are given because they are pinned"
_REMOVED_FROM_QUESTION = "a secret in the question was neither searched for nor stored: {rules}"
_LONG_QUESTION = f"only the first {READ_AT_MOST:,} characters of the question were read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """An old answer beside the answer to the same question now."""

    before: Recalled
    now: Recalled
    gained: tuple[MemoryId, ...]
    lost: tuple[MemoryId, ...]
    reordered: bool

    @property
    def is_same(self) -> bool:
        """Tell whether the same memories came back in the same order."""
        return not (self.gained or self.lost or self.reordered)


def recall(question: Question, *, ports: RecallPorts) -> Recalled:
    """Answer a question and store the answer, so that it can be shown, rated and replayed.

    While another process writes, the bundle is set aside, and the next unit of work stores it. If
    that is not possible either, the answer is given all the same, with a note.
    """
    given = _answer(question, ports=ports)
    try:
        keep = (
            partial(keep_bundle, store=ports.store) if ports.keeper is None else ports.keeper.keep
        )
        keep(given.recalled.bundle, given.rewrites)
    except UnavailableError as error:
        # The note takes room too, so the answer is packed again with it.
        notes = (f"{NOT_KEPT}: {error}",)
        return _answer(question, ports=ports, notes=notes).recalled
    return given.recalled


def answer(asked: Question, *, ports: RecallPorts, place: Place | None = None) -> Recalled:
    """Answer a question without storing anything."""
    return _answer(asked, ports=ports, place=place).recalled


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    recalled: Recalled
    rewrites: tuple[Rewrite, ...] = ()


def _answer(
    asked: Question, *, ports: RecallPorts, place: Place | None = None, notes: tuple[str, ...] = ()
) -> _Given:
    now = ports.clock.now()
    question, said = _screened_question(asked)
    notes = (*said, *notes)
    place = place or ports.surroundings.place()
    known = (
        what_is_known(question, place, now, ports)
        if MEMORY in question.include
        else RecalledMemories()
    )
    beside = passages(question, code=ports.code, history=ports.history, verifier=ports.verifier)
    spoken = _said(question, place, now, ports)
    empty = Bundle(
        id=bundle_name(at=now, entropy=ports.clock.entropy()),
        question=question,
        asked_at=now,
        place=place,
        items=(),
        left_out=(),
        tokens=0,
        counter=ports.counter.name,
        notes=(
            *known.notes,
            *beside.notes,
            *spoken.notes,
            *_pinned_note(known),
            *_unmentioned_note(question, known, (*beside.found, *spoken.found)),
            *notes,
        ),
    )
    nonce = nonce_of(ports.clock.entropy())
    recent = recent_results(question, store=ports.store)
    tasks = _tasks(question, place, ports)
    answers = replace(
        known.answers, passages=(*recent, *tasks, *in_turn(beside.found, spoken.found))
    )
    packed = pack(answers, bundle=empty, nonce=nonce, count=ports.counter.count)
    return _Given(recalled=packed, rewrites=known.rewrites)


def _screened_question(asked: Question) -> tuple[Question, tuple[str, ...]]:
    """Return a question as it may be stored, and notes about what is missing in it."""
    text = screen(asked.text[:READ_AT_MOST], what="question", secrets=SecretPolicy.REDACT)
    tags = [screen(tag, what="tag", secrets=SecretPolicy.REDACT) for tag in asked.tags]
    rules = dict.fromkeys(rule for one in (text, *tags) for rule in one.redacted)
    notes = [_LONG_QUESTION] if len(asked.text) > READ_AT_MOST else []
    notes += [_REMOVED_FROM_QUESTION.format(rules=", ".join(rules))] if rules else []
    return replace(asked, text=text.text, tags=tuple(one.text for one in tags)), tuple(notes)


def _tasks(question: Question, place: Place, ports: RecallPorts) -> tuple[Passage, ...]:
    """Return the tasks that answer, if the question asks for tasks."""
    if TASKS not in question.include:
        return ()
    from holdfast.usecases.tasks.recalling import task_passages

    return task_passages(
        question, place=place, store=ports.store, clock=ports.clock, verifier=ports.verifier
    )


def _said(question: Question, place: Place, now: datetime, ports: RecallPorts) -> Passages:
    """Return what was said in sessions, if the question asks for it."""
    if SESSIONS not in question.include:
        return Passages()
    from holdfast.usecases.recall.said_passages import said_passages

    found, notes = said_passages(question, place, now, ports)
    return Passages(found=found, notes=notes)


def in_turn(*sources: Sequence[Passage]) -> list[Passage]:
    """Return the passages of several sources: the best of each before the second of any."""
    ranked = [
        (place, number, passage)
        for number, source in enumerate(sources)
        for place, passage in enumerate(source)
    ]
    return [passage for _, _, passage in sorted(ranked, key=lambda one: one[:2])]


def _pinned_note(known: RecalledMemories) -> tuple[str, ...]:
    """Return a note if memories are given only because they are pinned, not as answers."""
    given = [item for item in known.answers.scored if not item.why_not]
    return (_ONLY_PINNED,) if given and not any(item.answers for item in given) else ()


def _unmentioned_note(
    question: Question, known: RecalledMemories, beside: Sequence[Passage]
) -> tuple[str, ...]:
    """Return a note if the question has a name or a number that no item of the answer mentions."""
    given = [item.record for item in known.answers.scored if item.answers and not item.why_not]
    if not given:
        return ()
    texts = [f"{text_of(record)} {_names_of(record)} {_cited_places(record)}" for record in given]
    texts += [f"{passage.title} {passage.text}" for passage in beside]
    names = unmentioned(question.text, texts)
    return (_NOT_MENTIONED.format(names=" or ".join(names)),) if names else ()


def _names_of(record: MemoryRecord) -> str:
    return f"{record.memory.id} {short(record.memory.id)}"


def _cited_places(record: MemoryRecord) -> str:
    return " ".join(evidence.reference for evidence in record.memory.evidence)


def shown(reference: str, *, store: Store, clock: Clock) -> Recalled:
    """Return a stored bundle with the current memories; forgotten ones stay forgotten."""
    with store.reading() as tx:
        bundle = tx.bundles.get(bundle_id(tx, reference))
        given = [item.memory_id for item in bundle.items]
        left_out = [item.memory_id for item in bundle.left_out]
        records = tx.memories.get_many([*given, *left_out])
        texts = result_texts(bundle, tx=tx) if bundle.question.agent is not None else {}
        if SESSIONS in bundle.question.include:
            from holdfast.usecases.recall.said_passages import said_texts

            texts |= said_texts(bundle, tx=tx)
    nonce = nonce_of(clock.entropy())
    return Recalled(bundle=bundle, records=records, nonce=nonce, texts=texts)


def replay(reference: str, *, ports: RecallPorts) -> Replay:
    """Ask a stored bundle's question again, from the same place, and compare the answers."""
    before = shown(reference, store=ports.store, clock=ports.clock)
    bundle = before.bundle
    now = answer(bundle.question, ports=ports, place=bundle.place)
    old = [item.memory_id for item in bundle.items]
    new = [item.memory_id for item in now.bundle.items]
    kept_before = [memory_id for memory_id in old if memory_id in new]
    kept_now = [memory_id for memory_id in new if memory_id in old]
    return Replay(
        before=before,
        now=now,
        gained=tuple(memory_id for memory_id in new if memory_id not in old),
        lost=tuple(memory_id for memory_id in old if memory_id not in new),
        reordered=kept_before != kept_now,
    )
