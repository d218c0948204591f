"""Know: the memories that answer a question, checked against their repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Retrieval
from holdfast.domain.errors import NoHistoryError, NoMeaningError, UnavailableError
from holdfast.domain.packing import Answers
from holdfast.domain.question import MOST_ITEMS
from holdfast.domain.ranking import decisive, doubted, held_at, unproven
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
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.finding import Vector
    from holdfast.domain.place import Place
    from holdfast.domain.question import Question
    from holdfast.domain.ranking import Scored
    from holdfast.domain.standpoint import Revision, Rewrite
    from holdfast.ports.clock import Clock
    from holdfast.ports.code import CodeIndex, HistoryIndex
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.reranker import Reranker
    from holdfast.ports.store import Store, Transaction
    from holdfast.ports.surroundings import Surroundings
    from holdfast.ports.tokens import TokenCounter
    from holdfast.ports.witness import Witness

_NOT_HELD = "not shown: {many:,} that would answer now, as nothing shows that they held at {at}"
_DEEPER_THEN = 5
_FILLED_ON_THE_WAY = 32
READER_PATIENCE = 0.5
"""How many seconds a question waits for writers, to store its bundle and new vectors."""
_WORDS_ONLY = "found by words alone; `holdfast model install` adds meaning"
_NOT_CAUGHT_UP = "some memories are found by words alone until `holdfast model catch-up` has run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The ports that an answer needs. The first embedder is the chosen one."""

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
    """The memories that answer, notes about them, and newly detected rewrites."""

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
        asked = _cited(hits.scored, place, means, tx)
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

    They were written in its history or are supported by its files, and were not superseded there
    yet.
    """
    if means.witness is None or wanted.question.as_of is None:
        raise NoHistoryError
    then = means.witness.resolve(wanted.question.as_of)
    more = min(MOST_ITEMS, _DEEPER_THEN * wanted.question.limit)
    wide = replace(wanted, question=replace(wanted.question, limit=more), as_of=then.at)
    repo = wanted.place.repo
    with means.store.reading() as tx:
        # At a commit no branch is checked out: a branch's memories must have been merged into it.
        there = replace(wanted.place, branch=None)
        seen = view(there, tx=tx, witness=means.witness, at=then.id)
        # Memories that were superseded only later held then; ``held_at`` below checks this.
        hits = search(replace(wide, view=replace(seen, replaced={})), tx=tx)
        due = decisive(hits.scored, seen)
        asked = _cited(due, wanted.place, means, tx)
    testimony = _testimony(asked, wide, means, as_of=then.id)
    arrived = _arrived_then(unproven(due, testimony.by_memory), then, repo, means)
    held = held_at(then, due, arrived=arrived.points, checked=testimony.by_memory, view=seen)
    lacking = sum(not item.why_not for item in due) - sum(not item.why_not for item in held)
    # Hits that do not answer are left out in any case, so git is not asked about them.
    judged = {item.record.memory.id for item in due}
    others = [item for item in hits.scored if item.record.memory.id not in judged]
    return Known(
        answers=Answers(
            scored=doubted((*held, *others), testimony.by_memory, weights=means.weights),
            checked=testimony.by_memory,
        ),
        notes=(_NOT_HELD.format(many=lacking, at=wanted.question.as_of),) if lacking else (),
    )


def _arrived_then(
    items: Sequence[Scored], then: Revision, repo: str | None, means: Means
) -> Arrivals:
    """Ask git which memories were written in the history of a commit."""
    found = (item.record.memory.standpoint for item in items)
    points = {point for point in found if point is not None}
    if means.witness is None or not points:
        return Arrivals()
    with means.store.reading() as tx:
        known = known_rewrites(repo, {point.head for point in points}, tx=tx)
    return means.witness.arrived(points, known, at=then.id)


def _cited(items: Sequence[Scored], place: Place, means: Means, tx: Transaction) -> Cited:
    if means.witness is None:
        return Cited()
    return cited([item.record for item in items], repo=place.repo, tx=tx)


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
    """Return the question's vector, or why there is none; also embed a few new memories."""
    if means.retrieval is Retrieval.WORDS:
        return _Meant()
    if not means.embedders:
        return _Meant(notes=(_WORDS_ONLY,))
    try:
        with means.store.reading() as tx:
            meaning = tx.finding.meaning
            embedder = answering(means.embedders, meaning.models())
            has_gaps = bool(meaning.lacking(embedder.model.name, beyond=0, limit=1))
        vector = embedder.ask(text)
        notes = _gaps_filled(embedder, means) if has_gaps else ()
    except NoMeaningError as error:
        return _Meant(notes=(f"found by words alone: {error}",))
    return _Meant(vector=vector, unrelated=embedder.unrelated, notes=notes)


def _gaps_filled(embedder: Embedder, means: Means) -> tuple[str, ...]:
    """Embed a few new memories; a larger number is left to a catch-up."""
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
    return () if caught.is_complete else (_NOT_CAUGHT_UP,)
