"""Recall: what memory knows about a question, ranked, explained, inside a token budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.bundle import Bundle
from holdfast.domain.choices import Retrieval
from holdfast.domain.errors import NoMeaningError, UnavailableError
from holdfast.domain.ids import bundle_name
from holdfast.domain.packing import pack
from holdfast.domain.question import READ_AT_MOST
from holdfast.domain.rendering import Recalled
from holdfast.domain.values import dataclass, replace
from holdfast.domain.weights import Weights
from holdfast.usecases.embedding import answering, catch_up
from holdfast.usecases.naming import bundle_id, records_of
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.search import Wanted, search

if TYPE_CHECKING:
    from holdfast.domain.finding import Vector
    from holdfast.domain.ids import BundleId, MemoryId
    from holdfast.domain.memory import Usage
    from holdfast.domain.place import Place
    from holdfast.domain.question import Question
    from holdfast.ports.clock import Clock
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.reranker import Reranker
    from holdfast.ports.store import Store, Transaction
    from holdfast.ports.surroundings import Surroundings
    from holdfast.ports.tokens import TokenCounter

_FILLED_ON_THE_WAY = 32
_NONCE_BITS = 64
_LONG_QUESTION = f"only the first {READ_AT_MOST:,} characters of the question were read"
_NO_CODE = "no code index exists for this repository, so only memories are searched"
_WORDS_ONLY = "found by words alone; `holdfast model install` adds meaning"
_NOT_CAUGHT_UP = "some memories are found by words alone until `holdfast model catch-up` has run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What an answer is made with. The first embedder is the chosen one."""

    store: Store
    clock: Clock
    counter: TokenCounter
    surroundings: Surroundings
    embedders: tuple[Embedder, ...] = ()
    retrieval: Retrieval = Retrieval.HYBRID
    weights: Weights = Weights()
    reranker: Reranker | None = None


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


def recall(question: Question, *, means: Means) -> Recalled:
    """Answer a question and keep the answer, so that it can be shown, rated and replayed.

    Where the store cannot be written, the answer is given all the same and says so.
    """
    ask = partial(answer, question, means=means)
    recalled = ask()
    try:
        with means.store.writing(recalled.bundle.asked_at) as tx:
            _keep(recalled, tx=tx)
    except UnavailableError as error:
        # The note takes room too, so the answer is packed anew around it.
        return ask(notes=(f"this bundle was not kept: {error}",))
    return recalled


def answer(
    asked: Question, *, means: Means, place: Place | None = None, notes: tuple[str, ...] = ()
) -> Recalled:
    """Answer a question without leaving a trace."""
    now = means.clock.now()
    question = replace(
        asked,
        text=screened(asked.text[:READ_AT_MOST], what="question", secrets=SecretPolicy.REDACT),
        tags=tuple(screened(tag, what="tag", secrets=SecretPolicy.REDACT) for tag in asked.tags),
    )
    meant = _meant(question.text, means)
    if "code" in question.include:
        notes = (_NO_CODE, *notes)
    if len(asked.text) > READ_AT_MOST:
        notes = (_LONG_QUESTION, *notes)
    place = place or means.surroundings.place()
    wanted = Wanted(
        question=question,
        place=place,
        at=now,
        weights=means.weights,
        vector=meant.vector,
        unrelated=meant.unrelated,
        walks=means.retrieval is Retrieval.GRAPH,
        reranker=means.reranker,
    )
    with means.store.reading() as tx:
        found = search(wanted, tx=tx)
    empty = Bundle(
        id=bundle_name(at=now, entropy=means.clock.entropy()),
        question=question,
        asked_at=now,
        place=place,
        items=(),
        left_out=(),
        tokens=0,
        counter=means.counter.name,
        notes=(*meant.notes, *notes),
    )
    nonce = f"{means.clock.entropy() % 2**_NONCE_BITS:016x}"
    return pack(
        found.scored, amended=found.amended, bundle=empty, nonce=nonce, count=means.counter.count
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meant:
    vector: Vector | None = None
    unrelated: float = 0.0
    notes: tuple[str, ...] = ()


def _meant(text: str, means: Means) -> _Meant:
    """Return the question's vector, or why there is none; a few gaps are filled on the way."""
    if means.retrieval is Retrieval.WORDS:
        return _Meant()
    if not means.embedders:
        return _Meant(notes=(_WORDS_ONLY,))
    try:
        with means.store.reading() as tx:
            embedder = answering(means.embedders, tx.finding.meaning.models())
        vector = embedder.ask(text)
        notes = _gaps_filled(embedder, means)
    except NoMeaningError as error:
        return _Meant(notes=(f"found by words alone: {error}",))
    return _Meant(vector=vector, unrelated=embedder.unrelated, notes=notes)


def _gaps_filled(embedder: Embedder, means: Means) -> tuple[str, ...]:
    """Embed a few memories that came since; more than a few are left to a catch-up."""
    try:
        caught = catch_up(
            store=means.store, clock=means.clock, embedder=embedder, most=_FILLED_ON_THE_WAY
        )
    except UnavailableError as error:
        if isinstance(error, NoMeaningError):
            raise
        return ()
    return () if caught.is_complete else (_NOT_CAUGHT_UP,)


def shown(reference: str, *, store: Store, clock: Clock) -> Recalled:
    """Return a kept bundle with its memories as they are now; forgotten ones stay forgotten."""
    with store.reading() as tx:
        bundle = tx.bundles.get(bundle_id(tx, reference))
        records = records_of([item.memory_id for item in bundle.items], tx=tx)
        records |= records_of([item.memory_id for item in bundle.left_out], tx=tx)
    nonce = f"{clock.entropy() % 2**_NONCE_BITS:016x}"
    return Recalled(bundle=bundle, records=records, nonce=nonce)


def replay(reference: str, *, means: Means) -> Replay:
    """Ask a kept bundle's question again, from the same place, and compare."""
    before = shown(reference, store=means.store, clock=means.clock)
    bundle = before.bundle
    now = answer(bundle.question, means=means, place=bundle.place)
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
