"""Search: find candidates in every way, score them in their context, read the best records.

One read transaction; only sequences and scores until the end. The scoring itself is in the domain.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.memory.followed_names import followed_names
from holdfast.domain.memory.naming import asked_names, is_titled, mentions_in
from holdfast.domain.memory.selection import Selection, View
from holdfast.domain.recall.certainty import ComparedWords
from holdfast.domain.recall.closing import closings
from holdfast.domain.recall.finding import NearHits
from holdfast.domain.recall.following import follow, unasked, walk
from holdfast.domain.recall.misspelling import as_spelt, corrections
from holdfast.domain.recall.question import looks_like_code, terms_of
from holdfast.domain.recall.ranking import Asked, rank
from holdfast.domain.recall.relevance import (
    asked_words,
    content_words,
    subject_of,
    telling_terms,
    text_of,
)
from holdfast.domain.recall.resolution import (
    LOOKED_AT,
    disputed,
    marked,
    references_first,
    resolve,
    suspected,
)
from holdfast.domain.recall.sharing import share_subject
from holdfast.domain.recall.sifting import covering, sifted
from holdfast.domain.recall.weighing import (
    CLOSING_TURNS,
    SHORT_THREAD,
    Board,
    ScoredHit,
    best,
    fused,
    hop,
    in_context,
    join,
    leaning,
    mentioned,
    name_in_question,
    note_ranks,
)
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.recall.known_records import KnownRecords
from holdfast.usecases.recall.rereading import Rerankers

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.finding import Hit, ThreadPosition, Vector
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.relevance import QuestionWords
    from holdfast.domain.recall.resolution import Amended
    from holdfast.domain.recall.weighing import Bearers, Weights
    from holdfast.ports.judge import Judge
    from holdfast.ports.recall.searched import Searched
    from holdfast.ports.word_comparer import WordComparer

# Chosen by hand.
_POOL = 32
_BEYOND_LIMIT = 10
_THREADED = 24
_REACH = 2
_CLOSED = 6
_HOPPING = 5
_FOLLOWED = 3
_SAMPLED = 5
_COMPARED = 5
_NAMESAKES = 8
READ_AS = "no memory contains '{word}': a word with nearly the same spelling was searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedQuestion:
    """A prepared question: its vector, if there is a model, and the weights."""

    question: Question
    place: Place
    at: datetime
    weights: Weights
    wording: WordComparer
    judge: Judge
    vector: Vector | None = None
    unrelated: float = 0.0
    foreign: float | None = None
    walks: bool = False
    rerankers: Rerankers = Rerankers()
    view: View = View()
    as_of: datetime | None = None
    own: frozenset[MemoryId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The best hits, best first, and which of them a later memory amends.

    ``is_exact`` is false where the search by meaning may have missed a hit. ``not_read`` is the
    note that says why the best hits were not read again, if that was wanted and failed.
    ``near_note`` is a note about the search by meaning.
    ``misspelt`` are words of the question that were searched as they are spelt in the best hits.
    """

    scored: tuple[Scored, ...]
    amended: Mapping[MemoryId, Amended]
    is_exact: bool = True
    not_read: str = ""
    near_note: str = ""
    misspelt: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the search, without words of memories."""
        is_given = any(not item.why_not for item in self.scored)
        spelt = [READ_AS.format(word=word) for word in self.misspelt] if is_given else []
        return (*filter(None, [self.near_note, self.not_read]), *spelt)


def search(wanted: PreparedQuestion, *, tx: Searched) -> SearchResult:
    """Find the memories that answer a question and may be given here and now."""
    tuning = tx.finding.tunings.of(wanted.place.space)
    if tuning is not None:
        from holdfast.domain.recall.learning import tuned

        wanted = replace(wanted, weights=tuned(wanted.weights, tuning))
    return _Search(wanted, tx).found()


class _Search:
    def __init__(self, wanted: PreparedQuestion, tx: Searched) -> None:
        question = wanted.question
        self.wanted = wanted
        self.tx = tx
        self.weights = wanted.weights
        self.share = wanted.weights.meaning
        self.terms = terms_of(question.text)
        self.text = question.text
        self.read_as: dict[str, str] = {}
        self.is_task = wanted.wording.is_task(question.text)
        self.is_about_code = False
        self.near = NearHits()
        self.bearers: dict[str, Sequence[int]] = {}
        self.within = Selection(
            space=wanted.place.space,
            place=wanted.place,
            recallable_at=wanted.at if wanted.as_of is None else None,
            kinds=frozenset(question.kinds),
            scopes=frozenset(question.scopes),
            tags=frozenset(question.tags),
            view=_searched(wanted),
            as_of=wanted.as_of,
            own=wanted.own,
        )
        given = Selection(place=wanted.place, recallable_at=wanted.at, view=wanted.view)
        self.known = KnownRecords(question.text, self.within, tx, given=given)

    def found(self) -> SearchResult:
        board = self._spelt(self._pool())
        note_ranks(board, "words and meaning")
        self._name(board)
        self._hop(board)
        note_ranks(board, "names and links")
        self._in_context(board)
        order = note_ranks(board, "context")
        asked = self.wanted.question.text
        ranked = self._ranked(board, order)
        read, not_read = self.wanted.rerankers.ordered(ranked, asked, self.weights)
        scored = references_first(read, asked, weights=self.weights)
        links = self.known.links_of([item.record.memory.id for item in scored[:LOOKED_AT]])
        slots, amending = self.wanted.wording.one_slot, self.wanted.wording.amendments
        found = resolve(
            scored, self.known.superseded(links), slots=slots, amending=amending, links=links
        )
        resolved, rivals = marked(found), suspected(found, self.wanted.judge.judged)
        if rivals or any(link.kind == LinkKind.CONTRADICTS for link in links):
            resolved = disputed(resolved, links, found.amended.values(), rivals)
        later = (*found.disputes, *found.rivals, *found.amended.values())
        newer = {one.older: one.newer for one in later}
        given = sifted(resolved, newer, asks_for=len(content_words(self.terms)))
        return SearchResult(
            scored=given,
            amended=found.amended,
            is_exact=self.near.is_exact,
            not_read=not_read,
            near_note=self.near.note,
            misspelt=tuple(self.read_as),
        )

    def _spelt(self, board: Board) -> Board:
        """Search again with the words of the best hits in the place of misspelt ones."""
        near = self.known.read([one.sequence for one in best(board, self._most_ranked)])
        asked = asked_words(self.terms, self.wanted.question.text)
        found = corrections(asked, [text_of(record) for record in near])
        # Whether other branches, or candidates, contain the word must not show in the answer.
        find = self.tx.finding.words.search
        self.read_as = {
            word: meant for word, meant in found.items() if not find((word,), self.within, limit=1)
        }
        if not self.read_as:
            return board
        self.text = as_spelt(self.text, self.read_as)
        return self._pool()

    def _pool(self) -> Board:
        pool = max(_POOL, self.wanted.question.limit)
        telling = telling_terms(self.text)
        words = self.tx.finding.words.search(telling, self.within, limit=pool)
        if self.wanted.vector is not None and not self.near.hits:
            search, beside = self.tx.finding.meaning.search, [hit.sequence for hit in words]
            self.near = search(self.wanted.vector, self.within, limit=pool, beside=beside)
        near = self.near.hits
        cosines = {hit.sequence: hit.score for hit in near}
        cosines |= self._likeness([hit.sequence for hit in words if hit.sequence not in cosines])
        board = fused(words, cosines, unrelated=self.wanted.unrelated, share=self.share)
        sample = [hit.sequence for hit in near[:_SAMPLED]]
        told = [hit.sequence for hit in words[:_COMPARED]]
        # One read gets nearly everything that the later steps need.
        nearly_all = [one.sequence for one in best(board, self._most_ranked)]
        self.known.read(list(dict.fromkeys([*sample, *told, *nearly_all])))
        self.is_about_code = self._is_about_code(sample)
        self.share = self._share_of_meaning(words)
        if not cosines:
            return board  # words count alone, whatever the share
        return fused(words, cosines, unrelated=self.wanted.unrelated, share=self.share)

    def _share_of_meaning(self, words: Sequence[Hit]) -> float:
        """Return how much meaning counts: more in code, and where words tell little."""
        if self.is_about_code:
            return self.weights.meaning_of_code
        subject = ComparedWords(self.subject)
        near = self.known.read([hit.sequence for hit in words[:_COMPARED]])
        told = max([subject.share(subject.held_by(text_of(one))) for one in near], default=0.0)
        return leaning(self.weights.meaning, told=told, words=len(self.subject.weights))

    @property
    def _most_ranked(self) -> int:
        return self.wanted.question.limit + _BEYOND_LIMIT

    def _likeness(self, sequences: Collection[int]) -> Mapping[int, float]:
        if self.wanted.vector is None or not sequences:
            return {}
        return self.tx.finding.meaning.likeness(self.wanted.vector, sequences)

    def _is_about_code(self, nearest: Sequence[int]) -> bool:
        """Tell whether the nearest are code; questions describe what code does, not its words."""
        sample = self.known.read(nearest)
        code = sum(looks_like_code(record.memory.claim) for record in sample)
        return code * 3 > len(sample)

    def _join(self, board: Board, sequences: Collection[int]) -> None:
        fresh = [sequence for sequence in sequences if sequence not in board]
        if not fresh:
            return
        cosines = self._likeness(fresh)
        join(board, cosines, unrelated=self.wanted.unrelated, share=self.share)
        for sequence in fresh:
            board.setdefault(sequence, ScoredHit(sequence))

    def _name(self, board: Board) -> None:
        # The names in the best hits are nearly always those that the next step asks for.
        names = asked_names(self.text)
        beside = (
            []
            if self.is_about_code
            else self.known.read([one.sequence for one in best(board, _HOPPING)])
        )
        self._named([*names, *(name for one in beside for name in mentions_in(one.memory.claim))])
        bearers = self._named(names)
        self._join(board, {sequence for found in bearers.values() for sequence in found})
        name_in_question(board, bearers, self.weights)
        near = self.known.read([one.sequence for one in best(board, self._most_ranked)])
        share_subject(board, self._only_subjects(bearers), near, self.weights)

    def _only_subjects(self, bearers: Bearers) -> Bearers:
        """Return the names that are a title of none of their bearers."""
        every = {sequence for found in bearers.values() for sequence in found}
        read = self.known.read(sorted(every))
        titled = {one.sequence for one in read if is_titled(one.memory)}
        return {name: found for name, found in bearers.items() if titled.isdisjoint(found)}

    def _named(self, names: Collection[str]) -> Bearers:
        """Return the memories with each name; a name is looked up once."""
        if fresh := [name for name in names if name not in self.bearers]:
            found = self.tx.finding.around.named(fresh, self.within, limit=_NAMESAKES)
            self.bearers |= {name: found.get(name, ()) for name in fresh}
        return {name: self.bearers[name] for name in names if self.bearers[name]}

    def _hop(self, board: Board) -> None:
        """Follow the names and links of the best hits, by one hop or a random walk.

        Names in code belong to its parts and do not refer to other memories. A subject that the
        question contains has counted already, and leads to nothing new.
        """
        if self.is_about_code:
            return
        sources = self.known.read([one.sequence for one in best(board, _HOPPING)])
        links = self.known.links_of([record.memory.id for record in sources])
        named = {one.sequence: mentions_in(one.memory.claim) for one in sources}
        bearers = self._named(dict.fromkeys(name for own in named.values() for name in own))
        asked = self._only_subjects(self._named(asked_names(self.text)))
        bearers = {name: found for name, found in bearers.items() if name not in asked}
        linked = self.known.linked(sources, links)
        mentions = {
            one.sequence: mentioned(one, named[one.sequence], bearers) | linked[one.sequence]
            for one in sources
        }
        self._join(board, {target for targets in mentions.values() for target in targets})
        reach = walk if self.wanted.walks else hop
        reach(board, mentions, self.weights)
        self._follow(board, sources[:_FOLLOWED])

    def _follow(self, board: Board, sources: Sequence[MemoryRecord]) -> None:
        """Follow rare names in the best hits to the memories that mention them too."""
        names = [(one, unasked(followed_names(one.memory.claim), self.terms)) for one in sources]
        every = dict.fromkeys(name for _, own in names for name in own)
        found = self.tx.finding.words.mentioning(every, self.within, limit=_NAMESAKES)
        self._join(board, {target for targets in found.values() for target in targets})
        follow(board, names, found, self.weights)

    def _in_context(self, board: Board) -> None:
        around = self.tx.finding.around
        turns = dict(around.turns(list(board)))
        threaded = [one for one in best(board, _THREADED) if one.sequence in turns]
        if not threaded:
            in_context(board, turns, {}, self.weights)
            return
        beside = around.beside([one.sequence for one in threaded], self.within, reach=_REACH)
        turns |= beside
        closing = self._closing([turns[one.sequence].thread for one in threaded], turns)
        turns |= closing
        self._join(board, [*beside, *closing])
        weights = self.weights
        if self.wanted.wording.asks_agent_words(self.wanted.question.text):
            weights = replace(weights, agent=0.0)
        in_context(board, turns, closings(closing), weights, is_task=self.is_task)

    def _closing(
        self, threads: Sequence[str], turns: Mapping[int, ThreadPosition]
    ) -> Mapping[int, ThreadPosition]:
        """Return the closing turns of the best threads with an agent.

        If the question is a task, those of threads between people are returned too.
        """
        with_agent = {turn.thread for turn in turns.values() if turn.is_agent}
        wanted = [one for one in dict.fromkeys(threads) if self.is_task or one in with_agent]
        if not wanted:
            return {}
        return self.tx.finding.around.closing(
            wanted[:_CLOSED], self.within, last=CLOSING_TURNS, shorter=SHORT_THREAD
        )

    def _ranked(self, board: Board, order: Sequence[ScoredHit]) -> tuple[Scored, ...]:
        known = self.known
        meant = {one.sequence: one for one in (*known.pinned(), *known.referenced())}
        known.records |= meant
        for sequence in meant:
            board.setdefault(sequence, ScoredHit(sequence))
        ranked_first = [one.sequence for one in order[: self._most_ranked]]
        wanted = list(dict.fromkeys([*ranked_first, *meant]))
        asked = Asked(
            terms=self.terms,
            text=self.wanted.question.text,
            at=self.wanted.at,
            subject=self.subject,
            unrelated=self.wanted.unrelated,
        )
        found = [(record, board[record.sequence]) for record in self.known.read(wanted)]
        ranked = rank(found, asked=asked, weights=self.weights)
        if self.is_about_code or self.is_task:
            return ranked
        return tuple(covering(ranked, self.terms, weight=self.weights.rest))

    @cached_property
    def subject(self) -> QuestionWords:
        """The content words of the question, counted once."""
        text, counts = self.wanted.question.text, self.tx.finding.words.counts
        words = asked_words(self.terms, text)
        counted = counts(words, place=self.wanted.place)
        return subject_of(words, counted, text=text, foreign=self.wanted.foreign)


def _searched(wanted: PreparedQuestion) -> View:
    """Return the view to search; with ``all_branches`` it includes every branch."""
    return wanted.view.everywhere() if wanted.question.all_branches else wanted.view
