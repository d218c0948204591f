"""Searches memories by their words."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import apsw

from holdfast.adapters.sqlite.database.rows import Value, as_json
from holdfast.adapters.sqlite.database.terms import Term, quoted_phrases, terms_by_rarity, tokens_of
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memories import MOST_REACHED, SqliteMemories
from holdfast.adapters.sqlite.recall.word_queries import (
    SMALL,
    QueryDeadline,
    WordQuery,
    depths_of,
    in_order,
    limited,
    next_depth,
    ways,
    weighed,
)
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import Hit, TermCounts
from holdfast.domain.recall.question import MOST_TERMS

_MOST_COUNTED = 5_000


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
        if last <= SMALL:
            scores = self._weighed(known)
            taken = self.memories.among(in_order(scores), within, limit=limit)
        else:
            taken = self._tried(ways(known, last), within, limit, scores)
        return tuple([Hit(sequence=sequence, score=-scores[sequence]) for sequence in taken])

    def counts(self, terms: Collection[str], *, place: Place | None = None) -> TermCounts:
        """Return how many memories contain each term; a sample gives the count of common words."""
        texts = list(terms)
        last = self.work.next_sequence() - 1
        known = terms_by_rarity(texts, self.work)
        counted = self._holding([term.quoted for term in known if not term.share])
        holding = {term.tokens: term.share * last or counted[term.quoted] for term in known}
        found = zip(texts, tokens_of(texts, self.work.connection), strict=True)
        return TermCounts(
            memories=last,
            reaching=last if place is None else self._reaching(place, last),
            holding={text: holding.get(tokens, 0.0) for text, tokens in found},
        )

    def _reaching(self, place: Place, last: int) -> int:
        """Return how many memories can reach a place; all of the store, if they are many."""
        many = self.memories.reach(place.repo, most=MOST_REACHED)
        return min(last, many) if many <= MOST_REACHED else last

    def _holding(self, expressions: list[str]) -> dict[str, float]:
        """Return how many memories contain each expression; a read transaction caches counts."""
        counted = {} if self.work.may_write else self._counted
        if fresh := [one for one in expressions if one not in counted]:
            asked: dict[str, Value] = {"expressions": as_json(fresh), "most": _MOST_COUNTED}
            counted |= {one: float(many) for one, many in self.work.rows("count_matches", asked)}
        return counted

    def mentioning(
        self, phrases: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories that contain each phrase; the common phrases are left out."""
        known = quoted_phrases(phrases, self.work)
        if not known:
            return {}
        asked: dict[str, Value] = {"expressions": as_json(list(known.values())), "most": limit + 1}
        rows = self.work.rows("mentioning", asked)
        found = {name: json.loads(rows[place][1]) for place, name in enumerate(known)}
        rare = {name: own for name, own in found.items() if 0 < len(own) <= limit}
        sequences = sorted({one for own in rare.values() for one in own})
        taken = set(self.memories.among(sequences, within, limit=len(sequences)))
        kept = {name: tuple(sorted(taken.intersection(own))) for name, own in rare.items()}
        return {name: own for name, own in kept.items() if own}

    def alike(self, claim: str, within: Selection, *, limit: int) -> Sequence[MemoryRecord]:
        """Return claims that differ only in case, then those with nearly the same words."""
        if limit <= 0:
            return ()
        return self.memories.read(self.memories.alike(claim, within, limit=limit))

    def expect(self, memories: Sequence[Memory]) -> None:
        """Let the unit of work look up at once what it will be asked about each of these."""
        self.work.expect(memories)

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

    def _tried(
        self, queries: list[WordQuery], within: Selection, limit: int, scores: dict[int, float]
    ) -> list[int]:
        """Return the best memories of the selection; each query searches deeper as needed."""
        few, verdicts = self.memories.few(within, limit=limit), self.memories.verdicts(within)
        taken: list[int] = []
        for way in queries:
            depth: int | None = depths_of(few, limit=limit)
            patience = QueryDeadline()
            while depth is not None:
                with limited(self.work.connection, patience):
                    exhausted = self._match(way, depth, scores)
                found = (
                    scores if few is None else {one: scores[one] for one in few if one in scores}
                )
                taken = self.memories.among(in_order(found), within, limit=limit, verdicts=verdicts)
                is_done = exhausted or len(taken) >= limit
                depth = None if is_done else next_depth(depth)
            if len(taken) >= limit:
                break
        return taken

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
        values: dict[str, Value] = {
            "expression": way.expression,
            "rare": way.rare,
            "depth": depth,
        }
        try:
            rows = self.work.rows(way.query, values)
        except apsw.InterruptError:
            return True
        for sequence, score in rows:
            scores[sequence] = min(score, scores.get(sequence, 0.0))
        return len(rows) < depth
