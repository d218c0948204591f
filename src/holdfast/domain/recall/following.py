"""Follow rare names in the text of the best hits to other memories that mention them, by one hop.

The bridge between two memories often stands in the text of both and in the title of neither. A walk
over links, names and titles is the other way to reach memories from the best hits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.weighing import Board, ScoredHit, Weights

# Fitted on ``musique300`` (decision 115).
_HUB = 0.2
_NOT_COMPARED = 0.25
_JUST_BELOW = 1e-6


def unasked(names: Iterable[str], terms: Iterable[str]) -> tuple[str, ...]:
    """Return the names that say something new: not all of their words are in the question."""
    asked = {stem(term) for term in terms}
    return tuple(name for name in names if not asked.issuperset(map(stem, name.split())))


def follow(
    board: Board,
    names: Sequence[tuple[MemoryRecord, Sequence[str]]],
    found: Mapping[str, Sequence[int]],
    weights: Weights,
) -> None:
    """Raise the score of memories that mention a rare name of one of the best hits.

    ``names`` are those of each source, ``found`` the memories with each name. The amount grows with
    the source's own score, the rarity of the name, and the likeness of the memory to the question.
    Only the strongest mention counts, and only what exceeds the amount of a link. No memory rises
    above the best hit.
    """
    top = max((hit.score for hit in board.values()), default=0.0)
    gained: dict[int, tuple[float, str]] = {}
    for record, own in names:
        source = record.sequence
        reached = _reached(source, own, found)
        voice = max(board[source].base, 0.0) / max(len(reached), 1) ** _HUB
        for target, (name, rarity) in reached.items():
            hit = board[target]
            above = weights.mention * voice * rarity * _likeness(hit) - hit.amount("link")
            amount = min(above, top - hit.score - _JUST_BELOW)
            if amount > gained.get(target, (0.0, ""))[0]:
                gained[target] = (amount, f"{record.memory.id} mentions {name}")
    for target, (amount, how) in gained.items():
        board[target].add("mention", amount, how)


def _reached(
    source: int, names: Sequence[str], found: Mapping[str, Sequence[int]]
) -> dict[int, tuple[str, float]]:
    """Return the memories that share a name with the source, with the rarest name of each."""
    reached: dict[int, tuple[str, float]] = {}
    for name in names:
        others = [target for target in found.get(name, ()) if target != source]
        for target in others:
            rarity = len(others) ** -0.5
            if rarity > reached.get(target, ("", 0.0))[1]:
                reached[target] = (name, rarity)
    return reached


def _likeness(hit: ScoredHit) -> float:
    """Return how near a memory is to the question by meaning, or a low value without a vector."""
    return _NOT_COMPARED if hit.cosine is None else max(hit.meaning, 0.0)


def walk(
    board: Board, mentions: Mapping[int, Mapping[int, tuple[str, float]]], weights: Weights
) -> None:
    """Raise the score of memories by a random walk over what the best hits mention or link to."""
    from holdfast.domain.recall.governing import walked

    seeds = {one.sequence: max(one.base, 0.0) for one in board.values()}
    edges = {
        source: {target: strength for target, (_, strength) in targets.items()}
        for source, targets in mentions.items()
    }
    for sequence, amount in walked(seeds, edges).items():
        board[sequence].add("link", weights.hop * amount, "a walk over the links")
