"""Score many candidates before few records are read: words, meaning, names and one link hop.

Every function adds named parts to candidates, so that each amount can be shown later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.recall.finding import Hit, ThreadPosition
    from holdfast.domain.recall.weights import Weights

# Chosen by hand.
_HUB = 0.2
_NOTHING = 5e-5
_OWN = frozenset({"words", "meaning", "named"})
_LEAST_MEANING = -0.5


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


def name_in_question(board: Board, bearers: Mapping[str, Sequence[int]], weights: Weights) -> None:
    """Favour memories whose name is in the question; a name inside a longer one does not count."""
    for name, sequences in bearers.items():
        if any(name != other and f" {name} " in f" {other} " for other in bearers):
            continue
        for sequence in sequences:
            candidate = board.setdefault(sequence, ScoredHit(sequence))
            amount = weights.named / len(sequences) ** 0.5
            if amount > candidate.amount("named"):
                candidate.add("named", amount, f"named {name}")


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
