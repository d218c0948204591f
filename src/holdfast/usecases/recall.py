"""Recall: what memory knows about a question, ranked, explained, inside a token budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.bundle import Bundle
from holdfast.domain.errors import UnavailableError
from holdfast.domain.ids import bundle_name
from holdfast.domain.packing import pack
from holdfast.domain.question import READ_AT_MOST, terms_of
from holdfast.domain.ranking import Asked, Weights, rank
from holdfast.domain.rendering import Recalled
from holdfast.domain.selection import Page, Selection
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import bundle_id, records_of
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.ids import BundleId, MemoryId
    from holdfast.domain.memory import Usage
    from holdfast.domain.place import Place
    from holdfast.domain.question import Question
    from holdfast.domain.ranking import Scored
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import Store, Transaction
    from holdfast.ports.surroundings import Surroundings
    from holdfast.ports.tokens import TokenCounter

_BEYOND_LIMIT = 12
_MOST_PINNED = 10
_NONCE_BITS = 64
_LONG_QUESTION = f"only the first {READ_AT_MOST:,} characters of the question were read"
_NO_CODE = "no code index exists for this repository, so only memories are searched"


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


def recall(
    question: Question,
    *,
    store: Store,
    clock: Clock,
    counter: TokenCounter,
    surroundings: Surroundings,
) -> Recalled:
    """Answer a question and keep the answer, so that it can be shown, rated and replayed.

    Where the store cannot be written, the answer is given all the same and says so.
    """
    ask = partial(answer, question, store=store, clock=clock, counter=counter)
    place = surroundings.place()
    recalled = ask(place=place)
    try:
        with store.writing(recalled.bundle.asked_at) as tx:
            _keep(recalled, tx=tx)
    except UnavailableError as error:
        # The note takes room too, so the answer is packed anew around it.
        return ask(place=place, notes=(f"this bundle was not kept: {error}",))
    return recalled


def answer(
    asked: Question,
    *,
    store: Store,
    clock: Clock,
    counter: TokenCounter,
    place: Place,
    notes: tuple[str, ...] = (),
) -> Recalled:
    """Answer a question without leaving a trace."""
    now = clock.now()
    question = replace(
        asked,
        text=screened(asked.text[:READ_AT_MOST], what="question", secrets=SecretPolicy.REDACT),
        tags=tuple(screened(tag, what="tag", secrets=SecretPolicy.REDACT) for tag in asked.tags),
    )
    if "code" in question.include:
        notes = (_NO_CODE, *notes)
    if len(asked.text) > READ_AT_MOST:
        notes = (_LONG_QUESTION, *notes)
    with store.reading() as tx:
        scored = _scored(question, place, now, tx=tx)
    empty = Bundle(
        id=bundle_name(at=now, entropy=clock.entropy()),
        question=question,
        asked_at=now,
        place=place,
        items=(),
        left_out=(),
        tokens=0,
        counter=counter.name,
        notes=notes,
    )
    nonce = f"{clock.entropy() % 2**_NONCE_BITS:016x}"
    return pack(scored, bundle=empty, nonce=nonce, count=counter.count)


def shown(reference: str, *, store: Store, clock: Clock) -> Recalled:
    """Return a kept bundle with its memories as they are now; forgotten ones stay forgotten."""
    with store.reading() as tx:
        bundle = tx.bundles.get(bundle_id(tx, reference))
        records = records_of([item.memory_id for item in bundle.items], tx=tx)
        records |= records_of([item.memory_id for item in bundle.left_out], tx=tx)
    nonce = f"{clock.entropy() % 2**_NONCE_BITS:016x}"
    return Recalled(bundle=bundle, records=records, nonce=nonce)


def replay(reference: str, *, store: Store, clock: Clock, counter: TokenCounter) -> Replay:
    """Ask a kept bundle's question again, from the same place, and compare."""
    before = shown(reference, store=store, clock=clock)
    bundle = before.bundle
    now = answer(bundle.question, store=store, clock=clock, counter=counter, place=bundle.place)
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


def _scored(
    question: Question, place: Place, now: datetime, *, tx: Transaction
) -> Sequence[Scored]:
    terms = terms_of(question.text)
    within = Selection(
        space=place.space,
        place=place,
        recallable_at=now,
        kinds=frozenset(question.kinds),
        scopes=frozenset(question.scopes),
        tags=frozenset(question.tags),
    )
    hits = tx.words.search(terms, within, limit=question.limit + _BEYOND_LIMIT)
    asked = Asked(
        terms=terms,
        text=question.text,
        at=now,
        best_words=max((hit.score for hit in hits), default=0.0),
    )
    pinned = tx.memories.find(replace(within, pinned=True), Page(limit=_MOST_PINNED))
    return rank(hits, pinned, asked=asked, weights=Weights())


def _keep(recalled: Recalled, *, tx: Transaction) -> None:
    bundle = recalled.bundle
    tx.bundles.put(bundle)
    given = [item.memory_id for item in bundle.items]
    for memory_id, record in records_of(given, tx=tx).items():
        times = record.usage.access_count + 1
        usage = replace(record.usage, access_count=times, last_accessed=bundle.asked_at)
        tx.memories.set_usage(memory_id, usage)


def feedback(reference: str, *, good: bool, store: Store, clock: Clock) -> BundleId:
    """Say whether an answer helped: the bundle, its turns and its memories learn it."""
    with store.writing(clock.now()) as tx:
        bundle = tx.bundles.get(bundle_id(tx, reference))
        tx.bundles.put(replace(bundle, good=good))
        for turn in tx.sessions.turns_with(bundle.id):
            tx.sessions.set_turn(replace(turn, satisfied=good))
        given = [item.memory_id for item in bundle.items]
        for memory_id, record in records_of(given, tx=tx).items():
            usage = _rerated(record.usage, before=bundle.good, now=good)
            tx.memories.set_usage(memory_id, usage)
    return bundle.id


def _rerated(usage: Usage, *, before: bool | None, now: bool) -> Usage:
    """Count one verdict per bundle: a changed mind moves the count, it does not add to it."""
    good = usage.good - (before is True) + now
    bad = usage.bad - (before is False) + (not now)
    return replace(usage, good=max(good, 0), bad=max(bad, 0))
