"""Searches memories by their words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from math import log, log1p
from time import thread_time
from typing import NamedTuple

import apsw

from holdfast.adapters.sqlite.database.rows import Value, as_json
from holdfast.adapters.sqlite.database.terms import Term, terms_by_rarity, tokens_of
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import Hit, TermCounts
from holdfast.domain.recall.question import MOST_TERMS

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
_MOST_COUNTED = 5_000
_TELLS_NOTHING = 0.5
_WEIGHTLESS = 1e-6  # the weight SQLite gives a word in half of the memories or more


class SqliteWords:
    """The keyword index of one transaction, always up to date."""

    def __init__(self, work: Work, memories: SqliteMemories) -> None:
        self.work = work
        self.memories = memories
        self._counted: dict[str, float] = {}

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches first; among equal ones, the memory that was added first."""
        if not terms or limit <= 0:
            return ()
        self.work.check_words()
        known = terms_by_rarity(list(terms)[:MOST_TERMS], self.work)
        if not known:
            return ()
        last = self.work.next_sequence() - 1
        scores: dict[int, float] = {}
        taken: list[int] = []
        if last <= SMALL:
            scores = self._weighed(known)
            taken = self.memories.among(in_order(scores), within, limit=limit)
        for way in ways(known, last) if last > SMALL else ():
            taken = self._best(way, within, limit, scores)
            if way.settles_it and len(taken) >= limit:
                break
        return tuple([Hit(sequence=sequence, score=-scores[sequence]) for sequence in taken])

    def counts(self, terms: Collection[str]) -> TermCounts:
        """Return how many memories contain each term; a sample gives the count of common words."""
        texts = list(terms)
        last = self.work.next_sequence() - 1
        known = terms_by_rarity(texts, self.work)
        counted = self._holding([term.quoted for term in known if not term.share])
        holding = {term.tokens: term.share * last or counted[term.quoted] for term in known}
        found = zip(texts, tokens_of(texts, self.work.connection), strict=True)
        return TermCounts(
            memories=last, holding={text: holding.get(tokens, 0.0) for text, tokens in found}
        )

    def _holding(self, expressions: list[str]) -> dict[str, float]:
        """Return how many memories contain each expression; a read transaction caches counts."""
        counted = {} if self.work.may_write else self._counted
        if fresh := [one for one in expressions if one not in counted]:
            asked: dict[str, Value] = {"expressions": as_json(fresh), "most": _MOST_COUNTED}
            counted |= {one: float(many) for one, many in self.work.rows("count_matches", asked)}
        return counted

    def alike(self, claim: str, within: Selection, *, limit: int) -> Sequence[MemoryRecord]:
        """Return claims that differ only in case, then those with nearly the same words."""
        if limit <= 0:
            return ()
        return self.memories.read(self.memories.alike(claim, within, limit=limit))

    def search_each(
        self, questions: Sequence[Sequence[str]], within: Selection, *, limit: int
    ) -> Sequence[Sequence[Hit]]:
        """Return the best matches of each question."""
        if len(questions) <= 1 or limit <= 0:
            return tuple([self.search(terms, within, limit=limit) for terms in questions])
        from holdfast.adapters.sqlite.recall.many_words import ManyWords

        return ManyWords(self.work, self.memories, within, limit=limit).search(questions)

    def alike_each(
        self, claims: Sequence[str], within: Selection, *, limit: int
    ) -> Sequence[Sequence[MemoryRecord]]:
        """Return the memories that may be the same claim as each of these."""
        if len(claims) <= 1 or limit <= 0:
            return tuple([self.alike(claim, within, limit=limit) for claim in claims])
        from holdfast.adapters.sqlite.recall.many_words import ManyWords

        return ManyWords(self.work, self.memories, within, limit=limit).alike(claims)

    def _best(
        self, way: WordQuery, within: Selection, limit: int, scores: dict[int, float]
    ) -> list[int]:
        """Return the best memories of the selection, searching deeper until there are enough."""
        few = self.memories.few(within, limit=limit)
        depth = depths_of(few, limit=limit)
        patience = Patience()
        while True:
            with limited(self.work.connection, patience):
                exhausted = self._match(way, depth, scores)
            found = scores if few is None else {one: scores[one] for one in few if one in scores}
            taken = self.memories.among(in_order(found), within, limit=limit)
            deeper = next_depth(depth)
            if exhausted or len(taken) >= limit or deeper is None:
                return taken
            depth = deeper

    def _weighed(self, terms: list[Term]) -> dict[int, float]:
        """Return the score of each matching memory of a small store, with every word weighted."""
        found: list[list[tuple[int, float]]] = [[] for _ in terms]
        expressions = [term.quoted for term in terms]
        for place, sequence, score in self.work.rows("match_each", (as_json(expressions),)):
            found[place].append((sequence, score))
        for expression, rows in zip(expressions, found, strict=True):
            self._counted[expression] = float(len(rows))
        return weighed(found, self.work.memories())

    def _match(self, way: WordQuery, depth: int, scores: dict[int, float]) -> bool:
        """Add matches to the scores, keeping the better score; return whether these were all."""
        values: dict[str, Value] = {"expression": way.expression, "depth": depth}
        try:
            rows = self.work.rows(way.query, values)
        except apsw.InterruptError:
            return True
        for sequence, score in rows:
            scores[sequence] = min(score, scores.get(sequence, 0.0))
        return len(rows) < depth


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


class Patience:
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
    """One query to try: ordered by score, or newest first if scoring would cost too much."""

    expression: str
    query: str = "match"
    settles_it: bool = True


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
    asked = [WordQuery(expression=_any(rare))]
    if helpers:
        # The best answer may contain every rare word and none of the others: run both queries.
        both = f"({_any(rare)}) AND ({_any(helpers)})"
        asked.insert(0, WordQuery(expression=both, settles_it=False))
    return asked


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
