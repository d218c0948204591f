"""Let a reranker order the best hits: a plug-in, or a model in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoMeaningError, UnavailableError
from holdfast.domain.recall.certainty import SURE
from holdfast.domain.recall.ranking import fitted, follows_links
from holdfast.domain.recall.read_hits import (
    LEAST_AFTER_SILENCE,
    READ,
    are_claims,
    is_beyond_doubt,
    read_hits,
)
from holdfast.domain.recall.resolution import LOOKED_AT
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.weighing import Weights
    from holdfast.ports.recall.models import AnswerReader, Reranker

NOT_READ = "the best hits were not read again: {problem}"
LEFT_OUT = "the reranker '{name}' was left out: {problem}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerankers:
    """The plug-in that a person set, and the models in the package if they are wanted.

    ``deep`` orders the turns of conversations and code, ``answers`` orders claims and says which
    of them answer. If ``reads_doubt_only``, nothing is read where a memory rather surely answers.
    """

    plugged_in: Reranker | None = None
    deep: Reranker | None = None
    answers: AnswerReader | None = None
    reads_doubt_only: bool = False

    def ordered(
        self, scored: tuple[Scored, ...], question: str, weights: Weights
    ) -> tuple[tuple[Scored, ...], str]:
        """Return the hits in their new order, and a note if the best could not be read again.

        Hits that were found through links keep their order, except for a plug-in. One that fails
        changes nothing.
        """
        if self.plugged_in is not None:
            return _by_plug_in(self.plugged_in, scored, question, weights)
        if follows_links(scored) or (self.reads_doubt_only and is_beyond_doubt(scored)):
            return scored, ""
        try:
            if self.answers is not None and are_claims(scored, question):
                return self._read(self.answers, scored, question, weights), ""
            if self.deep is not None:
                return _fitted(self.deep, scored, question, weights, vouches=False), ""
        except NoMeaningError as error:
            return scored, NOT_READ.format(problem=error.message.rstrip("."))
        return scored, ""

    def _read(
        self, reader: AnswerReader, scored: tuple[Scored, ...], question: str, weights: Weights
    ) -> tuple[Scored, ...]:
        claims = [item.record.memory.claim for item in scored[:READ]]
        readings = reader.readings(question, claims)
        if not readings:
            return scored
        found = read_hits(scored, readings, name=reader.name, weights=weights)
        is_silent = self.reads_doubt_only and not _is_answered(scored)
        least = LEAST_AFTER_SILENCE if is_silent else 0.0
        return found if any(item.strength >= least for item in found) else scored


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """What may order the best hits, and when.

    ``reader`` and ``answer_reader`` return the models in the package, which are loaded at the first
    question that needs them. They are used if the question asks for a deep recall, or if it leaves
    that open and ``is_deep`` is set. With ``looks_twice``, claims are read for such a question too
    if no memory rather surely answers it.
    """

    plugged_in: Reranker | None = None
    reader: Callable[[], Reranker] | None = None
    answer_reader: Callable[[], AnswerReader] | None = None
    is_deep: bool = False
    looks_twice: bool = False

    def of(self, question: Question) -> Rerankers:
        """Return what orders the best hits of a question."""
        wanted = self.is_deep if question.deep is None else question.deep
        twice = self.looks_twice and question.deep is None
        reader = self.reader if wanted else None
        answer_reader = self.answer_reader if wanted or twice else None
        return Rerankers(
            plugged_in=self.plugged_in,
            deep=None if reader is None else reader(),
            answers=None if answer_reader is None else answer_reader(),
            reads_doubt_only=not wanted,
        )


def _is_answered(scored: tuple[Scored, ...]) -> bool:
    return any(item.strength >= SURE for item in scored)


def _by_plug_in(
    reranker: Reranker, scored: tuple[Scored, ...], question: str, weights: Weights
) -> tuple[tuple[Scored, ...], str]:
    try:
        return _fitted(reranker, scored, question, weights, vouches=True), ""
    except UnavailableError as error:
        problem = error.message.rstrip(".")
        return scored, LEFT_OUT.format(name=reranker.name, problem=problem)


def _fitted(
    reranker: Reranker,
    scored: tuple[Scored, ...],
    question: str,
    weights: Weights,
    *,
    vouches: bool,
) -> tuple[Scored, ...]:
    head, rest = scored[:LOOKED_AT], scored[LOOKED_AT:]
    fits = reranker.fits(question, [item.record.memory.claim for item in head])
    if not fits:
        return scored
    return *fitted(head, fits, name=reranker.name, weights=weights, vouches=vouches), *rest
