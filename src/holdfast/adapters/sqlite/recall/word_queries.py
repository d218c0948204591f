"""The queries of a search by words: which to run, how deep, and how long."""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from math import log, log1p
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    import apsw

    from holdfast.adapters.sqlite.database.terms import Term

LONGEST_CPU_SECONDS = 2.0
STEPS_BETWEEN_LOOKS = 20_000
# Scoring a memory costs about a microsecond, and skipping one about a twentieth of that. The limits
# grow a little with the size of the store.
_SCORED, _MOST_SCORED = 300, 8_000
_SCORED_FOR_ONE = 10_000
_WALKED, _MOST_WALKED = 20_000, 150_000
_DEPTH, _DEEPER = 80, 8
_DEEPEST = 500_000
_DEPTH_FOR_FEW = 20_000
SMALL = 200
_TELLS_NOTHING = 0.5
_WEIGHTLESS = 1e-6  # the weight SQLite gives a word in half of the memories or more


def weighed(found: Sequence[Sequence[tuple[int, float]]], memories: int) -> dict[int, float]:
    """Return the score of each memory from the matches of each word.

    SQLite gives a word that is in half of the memories no weight. That is right for a million
    memories; for five it would leave a good answer without a score.
    """
    scores: dict[int, float] = {}
    for rows in found:
        odds = (memories - len(rows) + 0.5) / (len(rows) + 0.5)
        heavier = log1p(odds) / max(log(odds), _WEIGHTLESS)
        for sequence, score in rows:
            scores[sequence] = scores.get(sequence, 0.0) + score * heavier
    return scores


def depths_of(few: list[int] | None, *, limit: int) -> int:
    """Return how many matches to read first."""
    return max(_DEPTH, 4 * limit) if few is None else _DEPTH_FOR_FEW


def next_depth(depth: int) -> int | None:
    """Return how many matches to read next; None if no more are read."""
    return None if depth > _DEEPEST else depth * _DEEPER


def in_order(scores: dict[int, float]) -> list[int]:
    """Return the memories, best score first; among equal ones, the one that was added first."""
    return sorted(scores, key=lambda sequence: (scores[sequence], sequence))


class QueryDeadline:
    """A limit of CPU time; the clock is first read when a query turns out to be long."""

    def __init__(self, *, many: int = 1) -> None:
        self._seconds = many * LONGEST_CPU_SECONDS
        self._until = 0.0

    def __call__(self) -> bool:
        """Return whether the time is used up."""
        now = thread_time()
        self._until = self._until or now + self._seconds
        return now > self._until


@contextmanager
def limited(
    connection: apsw.Connection, has_ended: Callable[[], bool]
) -> Generator[None, None, None]:
    """Stop a query that takes too long; the hits found so far are the result."""
    connection.set_progress_handler(has_ended, STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        connection.set_progress_handler(None)


class WordQuery(NamedTuple):
    """One query to try: ordered by score, or newest first if scoring would cost too much.

    ``rare`` is the first part of the expression, if the words of the other part only help to rank.
    """

    expression: str
    query: str = "match"
    rare: str = ""


def ways(terms: list[Term], memories: int) -> list[WordQuery]:
    """Return the queries to try in order; the next is used if one gives too few hits.

    Words that are in many memories only help to rank the hits of rarer words: a query for common
    words alone would visit every memory.
    """
    scored = min(_MOST_SCORED, _SCORED + memories // 60)
    walked = min(_MOST_WALKED, _WALKED + memories // 2)
    spread = [term.share * memories for term in terms]
    rare = terms[: _affordable(spread, scored) or int(spread[0] <= _SCORED_FOR_ONE)]
    if not rare:
        together = terms[0].share * spread[min(1, len(terms) - 1)]
        return _ways_of_common(terms[:2], together <= scored and sum(spread[:2]) <= walked // 2)
    telling = sum(term.share < _TELLS_NOTHING for term in terms)
    helpers = terms[len(rare) : telling][: _affordable(spread[len(rare) : telling], walked)]
    if not helpers:
        return [WordQuery(expression=_any(rare))]
    both = f"({_any(rare)}) AND ({_any(helpers)})"
    return [WordQuery(expression=both, query="match_helped", rare=_any(rare))]


def _ways_of_common(pair: list[Term], can_be_scored: bool) -> list[WordQuery]:  # noqa: FBT001 - private
    both = " AND ".join(term.quoted for term in pair)
    return [
        WordQuery(expression=both, query="match" if can_be_scored else "match_newest"),
        WordQuery(expression=_any(pair), query="match_newest"),
    ]


def _affordable(spread: list[float], budget: int) -> int:
    """Return how many words, from the rarest on, are in no more memories than the budget."""
    return sum(total <= budget for total in itertools.accumulate(spread))


def _any(terms: list[Term]) -> str:
    return " OR ".join(term.quoted for term in terms)
