"""What was said in sessions, in an answer: quoted as what was said, never as knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import PassageKind
from holdfast.domain.errors import NoMeaningError, UnavailableError
from holdfast.domain.ids import SessionId, short
from holdfast.domain.recall.bundle import OTHERWISE, Passage, hash_of
from holdfast.domain.recall.question import MEMORY
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import READER_PATIENCE
from holdfast.usecases.forgotten_texts import GONE
from holdfast.usecases.recall.question_meaning import QuestionMeaning
from holdfast.usecases.recall.recalled_memories import (
    FILLED_ON_THE_WAY,
    NO_MEANING,
    meaning_of,
)
from holdfast.usecases.recall.said_turns import SaidInRepository
from holdfast.usecases.recall.search import PreparedQuestion, search
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.finding import EmbeddingModel, Vector
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.recall.recalled_memories import RecallPorts
    from holdfast.usecases.recall.search import SearchResult

_STEP = 64
_QUOTE = "> "
QUOTED_ONLY = "lines under 'said' quote what was said in sessions; they are not knowledge"
NOT_EMBEDDED = "some turns of sessions have no embedding yet, and were searched by words only"
_NOTHING_THEN = "sessions were not searched: what was said is not kept as of a commit"


def said_passages(
    question: Question, place: Place, now: datetime, ports: RecallPorts
) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    """Return the turns of sessions that answer, best first, and notes about the search."""
    if question.as_of is not None:
        return (), (_NOTHING_THEN,)
    meant = meaning_of(question.text, ports)
    try:
        found, notes = _found(question, place, now, meant, ports)
    except NoMeaningError as error:
        meant = QuestionMeaning(notes=(NO_MEANING.format(problem=error),))
        found, notes = _found(question, place, now, meant, ports)
    if any(not passage.why_not for passage in found):
        notes = (QUOTED_ONLY, *notes)
    # The search among memories says the same about the model.
    return found, notes if MEMORY in question.include else (*meant.notes, *notes)


def _found(
    question: Question, place: Place, now: datetime, meant: QuestionMeaning, ports: RecallPorts
) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    gaps = _gaps_filled(meant.embedder, place.repo or "", ports)
    wanted = PreparedQuestion(
        question=replace(question, kinds=(), scopes=(), tags=()),
        place=place,
        at=now,
        weights=ports.weights,
        vector=meant.vector,
        unrelated=meant.unrelated,
        foreign=meant.foreign,
        wording=ports.wording,
        judge=ports.judge,
        rerankers=ports.reranking.of(question),
    )
    with ports.store.reading() as tx:
        said = SaidInRepository(place, tx)
        result = search(wanted, tx=said)
    return _passages(result, said.turns, place), (
        *gaps,
        *(result.not_read,) * bool(result.not_read),
    )


def _passages(
    result: SearchResult, turns: Mapping[int, SaidTurn], place: Place
) -> tuple[Passage, ...]:
    return tuple(
        _passage(item, turns[item.record.sequence], result, place)
        for item in result.scored
        if turns[item.record.sequence].text != GONE
    )


def _passage(item: Scored, turn: SaidTurn, result: SearchResult, place: Place) -> Passage:
    """Return a turn as a passage; a stored answer has its place and no word of it."""
    speaker = "by the agent" if item.record.memory.origin == "agent" else "by the person"
    told = [f"{speaker}, {turn.at:%Y-%m-%d}"]
    told += [f"branch {turn.branch}"] if turn.branch and turn.branch != place.branch else []
    amended = result.amended.get(item.record.memory.id)
    if amended is not None:
        session, _, number = str(amended.newer).rpartition("/")
        differs = amended.differs or OTHERWISE
        told.append(f"amended in {short(session)}/{number}, which {differs}")
    return Passage(
        kind=PassageKind.SAID,
        reference=turn.reference,
        title=", ".join(told),
        text=quoted_words(turn),
        score=item.score,
        reasons=tuple(replace(one, note="") for one in item.reasons),
        why_not=item.why_not,
    )


def quoted_words(turn: SaidTurn) -> str:
    """Return the words of a turn as a quotation, so that no line can pose as one of an answer."""
    return "\n".join(f"{_QUOTE}{line}".rstrip() for line in turn.quoted.splitlines())


def said_texts(bundle: Bundle, *, tx: Transaction) -> dict[str, str]:
    """Return the turns that a stored answer quotes, as long as they are kept and unchanged."""
    wanted = {one.reference: one.text_hash for one in bundle.passages if one.kind == "said"}
    sessions = dict.fromkeys(SessionId(name.rpartition("/")[0]) for name in wanted)
    turns = [turn for session in sessions for turn in tx.sessions.caches.said.of(session)]
    texts = {turn.reference: quoted_words(turn) for turn in turns}
    return {name: text for name, text in texts.items() if wanted.get(name) == hash_of(text)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUpSaid:
    """Which turns to embed: at most so many, of one repository or, without one, of all.

    ``patience`` limits the wait for other writers, as for ``Store.writing``.
    """

    repo: str | None = None
    most: int | None = None
    patience: float | None = None


_ALL = CatchUpSaid()


def catch_up_said(
    *,
    store: Store,
    clock: Clock,
    embedder: Embedder,
    wish: CatchUpSaid = _ALL,
    progress: Progress | None = None,
) -> tuple[int, bool]:
    """Embed turns that have no vector of this model; return how many, and whether all have one."""
    done = 0
    while True:
        step = _STEP if wish.most is None else min(_STEP, wish.most - done)
        with store.reading() as tx:
            lacking = tx.finding.said.vectors.lacking
            bare = lacking(embedder.model.name, wish.repo, limit=max(1, step))
        if not bare or step <= 0:
            return done, not bare
        vectors = embedder.embed([turn.searched for turn in bare])
        made = {turn.sequence: own for turn, own in zip(bare, vectors, strict=True)}
        _put(made, model=embedder.model, store=store, at=clock.now(), patience=wish.patience)
        done += len(bare)
        if progress is not None:
            progress(done, done)


@repeatable
def _put(
    vectors: Mapping[int, Sequence[Vector]],
    *,
    model: EmbeddingModel,
    store: Store,
    at: datetime,
    patience: float | None,
) -> None:
    with store.writing(at, patience=patience) as tx:
        tx.finding.said.vectors.put(model, vectors)


def _gaps_filled(embedder: Embedder | None, repo: str, ports: RecallPorts) -> tuple[str, ...]:
    """Embed a few new turns; a larger number is left to a catch-up."""
    if embedder is None:
        return ()
    wish = CatchUpSaid(repo=repo, most=FILLED_ON_THE_WAY, patience=READER_PATIENCE)
    try:
        _, is_complete = catch_up_said(
            store=ports.store, clock=ports.clock, embedder=embedder, wish=wish
        )
    except NoMeaningError:
        raise
    except UnavailableError:
        return (NOT_EMBEDDED,)
    return () if is_complete else (NOT_EMBEDDED,)
