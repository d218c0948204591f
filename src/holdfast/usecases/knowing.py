"""Know: the memories that answer a question, checked against the repository they speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Retrieval
from holdfast.domain.errors import NoHistoryError, NoMeaningError, UnavailableError
from holdfast.domain.packing import Answers
from holdfast.domain.question import MOST_ITEMS
from holdfast.domain.ranking import doubted, held_at
from holdfast.domain.standpoint import Arrivals
from holdfast.domain.values import dataclass, field, replace
from holdfast.domain.weights import Weights
from holdfast.usecases.embedding import answering, catch_up
from holdfast.usecases.search import Wanted, search
from holdfast.usecases.witnessing import (
    Cited,
    Testimony,
    cited,
    known_rewrites,
    rewrites_in,
    view,
    witnessed,
)

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.finding import Vector
    from holdfast.domain.place import Place
    from holdfast.domain.question import Question
    from holdfast.domain.standpoint import Rewrite
    from holdfast.ports.clock import Clock
    from holdfast.ports.code import CodeIndex, HistoryIndex
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.reranker import Reranker
    from holdfast.ports.store import Store, Transaction
    from holdfast.ports.surroundings import Surroundings
    from holdfast.ports.tokens import TokenCounter
    from holdfast.ports.witness import Witness
    from holdfast.usecases.search import Found

_NOT_HELD = "not shown: {many:,} that would answer now, as nothing shows that they held at {at}"
_DEEPER_THEN = 5
_FILLED_ON_THE_WAY = 32
READER_PATIENCE = 0.5
"""How many seconds a question waits for writers, to keep its bundle and the vectors it made."""
WORDS_ONLY = "found by words alone; no embedding model is in use"
NOT_CAUGHT_UP = "some memories are found by words alone until the model has read them"
NO_MEANING = "found by words alone: {problem}"


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
    witness: Witness | None = None
    code: CodeIndex | None = None
    history: HistoryIndex | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The memories that answer, what to say about them, and rewrites found on the way."""

    answers: Answers = field(default_factory=Answers)
    notes: tuple[str, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()


def what_is_known(question: Question, place: Place, now: datetime, means: Means) -> Known:
    """Return the memories that answer, checked against the repository."""
    meant = _meant(question.text, means)
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
    if question.as_of is not None:
        then = _known_then(wanted, means)
        return replace(then, notes=(*meant.notes, *then.notes))
    with means.store.reading() as tx:
        seen = view(place, tx=tx, witness=means.witness)
        hits = search(replace(wanted, view=seen), tx=tx)
        asked = _cited(hits, place, means, tx)
    testimony = _testimony(asked, wanted, means)
    left_out = "" if question.all_branches else seen.note
    told = tuple(note for note in (left_out, testimony.note) if note)
    return Known(
        answers=Answers(
            scored=doubted(hits.scored, testimony.by_memory, weights=means.weights),
            amended=hits.amended,
            checked=testimony.by_memory,
        ),
        notes=(*meant.notes, *told),
        rewrites=(*testimony.rewrites, *rewrites_in(seen, repo=place.repo, at=now)),
    )


def _known_then(wanted: Wanted, means: Means) -> Known:
    """Return the memories that held at a commit.

    Written on the way to it, or borne out by its files; and not yet superseded there.
    """
    if means.witness is None or wanted.question.as_of is None:
        raise NoHistoryError
    then = means.witness.resolve(wanted.question.as_of)
    more = min(MOST_ITEMS, _DEEPER_THEN * wanted.question.limit)
    wide = replace(wanted, question=replace(wanted.question, limit=more), as_of=then.at)
    repo = wanted.place.repo
    with means.store.reading() as tx:
        # At a commit no branch is checked out: what is written on one must have arrived there.
        there = replace(wanted.place, branch=None)
        seen = view(there, tx=tx, witness=means.witness, at=then.id)
        # What was superseded only later stood then: whether it had been, is judged below.
        hits = search(replace(wide, view=replace(seen, replaced={})), tx=tx)
        asked = _cited(hits, wanted.place, means, tx)
        points = {
            item.record.memory.standpoint
            for item in hits.scored
            if item.record.memory.standpoint is not None
        }
        known = known_rewrites(repo, {point.head for point in points}, tx=tx)
    arrived = means.witness.arrived(points, known, at=then.id) if points else Arrivals()
    testimony = _testimony(asked, wide, means, as_of=then.id)
    held = held_at(
        then, hits.scored, arrived=arrived.points, checked=testimony.by_memory, view=seen
    )
    answering = sum(not item.why_not for item in hits.scored)
    lacking = answering - sum(not item.why_not for item in held)
    return Known(
        answers=Answers(
            scored=doubted(held, testimony.by_memory, weights=means.weights),
            checked=testimony.by_memory,
        ),
        notes=(_NOT_HELD.format(many=lacking, at=wanted.question.as_of),) if lacking else (),
    )


def _cited(hits: Found, place: Place, means: Means, tx: Transaction) -> Cited:
    if means.witness is None:
        return Cited()
    return cited([item.record for item in hits.scored], repo=place.repo, tx=tx)


def _testimony(
    asked: Cited, wanted: Wanted, means: Means, *, as_of: str | None = None
) -> Testimony:
    if means.witness is None:
        return Testimony()
    return witnessed(
        asked, repo=wanted.place.repo, at=wanted.at, witness=means.witness, as_of=as_of
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
        return _Meant(notes=(WORDS_ONLY,))
    try:
        with means.store.reading() as tx:
            meaning = tx.finding.meaning
            embedder = answering(means.embedders, meaning.models())
            has_gaps = bool(meaning.lacking(embedder.model.name, beyond=0, limit=1))
        vector = embedder.ask(text)
        notes = _gaps_filled(embedder, means) if has_gaps else ()
    except NoMeaningError as error:
        return _Meant(notes=(NO_MEANING.format(problem=error),))
    return _Meant(vector=vector, unrelated=embedder.unrelated, notes=notes)


def _gaps_filled(embedder: Embedder, means: Means) -> tuple[str, ...]:
    """Embed a few memories that came since; more than a few are left to a catch-up."""
    try:
        caught = catch_up(
            store=means.store,
            clock=means.clock,
            embedder=embedder,
            most=_FILLED_ON_THE_WAY,
            patience=READER_PATIENCE,
        )
    except UnavailableError as error:
        if isinstance(error, NoMeaningError):
            raise
        return ()
    return () if caught.is_complete else (NOT_CAUGHT_UP,)
