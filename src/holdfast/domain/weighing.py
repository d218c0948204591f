"""Weigh many light candidates before few are read: words and meaning, thread, names, one hop.

Every function adds named parts to candidates, so that each amount can be shown later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.finding import Hit, Turn
    from holdfast.domain.weights import Weights

SHORT_THREAD = 40
CLOSING_TURNS = 2
_BEFORE_CLOSING = 0.7
_HUB = 0.2
_NOTHING = 5e-5
_OWN = frozenset({"words", "meaning", "named"})
_NOD = 160
_LEAST_MEANING = -0.5
_ALONE = 1.2


@dataclass(slots=True)
class Candidate:
    """A memory that may answer, by its sequence, with what speaks for it so far."""

    sequence: int
    words: float = 0.0
    meaning: float = 0.0
    cosine: float | None = None
    turn: Turn | None = None
    base: float = 0.0
    """What its own words, meaning and name say."""
    score: float = 0.0
    """The sum of all parts."""
    parts: dict[str, tuple[float, str]] = field(default_factory=dict)
    ranks: list[tuple[str, int]] = field(default_factory=list)

    def add(self, leg: str, amount: float, note: str = "") -> None:
        """Add a part, or replace it; what rounds to nothing is none."""
        if abs(amount) < _NOTHING:
            return
        gain = amount - self.amount(leg)
        self.parts[leg] = (amount, note)
        self.score += gain
        if leg in _OWN:
            self.base += gain

    def amount(self, leg: str) -> float:
        """Return what one part gives."""
        return self.parts[leg][0] if leg in self.parts else 0.0


Board = dict[int, Candidate]


def fused(
    words: Sequence[Hit],
    cosines: Mapping[int, float],
    *,
    unrelated: float,
    share: float,
) -> Board:
    """Put both legs on one scale, the best of each being one, and add them up by their shares.

    ``unrelated`` is the cosine two texts of that model have that share nothing.
    Weighted scores and not ranks: with one weak leg, fusing ranks loses to the better leg.
    """
    best_words = max((hit.score for hit in words), default=0.0)
    best_cosine = max(cosines.values(), default=0.0)
    room = best_cosine - unrelated
    board: Board = {}
    for hit in words:
        candidate = board.setdefault(hit.sequence, Candidate(hit.sequence))
        candidate.words = hit.score / best_words if best_words > 0 else 0.0
    for sequence, cosine in cosines.items():
        candidate = board.setdefault(sequence, Candidate(sequence))
        candidate.cosine = cosine
        candidate.meaning = _on_scale(cosine, unrelated, room)
    for candidate in board.values():
        _weigh_legs(candidate, share if cosines else 0.0)
    return board


def _on_scale(cosine: float, unrelated: float, room: float) -> float:
    """Return one for the nearest, nothing for what shares nothing, a little less for opposites."""
    return max(_LEAST_MEANING, (cosine - unrelated) / room) if room > 0 else 0.0


def _weigh_legs(candidate: Candidate, share: float) -> None:
    candidate.add("words", (1 - share) * candidate.words)
    if candidate.cosine is not None:
        candidate.add("meaning", share * candidate.meaning)


def join(board: Board, cosines: Mapping[int, float], *, unrelated: float, share: float) -> None:
    """Add candidates that came by another way, weighed by their meaning on the same scale."""
    best = max((c.cosine for c in board.values() if c.cosine is not None), default=0.0)
    room = best - unrelated
    for sequence, cosine in cosines.items():
        if sequence in board:
            continue
        candidate = Candidate(sequence, cosine=cosine)
        candidate.meaning = _on_scale(cosine, unrelated, room)
        _weigh_legs(candidate, share)
        board[sequence] = candidate


def name_in_question(board: Board, bearers: Mapping[str, Sequence[int]], weights: Weights) -> None:
    """Favour whoever bears a name in the question; a name inside a longer one is not meant."""
    for name, sequences in bearers.items():
        if any(name != other and f" {name} " in f" {other} " for other in bearers):
            continue
        for sequence in sequences:
            candidate = board.setdefault(sequence, Candidate(sequence))
            amount = weights.named / len(sequences) ** 0.5
            if amount > candidate.amount("named"):
                candidate.add("named", amount, f"named {name}")


def best(board: Board, count: int) -> list[Candidate]:
    """Return the best by their own words and meaning; ties go to whoever came first."""
    return sorted(board.values(), key=lambda one: (-one.base, one.sequence))[:count]


def note_ranks(board: Board, stage: str) -> list[Candidate]:
    """Write down who stands where after a stage; return them in that order."""
    order = sorted(board.values(), key=lambda one: (-one.score, one.sequence))
    for place, candidate in enumerate(order, start=1):
        candidate.ranks.append((stage, place))
    return order


def hop(
    board: Board,
    mentions: Mapping[int, Mapping[int, tuple[str, float]]],
    weights: Weights,
) -> None:
    """Let the best hits vouch for whom they name or are linked to; the strongest word counts.

    One hop, and whoever is vouched for still has to answer the question himself. A hit
    that names many vouches less for each.
    """
    gained: dict[int, tuple[float, str]] = {}
    for source, targets in mentions.items():
        voice = max(board[source].base, 0.0) / max(len(targets), 1) ** _HUB
        for target, (how, strength) in targets.items():
            amount = weights.hop * voice * strength
            if target != source and amount > gained.get(target, (0.0, ""))[0]:
                gained[target] = (amount, how)
    for target, (amount, how) in gained.items():
        board.setdefault(target, Candidate(target)).add("link", amount, how)


def in_context(
    board: Board, turns: Mapping[int, Turn], closing: Mapping[int, float], weights: Weights
) -> None:
    """Score turns with their neighbours and their whole thread, and single memories alike.

    The closing turns of a short thread stand for it, as far as given: they hold what was
    decided, and the turns before them step back.
    """
    own = {sequence: max(candidate.score, 0.0) for sequence, candidate in board.items()}
    by_place = {
        (turn.thread, turn.number): sequence
        for sequence, turn in turns.items()
        if sequence in board
    }
    threads = _thread_scores(own, turns)
    strongest = max([*threads.values(), *own.values()], default=0.0) or 1.0
    closed = {turns[sequence].thread for sequence in closing}
    for sequence, candidate in board.items():
        turn = candidate.turn = turns.get(sequence)
        if turn is None:
            candidate.add("alone", _alone(own[sequence], strongest, weights))
            continue
        whole = threads[turn.thread] / strongest
        if turn.thread in closed and sequence not in closing:
            candidate.add("told", -weights.told * own[sequence], "the end of its thread tells it")
            continue
        candidate.add("neighbours", _around(turn, own, by_place, turns, weights))
        candidate.add("thread", weights.thread * whole, turn.thread)
        if sequence in closing:
            candidate.add(
                "closing", weights.closing * closing[sequence] * whole, "sums up its thread"
            )
        elif turn.is_agent:
            candidate.add("agent", -weights.agent, "an agent's words, not a person's")


def _alone(own: float, strongest: float, weights: Weights) -> float:
    neighbours = _ALONE * (weights.before + weights.further) * own
    return neighbours + weights.thread * own / strongest


def _thread_scores(own: Mapping[int, float], turns: Mapping[int, Turn]) -> dict[str, float]:
    """Return how well each thread answers: the mean of its two best turns in sight."""
    members: dict[str, list[float]] = {}
    for sequence, turn in turns.items():
        members.setdefault(turn.thread, []).append(own.get(sequence, 0.0))
    return {
        thread: sum(sorted(scores)[-CLOSING_TURNS:]) / min(len(scores), CLOSING_TURNS)
        for thread, scores in members.items()
    }


def closings(turns: Mapping[int, Turn], lengths: Mapping[int, int]) -> dict[int, float]:
    """Return how far each closing turn stands for its thread: the last one, by all means.

    Where the last is but a nod, what it nods at counts nearly as much.
    """
    last: dict[str, int] = {}
    for sequence, turn in sorted(turns.items(), key=lambda item: (item[1].number, item[0])):
        last[turn.thread] = sequence
    shares = dict.fromkeys(last.values(), 1.0)
    for sequence, turn in turns.items():
        end = last[turn.thread]
        if sequence != end and lengths.get(end, 0) <= _NOD:
            shares[sequence] = _BEFORE_CLOSING
    return shares


def _around(
    turn: Turn,
    own: Mapping[int, float],
    by_place: Mapping[tuple[str, int], int],
    turns: Mapping[int, Turn],
    weights: Weights,
) -> float:
    def at(step: int) -> float:
        sequence = by_place.get((turn.thread, turn.number + step))
        return own[sequence] if sequence is not None else 0.0

    next_one = by_place.get((turn.thread, turn.number + 1))
    is_answered = next_one is not None and turns[next_one].is_agent and not turn.is_agent
    after = weights.answered if is_answered else weights.after
    return weights.before * at(-1) + after * at(1) + weights.further * (at(-2) + at(2))
