"""Runs many searches by words with a number of statements that does not depend on how many."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.rows import Value, as_json, near_hash
from holdfast.adapters.sqlite.database.terms import terms_by_rarity_each
from holdfast.adapters.sqlite.memory.memory_rows import conditions
from holdfast.adapters.sqlite.recall.word_queries import (
    SMALL,
    QueryDeadline,
    depths_of,
    in_order,
    limited,
    next_depth,
    ways,
    weighed,
)
from holdfast.domain.memory.sketch import sketch
from holdfast.domain.recall.finding import Hit
from holdfast.domain.recall.question import MOST_TERMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.adapters.sqlite.database.terms import Term
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.memory.memories import SqliteMemories
    from holdfast.adapters.sqlite.recall.word_queries import WordQuery
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Selection

_MOST_NEAR = 64
_EACH = {
    "match": "match_for_each",
    "match_helped": "match_helped_for_each",
    "match_newest": "match_newest_for_each",
}


class _Search:
    """One of the searches: the queries still to try, and the scores found so far."""

    def __init__(self, queries: list[WordQuery], depth: int) -> None:
        self.queries = queries
        self.first_depth = self.depth = depth
        self.scores: dict[int, float] = {}
        self.taken: list[int] = []

    def go_on(self, *, is_exhausted: bool, limit: int) -> None:
        """Search deeper, try the next query, or end: the same rule as for a single search."""
        has_enough = len(self.taken) >= limit
        deeper = None if is_exhausted or has_enough else next_depth(self.depth)
        if deeper is not None:
            self.depth = deeper
            return
        self.queries.pop(0)
        self.depth = self.first_depth
        if has_enough:
            self.queries.clear()


class ManyWords:
    """Searches of one transaction that share a selection and a limit."""

    def __init__(
        self, work: Work, memories: SqliteMemories, within: Selection, *, limit: int
    ) -> None:
        self._work = work
        self._memories = memories
        self._within = within
        self._limit = limit
        self._verdicts: dict[int, bool] = {}

    def search(self, questions: Sequence[Sequence[str]]) -> tuple[tuple[Hit, ...], ...]:
        """Return the best matches of each question, as a single search would."""
        self._work.check_words()
        asked = [list(terms)[:MOST_TERMS] for terms in questions]
        known = terms_by_rarity_each(asked, self._work)
        last = self._work.last_sequence()
        if last <= SMALL:
            return tuple(self._weighed(known))
        queries = [ways(terms, last) if terms else [] for terms in known]
        return tuple(self._matched(queries))

    def alike(self, claims: Sequence[str]) -> tuple[tuple[MemoryRecord, ...], ...]:
        """Return the memories that may be the same claim as each of these."""
        found = self._equal(claims)
        for place, sequences in self._nearly_equal(claims).items():
            found[place] += sequences
        best = [list(dict.fromkeys(found[place]))[: self._limit] for place in range(len(claims))]
        wanted = sorted({sequence for some in best for sequence in some})
        records = {one.sequence: one for one in self._memories.read(wanted)}
        return tuple(tuple(records[one] for one in some) for some in best)

    def _weighed(self, known: Sequence[list[Term]]) -> Iterable[tuple[Hit, ...]]:
        """Search a store that is small enough to weight every word."""
        expressions = list(dict.fromkeys(term.quoted for terms in known for term in terms))
        rows = self._work.rows("match_each", (as_json(expressions),))
        found: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, sequence, score in rows:
            found[expressions[place]].append((sequence, score))
        memories = self._work.memories()
        for terms in known:
            scores = weighed([found[term.quoted] for term in terms], memories)
            yield self._hits(scores, self._taken(in_order(scores)))

    def _matched(self, queries: Sequence[list[WordQuery]]) -> Iterable[tuple[Hit, ...]]:
        """Run the queries of all searches in rounds, until each search has enough hits."""
        few = self._memories.few(self._within, limit=self._limit)
        depth = depths_of(few, limit=self._limit)
        searches = [_Search(some, depth) for some in queries]
        while due := [one for one in searches if one.queries]:
            groups: dict[tuple[str, int], list[_Search]] = defaultdict(list)
            for one in due:
                groups[one.queries[0].query, one.depth].append(one)
            exhausted = {
                one: is_exhausted
                for (query, at), some in groups.items()
                for one, is_exhausted in self._match(query, at, some).items()
            }
            for one, is_exhausted in exhausted.items():
                scores = one.scores
                if few is not None:
                    scores = {number: scores[number] for number in few if number in scores}
                one.taken = in_order(scores)
            self._judge({number for one in due for number in one.taken})
            for one, is_exhausted in exhausted.items():
                one.taken = self._taken(one.taken)
                one.go_on(is_exhausted=is_exhausted, limit=self._limit)
        return (self._hits(one.scores, one.taken) for one in searches)

    def _match(self, query: str, depth: int, searches: list[_Search]) -> Mapping[_Search, bool]:
        """Add the matches of each search to its scores; return whether these were all."""
        asked: dict[str, Value] = {
            "expressions": as_json([one.queries[0].expression for one in searches]),
            "rares": as_json([one.queries[0].rare for one in searches]),
            "depth": depth,
        }
        try:
            with limited(self._work.connection, QueryDeadline(many=len(searches))):
                rows = self._work.rows(_EACH[query], asked)
        except apsw.InterruptError:
            return dict.fromkeys(searches, True)
        exhausted: dict[_Search, bool] = {}
        for place, found in rows:
            one, matches = searches[place], json.loads(found)
            for sequence, score in matches:
                one.scores[sequence] = min(score, one.scores.get(sequence, 0.0))
            exhausted[one] = len(matches) < depth
        return exhausted

    def _taken(self, sequences: list[int]) -> list[int]:
        self._judge(sequences)
        return [one for one in sequences if self._verdicts[one]][: self._limit]

    def _judge(self, sequences: Iterable[int]) -> None:
        """Ask which of these memories the selection takes; each is asked about once."""
        if fresh := [one for one in sequences if one not in self._verdicts]:
            taken = set(self._memories.among(fresh, self._within, limit=len(fresh)))
            self._verdicts |= {one: one in taken for one in fresh}

    def _hits(self, scores: Mapping[int, float], taken: list[int]) -> tuple[Hit, ...]:
        return tuple([Hit(sequence=sequence, score=-scores[sequence]) for sequence in taken])

    def _equal(self, claims: Sequence[str]) -> dict[int, list[int]]:
        hashes = as_json([near_hash(claim).hex() for claim in claims])
        return self._listed("near_of_each", {"hashes": hashes})

    def _nearly_equal(self, claims: Sequence[str]) -> dict[int, list[int]]:
        bands = [[place, band] for place, claim in enumerate(claims) for band in sketch(claim)]
        return self._listed("bands_of_each", {"bands": as_json(bands), "most": _MOST_NEAR})

    def _listed(self, query: str, asked: dict[str, Value]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for place, sequence in self._work.rows(query, conditions(self._within) | asked):
            if len(found[place]) < self._limit:
                found[place].append(sequence)
        return found
