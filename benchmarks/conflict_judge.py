"""How well the model in the package finds contradicting claims, alone and beside the rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.conflict_sets import Pair
from holdfast.adapters.embedding.judging import THRESHOLD, carried_judge
from holdfast.heuristics.english import ENGLISH

_RECALL = 0.8
_HEAD = (
    "| pairs | n | rules: right, wrong | wrack adds: right, wrong | both: precision | both: recall"
    " | wrack alone: precision at recall 0.8 | ms a pair |"
)
_LINE = "|---|---:|---:|---:|---:|---:|---:|---:|"

Scoring = Callable[[str, str], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What the rules find in a set, and what the model adds to it."""

    pairs: int
    conflicts: int
    by_rules: tuple[int, int]
    added: tuple[int, int]
    precision_alone: float
    milliseconds: float

    @property
    def precision(self) -> float:
        """The precision of the rules and the model together."""
        right, wrong = (sum(both) for both in zip(self.by_rules, self.added, strict=True))
        return right / max(1, right + wrong)

    @property
    def recall(self) -> float:
        """The recall of the rules and the model together."""
        return (self.by_rules[0] + self.added[0]) / max(1, self.conflicts)


def advised(pairs: Sequence[Pair], scoring: Scoring | None = None) -> Advised:
    """Ask the rules and the model about every pair; the model is asked about all of them."""
    ask = scoring or carried_judge().score
    before = time.process_time()
    scores = [ask(pair.newer, pair.older) or 0.0 for pair in pairs]
    spent = time.process_time() - before
    judged = ENGLISH.judge.judged
    by_rules = [judged(pair.newer, pair.older, None) is not None for pair in pairs]
    added = [
        score >= THRESHOLD and not found for score, found in zip(scores, by_rules, strict=True)
    ]
    right = [pair.is_conflict for pair in pairs]
    return Advised(
        pairs=len(pairs),
        conflicts=sum(right),
        by_rules=_counts(by_rules, right),
        added=_counts(added, right),
        precision_alone=precision_at(scores, right),
        milliseconds=1e3 * spent / max(1, len(pairs)),
    )


def precision_at(scores: Sequence[float], right: Sequence[bool], recall: float = _RECALL) -> float:
    """Return the best precision of any threshold that finds at least this share of conflicts.

    Pairs with one score are above a threshold together.
    """
    ranked = sorted(zip(scores, right, strict=True), key=lambda one: -one[0])
    wanted, best, hits = recall * sum(right), 0.0, 0
    for place, (score, is_right) in enumerate(ranked, start=1):
        hits += is_right
        is_last = place == len(ranked) or ranked[place][0] < score
        if is_last and hits >= wanted:
            best = max(best, hits / place)
    return best


def table(found: dict[str, Advised]) -> str:
    """Return the figures as a Markdown table."""
    rows = [
        f"| {name} | {one.pairs} | {one.by_rules[0]}, {one.by_rules[1]}"
        f" | {one.added[0]}, {one.added[1]} | {one.precision:.3f} | {one.recall:.3f}"
        f" | {one.precision_alone:.3f} | {one.milliseconds:.1f} |"
        for name, one in found.items()
    ]
    return "\n".join([_HEAD, _LINE, *rows])


def _counts(found: Sequence[bool], right: Sequence[bool]) -> tuple[int, int]:
    hits = sum(one and is_right for one, is_right in zip(found, right, strict=True))
    return hits, sum(found) - hits
