"""Score many candidates before few records are read: words, meaning, names and one link hop.

Every function adds named parts to candidates, so that each amount can be shown later.

The weights of the parts of a score: one set for all; a space may learn its own.

Score search candidates by their context: neighbouring turns, their thread and the speaker.

Each amount is a named part of the score, as in ``weighing``. The numbers are round values near a
fit on ``locomo`` and ``beam_100k`` (decision 45).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.recall.closing import to_the_point
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.finding import Hit, ThreadPosition

    Bearers = Mapping[str, Sequence[int]]
    """The memories with each name, by their sequences."""


# Chosen by hand.
_HUB = 0.2
_NOTHING = 5e-5
_OWN = frozenset({"words", "meaning", "named", "contains"})
_LEAST_MEANING = -0.5
_MUCH_OF_QUESTION = 0.5
_ASKED_AT_ONCE = 8


@dataclass(slots=True)
class ScoredHit:
    """A memory that may answer, by its sequence, with the parts of its score so far."""

    sequence: int
    words: float = 0.0
    meaning: float = 0.0
    cosine: float | None = None
    turn: ThreadPosition | None = None
    base: float = 0.0
    """The score from its own words, meaning and name."""
    score: float = 0.0
    """The sum of all parts."""
    parts: dict[str, tuple[float, str]] = field(default_factory=dict)
    ranks: list[tuple[str, int]] = field(default_factory=list)

    def add(self, leg: str, amount: float, note: str = "") -> None:
        """Add or replace a part; negligible amounts are ignored."""
        if abs(amount) < _NOTHING:
            return
        known = self.parts.get(leg)
        gain = amount if known is None else amount - known[0]
        self.parts[leg] = (amount, note)
        self.score += gain
        if leg in _OWN:
            self.base += gain

    def amount(self, leg: str) -> float:
        """Return the amount of one part."""
        return self.parts[leg][0] if leg in self.parts else 0.0


Board = dict[int, ScoredHit]


def fused(
    words: Sequence[Hit],
    cosines: Mapping[int, float],
    *,
    unrelated: float,
    share: float,
) -> Board:
    """Scale both searches so that the best hit of each is one, and add them by their shares.

    ``unrelated`` is the cosine of two unrelated texts with that model. Weighted scores are used
    instead of ranks, because rank fusion with one weak search loses to the better search alone.
    """
    best_words = max((hit.score for hit in words), default=0.0)
    best_cosine = max(cosines.values(), default=0.0)
    room = best_cosine - unrelated
    board: Board = {}
    for hit in words:
        candidate = board.setdefault(hit.sequence, ScoredHit(hit.sequence))
        candidate.words = hit.score / best_words if best_words > 0 else 0.0
    for sequence, cosine in cosines.items():
        candidate = board.setdefault(sequence, ScoredHit(sequence))
        candidate.cosine = cosine
        candidate.meaning = _on_scale(cosine, unrelated, room)
    for candidate in board.values():
        _weigh_legs(candidate, share if cosines else 0.0)
    return board


def leaning(meaning: float, *, told: float, words: int) -> float:
    """Return the share of meaning; it grows where words tell little of the question.

    ``told`` is the largest share of the question's words that a hit contains. The best hit by words
    has the score one even if it shares a single common word; then its words are worth less. No hit
    contains most of a long question, so eight of its words count as the whole.
    """
    told *= max(1.0, words / _ASKED_AT_ONCE)
    return 1 - (1 - meaning) * min(1.0, told / _MUCH_OF_QUESTION)


def _on_scale(cosine: float, unrelated: float, room: float) -> float:
    """Return 1 for the nearest, 0 for unrelated texts, and a limited negative for opposites."""
    return max(_LEAST_MEANING, (cosine - unrelated) / room) if room > 0 else 0.0


def _weigh_legs(candidate: ScoredHit, share: float) -> None:
    candidate.add("words", (1 - share) * candidate.words)
    if candidate.cosine is not None:
        candidate.add("meaning", share * candidate.meaning)


def join(board: Board, cosines: Mapping[int, float], *, unrelated: float, share: float) -> None:
    """Add candidates from another source, scored by their meaning on the same scale."""
    best = max((c.cosine for c in board.values() if c.cosine is not None), default=0.0)
    room = best - unrelated
    for sequence, cosine in cosines.items():
        if sequence in board:
            continue
        candidate = ScoredHit(sequence, cosine=cosine)
        candidate.meaning = _on_scale(cosine, unrelated, room)
        _weigh_legs(candidate, share)
        board[sequence] = candidate


def name_in_question(board: Board, bearers: Bearers, weights: Weights) -> None:
    """Favour memories whose name is in the question; a name inside a longer one does not count."""
    for name, sequences in bearers.items():
        if is_inside_another(name, bearers):
            continue
        for sequence in sequences:
            candidate = board.setdefault(sequence, ScoredHit(sequence))
            amount = weights.named / len(sequences) ** 0.5
            if amount > candidate.amount("named"):
                candidate.add("named", amount, f"named {name}")


def is_inside_another(name: str, names: Iterable[str]) -> bool:
    """Tell whether a name is a part of a longer one, as York is of New York."""
    return any(name != other and f" {name} " in f" {other} " for other in names)


def best(board: Board, count: int) -> list[ScoredHit]:
    """Return the best by their own words and meaning; ties go to the first arrival."""
    return sorted(board.values(), key=lambda one: (-one.base, one.sequence))[:count]


def note_ranks(board: Board, stage: str) -> list[ScoredHit]:
    """Record the ranks after a stage; return the candidates in that order."""
    order = sorted(board.values(), key=lambda one: (-one.score, one.sequence))
    for place, candidate in enumerate(order, start=1):
        candidate.ranks.append((stage, place))
    return order


def hop(
    board: Board,
    mentions: Mapping[int, Mapping[int, tuple[str, float]]],
    weights: Weights,
) -> None:
    """Raise the score of memories that the best hits mention or link to, by one hop.

    Only the strongest mention of a memory counts, and the memory must still answer the question
    itself. A hit that mentions many memories gives less to each.
    """
    gained: dict[int, tuple[float, str]] = {}
    for source, targets in mentions.items():
        voice = max(board[source].base, 0.0) / max(len(targets), 1) ** _HUB
        for target, (how, strength) in targets.items():
            amount = weights.hop * voice * strength
            if target != source and amount > gained.get(target, (0.0, ""))[0]:
                gained[target] = (amount, how)
    for target, (amount, how) in gained.items():
        board.setdefault(target, ScoredHit(target)).add("link", amount, how)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the ranking.

    They were fitted with MiniLM on the development halves of the public sets, with ``make eval``
    (docs/benchmarks.md, decisions 27 and 45); the values are round numbers near the fit.

    ``meaning`` is the share of meaning against words. It is higher for code, because questions
    about code name what it does and not its words.
    """

    meaning: float = 0.5
    meaning_of_code: float = 0.95
    named: float = 0.5
    hop: float = 0.5
    mention: float = 1.0
    before: float = 0.1
    asked: float = 0.5
    after: float = 0.1
    answered: float = 0.5
    further: float = 0.05
    alone: float = 0.8
    thread: float = 0.8
    asks: float = 0.2
    brief: float = 0.3
    closing: float = 0.8
    told: float = 0.4
    agent: float = 0.4
    rest: float = 0.8
    exact: float = 0.35
    pinned: float = 0.07
    guiding: float = 0.04
    importance: float = 0.14
    weight: float = 0.07
    feedback: float = 0.07
    age: float = 0.04
    distrust: float = 0.03
    reranker: float = 0.7
    doubt: float = 0.4


LEARNABLE = (
    *("meaning", "named", "hop", "before", "asked", "after", "answered"),
    *("thread", "closing", "exact", "guiding"),
)


SHORT_THREAD = 40
CLOSING_TURNS = 2
_BEST_TURNS = 2
_ENOUGH = 300


def in_context(
    board: Board,
    turns: Mapping[int, ThreadPosition],
    closing: Mapping[int, float],
    weights: Weights,
    *,
    is_task: bool = False,
) -> None:
    """Score turns with their neighbours and their thread, and memories outside threads alike.

    In a short thread the closing turns represent the thread, by the shares in ``closing``, because
    they state the decision. The other turns of such a thread lose score. If something is asked, and
    no task is given, a closing turn about something else represents nothing.
    """
    own = {sequence: max(candidate.score, 0.0) for sequence, candidate in board.items()}
    if not is_task:
        closing = to_the_point(closing, own, turns)
    threads = _thread_scores(own, turns)
    strongest = max([*threads.values(), *own.values()], default=0.0) or 1.0
    closed = {turns[sequence].thread for sequence in closing}
    room = _Room(own=own, turns=turns, places=_places(board, turns), weights=weights)
    for sequence, candidate in board.items():
        turn = candidate.turn = turns.get(sequence)
        if turn is None:
            candidate.add("own strength", _alone(own[sequence], strongest, weights))
            continue
        whole = threads[turn.thread] / strongest
        if turn.thread in closed and sequence not in closing:
            candidate.add("told", -weights.told * own[sequence], "the end of its thread tells it")
            continue
        room.place(candidate, turn)
        candidate.add("thread", weights.thread * whole, turn.thread)
        if sequence in closing:
            candidate.add(
                "closing", weights.closing * closing[sequence] * whole, "sums up its thread"
            )
        elif turn.is_agent:
            candidate.add("agent", -weights.agent, "an agent's words, not a person's")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The candidates' own scores, and their positions in threads."""

    own: Mapping[int, float]
    turns: Mapping[int, ThreadPosition]
    places: Mapping[tuple[str, int], int]
    weights: Weights

    def place(self, candidate: ScoredHit, turn: ThreadPosition) -> None:
        """Add the amounts that the neighbouring turns give to a turn.

        Between people an answer follows its question: it takes score from the question and need
        not repeat its words. Questions and very short turns lose score. With an agent it is the
        opposite: the person states the facts and the agent repeats them.
        """
        before, after = self._beside(turn, -1), self._beside(turn, 1)
        is_with_agent = any(one and one.is_agent for one in (before, turn, after))
        is_reply = not is_with_agent and before is not None and before.asks
        is_answered = after is not None and after.is_agent and not turn.is_agent
        weights = self.weights
        amount = (
            (weights.asked if is_reply else weights.before) * self._at(turn, -1)
            + (weights.answered if is_answered else weights.after) * self._at(turn, 1)
            + weights.further * (self._at(turn, -2) + self._at(turn, 2))
        )
        candidate.add("neighbours", amount, "follows a question" if is_reply else "")
        if is_with_agent:
            return
        if turn.is_question:
            candidate.add("asks", -weights.asks, "asks and does not tell")
        brevity = 1 - min(turn.length, _ENOUGH) / _ENOUGH
        candidate.add("brief", -weights.brief * brevity, f"{turn.length:,} characters")

    def _beside(self, turn: ThreadPosition, step: int) -> ThreadPosition | None:
        sequence = self.places.get((turn.thread, turn.number + step))
        return None if sequence is None else self.turns[sequence]

    def _at(self, turn: ThreadPosition, step: int) -> float:
        sequence = self.places.get((turn.thread, turn.number + step))
        return 0.0 if sequence is None else self.own[sequence]


def _places(board: Board, turns: Mapping[int, ThreadPosition]) -> dict[tuple[str, int], int]:
    return {(turn.thread, turn.number): one for one, turn in turns.items() if one in board}


def _alone(own: float, strongest: float, weights: Weights) -> float:
    """Return what a memory outside threads would have got in a thread of equal turns."""
    return weights.alone * own + weights.thread * own / strongest


def _thread_scores(
    own: Mapping[int, float], turns: Mapping[int, ThreadPosition]
) -> dict[str, float]:
    """Return the score of each thread: the mean of its two best turns among the candidates."""
    members: dict[str, list[float]] = {}
    for sequence, turn in turns.items():
        members.setdefault(turn.thread, []).append(own.get(sequence, 0.0))
    return {
        thread: sum(sorted(scores)[-_BEST_TURNS:]) / min(len(scores), _BEST_TURNS)
        for thread, scores in members.items()
    }


_OPPOSING = frozenset(
    {LinkKind.SUPERSEDES, LinkKind.CONTRADICTS, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN}
)


def link_ends(own: MemoryId, links: Sequence[Link]) -> dict[MemoryId, Link]:
    """Return the memories that links connect with one, apart from links that oppose."""
    return {
        link.other_end(own): link
        for link in links
        if own in {link.src, link.dst} and link.kind not in _OPPOSING
    }


def mentioned(
    record: MemoryRecord, names: Sequence[str], bearers: Mapping[str, Sequence[int]]
) -> dict[int, tuple[str, float]]:
    """Return the memories that a memory names, with a score; ambiguous names count less."""
    return {
        sequence: (f"{record.memory.id} names it: {name}", len(bearers[name]) ** -0.5)
        for name in names
        if name in bearers
        for sequence in bearers[name]
        if sequence != record.sequence
    }
