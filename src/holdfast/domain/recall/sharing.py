"""Share what a subject in the question gives with the memory that says more about it.

A title says what a whole memory is about. The subject of a first sentence only says whom one fact
is about, and the question may ask for another fact: "Kelp Mill was founded in 1969" has the subject
of "Who runs Kelp Mill?", and "The head of Kelp Mill is …" has the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.naming import plain_name
from holdfast.domain.recall.weighing import is_inside_another

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.weighing import Bearers, Board, ScoredHit, Weights


def share_subject(
    board: Board, subjects: Bearers, near: Sequence[MemoryRecord], weights: Weights
) -> None:
    """Favour the best memory that contains a subject as much as those that begin with it.

    ``subjects`` are the memories whose first sentence has a subject that the question contains, and
    ``near`` are the best hits. A memory is favoured only if its own words and meaning are better
    than those of all that begin with the subject.
    """
    for name, bearers in subjects.items():
        if is_inside_another(name, subjects):
            continue
        found = _best_with(name, bearers, near, board)
        if found is None:
            continue
        amount = weights.named / len(bearers) ** 0.5 - found.amount("named")
        if amount > found.amount("contains"):
            found.add("contains", amount, f"contains {name}")


def _best_with(
    name: str, bearers: Sequence[int], near: Sequence[MemoryRecord], board: Board
) -> ScoredHit | None:
    """Return the best other hit that contains a name, if it is better than all its bearers."""
    containing = [
        board[one.sequence]
        for one in near
        if one.sequence not in bearers and f" {name} " in f" {plain_name(one.memory.claim)} "
    ]
    best = max(containing, key=lambda one: (_unnamed(one), -one.sequence), default=None)
    least = max(_unnamed(board[sequence]) for sequence in bearers)
    return best if best is not None and _unnamed(best) > least else None


def _unnamed(hit: ScoredHit) -> float:
    """Return the score from words and meaning alone."""
    return hit.base - hit.amount("named") - hit.amount("contains")
