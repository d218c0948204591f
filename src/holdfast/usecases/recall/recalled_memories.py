"""Know: the memories that answer a question, checked against their repository.

Create vectors for memories: read and embed without a lock, write in short transactions.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.domain.choices import Retrieval, Status
from holdfast.domain.errors import BadVectorError, NoMeaningError, UnavailableError
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.recall.hiding import sensitive_note
from holdfast.domain.recall.packing import RankedAnswers
from holdfast.domain.recall.question import MOST_ITEMS
from holdfast.domain.recall.ranking import decisive, doubted
from holdfast.domain.recall.weighing import Weights
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.checking import (
    READER_PATIENCE,
    rewrites_in,
    view,
)
from holdfast.usecases.recall.own_notes import marked_own, own_notes
from holdfast.usecases.recall.past import PastView, day_without_history, held_on, held_then
from holdfast.usecases.recall.proving import check_outcomes, cited_by, verdicts_on
from holdfast.usecases.recall.question_meaning import QuestionMeaning
from holdfast.usecases.recall.rereading import Reranking
from holdfast.usecases.recall.search import PreparedQuestion, search
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Revision, Rewrite
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.finding import EmbeddingModel, ModelUse, Vector
    from holdfast.domain.recall.question import Question
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.judge import Judge
    from holdfast.ports.recall.bundle_keeper import BundleKeeper
    from holdfast.ports.recall.code import CodeIndex, HistoryIndex
    from holdfast.ports.recall.models import Embedder, TokenCounter
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.word_comparer import WordComparer
    from holdfast.usecases.checks.check_ports import Checker


_STEP = 64  # chosen by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """The number of memories that got a vector, and whether all have one now."""

    memories: int
    is_complete: bool


def catch_up(
    *,
    store: Store,
    clock: Clock,
    embedder: Embedder,
    most: int | None = None,
    progress: Progress | None = None,
    patience: float | None = None,
) -> CaughtUp:
    """Embed at most ``most`` memories without a vector of this model; may be stopped any time.

    ``patience`` limits the wait for other writers, as for ``Store.writing``.
    """
    done, beyond = 0, None
    total = 0 if progress is None else _uncovered(store, embedder)
    while most is None or done < most:
        step = _STEP if most is None else min(_STEP, most - done)
        with store.reading() as tx:
            lacking = tx.finding.meaning.lacking(embedder.model.name, beyond=beyond, limit=step)
        if not lacking:
            return CaughtUp(memories=done, is_complete=True)
        put_vectors(lacking, embedder=embedder, store=store, at=clock.now(), patience=patience)
        done += len(lacking)
        beyond = lacking.beyond
        if progress is not None:
            progress(done, max(total, done))
    with store.reading() as tx:
        left = tx.finding.meaning.lacking(embedder.model.name, beyond=beyond, limit=1)
    return CaughtUp(memories=done, is_complete=not left)


def put_vectors(
    records: Sequence[MemoryRecord],
    *,
    embedder: Embedder,
    store: Store,
    at: datetime,
    patience: float | None = None,
) -> None:
    """Embed memories without a lock, then store their vectors in one short transaction."""
    vectors = embedder.embed([embedded_text(record.memory) for record in records])
    made = {record.memory.id: own for record, own in zip(records, vectors, strict=True)}
    _put(made, model=embedder.model, store=store, at=at, patience=patience)


@repeatable
def _put(
    vectors: Mapping[MemoryId, Sequence[Vector]],
    *,
    model: EmbeddingModel,
    store: Store,
    at: datetime,
    patience: float | None,
) -> None:
    with store.writing(at, patience=patience) as tx:
        tx.finding.meaning.put(model, vectors)


def _uncovered(store: Store, embedder: Embedder) -> int:
    with store.reading() as tx:
        uses = {use.model.name: use.memories for use in tx.finding.meaning.models()}
        return tx.memories.count(Selection()) - uses.get(embedder.model.name, 0)


def answering(embedders: Sequence[Embedder], uses: Sequence[ModelUse]) -> Embedder:
    """Return the model for questions: the chosen one, or an older one that covers more.

    The first is the chosen one. After a change of model the old vectors remain in use until the
    new ones are complete; vectors of two models are never mixed.
    """
    covered = {use.model.name: use.memories for use in uses}
    # The first of several that cover as much.
    return max(embedders, key=lambda one: covered.get(one.model.name, 0))


_NOT_HELD = "not shown: memories without proof that they were true at {at} ({many:,})"
_DEEPER_THEN = 5
_NOT_EXACT = "the search by meaning was approximate: a better match may be missing"
FILLED_ON_THE_WAY = 32
WORDS_ONLY = "searched by words only: no embedding model is in use"
NOT_CAUGHT_UP = "some memories have no embedding yet, and were searched by words only"
NOT_FILLED = "some memories were searched by words only: {problem}"
NO_MEANING = "searched by words only: {problem}"
OTHER_MODEL = "searched with another model: {problem}"
NONE_ACCEPTED = "no memory is accepted here yet, and {many} for a person"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPorts:
    """The ports that an answer needs. The first embedder is the chosen one."""

    store: Store
    clock: Clock
    counter: TokenCounter
    surroundings: Surroundings
    wording: WordComparer
    judge: Judge
    embedders: tuple[Embedder, ...] = ()
    broken_model: str = ""
    """Why the chosen model is not among the embedders; empty if it is, or if none is chosen."""
    retrieval: Retrieval = Retrieval.HYBRID
    weights: Weights = Weights()
    reranking: Reranking = Reranking()
    verifier: Verifier | None = None
    code: CodeIndex | None = None
    history: HistoryIndex | None = None
    checker: Checker | None = None
    keeper: BundleKeeper | None = None
    """Stores the bundles of several threads together; without one, each is stored alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledMemories:
    """The memories that answer, notes about them, and newly detected rewrites."""

    answers: RankedAnswers = field(default_factory=RankedAnswers)
    notes: tuple[str, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()


def what_is_known(
    question: Question, place: Place, now: datetime, ports: RecallPorts
) -> RecalledMemories:
    """Return the memories that answer, checked against the repository."""
    meant = meaning_of(question.text, ports)
    try:
        return _known(question, place, now, meant, ports)
    except (NoMeaningError, BadVectorError) as error:
        without = QuestionMeaning(notes=(NO_MEANING.format(problem=error),))
        return _known(question, place, now, without, ports)


def _known(
    question: Question, place: Place, now: datetime, meant: QuestionMeaning, ports: RecallPorts
) -> RecalledMemories:
    wanted = PreparedQuestion(
        question=question,
        place=place,
        at=now,
        weights=ports.weights,
        vector=meant.vector,
        unrelated=meant.unrelated,
        foreign=meant.foreign,
        walks=ports.retrieval is Retrieval.GRAPH,
        wording=ports.wording,
        judge=ports.judge,
        rerankers=ports.reranking.of(question),
    )
    if question.as_of is not None:
        then = _known_then(wanted, meant, ports)
        return replace(then, notes=(*meant.notes, *then.notes))
    with _reading(meant, ports) as (tx, gaps):
        seen = view(place, tx=tx, verifier=ports.verifier)
        hits = search(replace(wanted, view=seen, own=own_notes(question, tx=tx)), tx=tx)
        asked = cited_by(hits.scored, place, ports.verifier, tx)
        unaccepted = (
            "" if hits.scored else _none_accepted(Selection(place=place, view=seen), now, tx)
        )
    testimony = verdicts_on(asked, wanted, ports.verifier)
    left_out = "" if question.all_branches else seen.note
    missed = "" if hits.is_exact else _NOT_EXACT
    hidden = sensitive_note(hits.scored)
    notes = (unaccepted, left_out, testimony.note, missed, hidden, *hits.notes)
    told = tuple(note for note in notes if note)
    return RecalledMemories(
        answers=RankedAnswers(
            scored=marked_own(doubted(hits.scored, testimony.by_memory, weights=ports.weights)),
            amended=hits.amended,
            checked=testimony.by_memory,
            outcomes=check_outcomes(hits.scored, question.limit, ports.checker),
        ),
        notes=(*meant.notes, *gaps, *told),
        rewrites=(*testimony.rewrites, *rewrites_in(seen, repo=place.repo, at=now)),
    )


def _none_accepted(here: Selection, now: datetime, tx: Transaction) -> str:
    """Return a note if all that is visible here waits for a person: no other words find it."""
    waiting = tx.memories.count(replace(here, statuses=frozenset({Status.CANDIDATE})))
    if not waiting or tx.memories.find(replace(here, recallable_at=now), Page(limit=1)):
        return ""
    return NONE_ACCEPTED.format(
        many="1 candidate waits" if waiting == 1 else f"{waiting:,} candidates wait"
    )


def _known_then(
    wanted: PreparedQuestion, meant: QuestionMeaning, ports: RecallPorts
) -> RecalledMemories:
    """Return the memories that held at a commit.

    They were written in its history or are supported by its files, and were not superseded there
    yet.
    """
    name = wanted.question.as_of or ""
    if ports.verifier is None:
        return _known_on(day_without_history(name), wanted, meant, ports)
    then = ports.verifier.resolve(name)
    more = min(MOST_ITEMS, _DEEPER_THEN * wanted.question.limit)
    wide = replace(wanted, question=replace(wanted.question, limit=more), as_of=then.at)
    with _reading(meant, ports) as (tx, gaps):
        # At a commit no branch is checked out: a branch's memories must have been merged into it.
        there = replace(wanted.place, branch=None)
        seen = view(there, tx=tx, verifier=ports.verifier, at=then.id)
        # Memories that were superseded only later held then; ``held_at`` below checks this.
        hits = search(replace(wide, view=replace(seen, replaced={})), tx=tx)
        due = decisive(hits.scored, seen)
        asked = cited_by(due, wanted.place, ports.verifier, tx)
    testimony = verdicts_on(asked, wide, ports.verifier, as_of=then.id)
    past = PastView(then=then, seen=seen, repo=wanted.place.repo)
    checked = testimony.by_memory
    held = held_then(past, due, checked, store=ports.store, verifier=ports.verifier)
    lacking = sum(not item.why_not for item in due) - sum(not item.why_not for item in held)
    short = _NOT_HELD.format(many=lacking, at=wanted.question.as_of) if lacking else ""
    # Hits that do not answer are left out in any case, so git is not asked about them.
    judged = {item.record.memory.id for item in due}
    others = [item for item in hits.scored if item.record.memory.id not in judged]
    return RecalledMemories(
        answers=RankedAnswers(
            scored=doubted((*held, *others), testimony.by_memory, weights=ports.weights),
            checked=testimony.by_memory,
        ),
        notes=(*gaps, *filter(None, [short]), *hits.notes),
    )


def _known_on(
    then: Revision, wanted: PreparedQuestion, meant: QuestionMeaning, ports: RecallPorts
) -> RecalledMemories:
    """Return the memories that were accepted at the end of a day, where no repository is."""
    with _reading(meant, ports) as (tx, gaps):
        seen = view(wanted.place, tx=tx, verifier=None)
        wide = replace(wanted, as_of=then.at, view=replace(seen, replaced={}))
        hits = search(wide, tx=tx)
    return RecalledMemories(
        answers=RankedAnswers(scored=held_on(then, hits.scored, seen)),
        notes=(*gaps, *hits.notes),
    )


@contextmanager
def _reading(
    meant: QuestionMeaning, ports: RecallPorts
) -> Generator[tuple[Transaction, tuple[str, ...]], None, None]:
    """Read the store with no gaps in the vectors, and say so where some stay.

    The check shares the transaction of the search: only gaps cost another one.
    """
    with ports.store.reading() as tx:
        if meant.embedder is None or not _has_gaps(meant.embedder, tx):
            yield tx, ()
            return
    notes = _gaps_filled(meant.embedder, ports)
    with ports.store.reading() as tx:
        yield tx, notes


def _has_gaps(embedder: Embedder, tx: Transaction) -> bool:
    return bool(tx.finding.meaning.lacking(embedder.model.name, beyond=None, limit=1))


def meaning_of(text: str, ports: RecallPorts) -> QuestionMeaning:
    """Return the question's vector, or why there is none."""
    if ports.retrieval is Retrieval.WORDS:
        return QuestionMeaning()
    broken = ports.broken_model
    if not ports.embedders:
        return QuestionMeaning(notes=(NO_MEANING.format(problem=broken) if broken else WORDS_ONLY,))
    try:
        embedder = _answering(ports)
        vector = embedder.ask(text)
    except NoMeaningError as error:
        return QuestionMeaning(notes=(NO_MEANING.format(problem=error),))
    meant = QuestionMeaning.of(embedder, vector)
    return replace(meant, notes=(OTHER_MODEL.format(problem=broken),)) if broken else meant


def _answering(ports: RecallPorts) -> Embedder:
    """Return the model to ask with; only where there are several, the store decides."""
    if len(ports.embedders) == 1:
        return ports.embedders[0]
    with ports.store.reading() as tx:
        return answering(ports.embedders, tx.finding.meaning.models())


def _has_vectors(embedder: Embedder, store: Store) -> bool:
    with store.reading() as tx:
        return any(
            use.model == embedder.model and use.memories for use in tx.finding.meaning.models()
        )


def _gaps_filled(embedder: Embedder, ports: RecallPorts) -> tuple[str, ...]:
    """Embed a few new memories; a larger number is left to a catch-up."""
    try:
        caught = catch_up(
            store=ports.store,
            clock=ports.clock,
            embedder=embedder,
            most=FILLED_ON_THE_WAY,
            patience=READER_PATIENCE,
        )
    except (NoMeaningError, BadVectorError) as error:
        if not _has_vectors(embedder, ports.store):
            raise
        return (NOT_FILLED.format(problem=error),)
    except UnavailableError:
        return (NOT_CAUGHT_UP,)
    return () if caught.is_complete else (NOT_CAUGHT_UP,)
