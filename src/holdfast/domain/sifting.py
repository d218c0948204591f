"""Which memories and passages an answer gives: those that answer, and what belongs to them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from holdfast.domain.relevance import SURE, plain_subject, words_in
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.passage import Passage
    from holdfast.domain.ranking import Scored
    from holdfast.domain.relevance import Subject

TOO_LITTLE = "too little in common with the question"
FAR_BELOW = "far below the best answer"

# Fitted as the numbers of ``relevance`` are; those of passages on the code of four projects.
_POSSIBLE = 0.5
_FAR = 0.3
_BESIDE = 0.45
_BESIDE_CLEAR = 0.6
_CLEAR = 3.0
_ENOUGH_OF_PASSAGE = 0.34
_MANY_OF_PASSAGE = 4.0


def sifted(
    scored: Sequence[Scored], newer: Mapping[MemoryId, MemoryId] | None = None
) -> tuple[Scored, ...]:
    """Mark the memories that are no answer, each with the reason.

    One memory must answer by itself. Then others count that come near it, that it vouches
    for, or that stand beside it in a conversation. A pinned memory is given in any case, and
    so is what amends a memory that comes near: ``newer`` says what amends what.
    """
    near = {item.record.memory.id for item in scored if item.strength >= _POSSIBLE}
    amending = {after for before, after in (newer or {}).items() if before in near}
    scored = [
        replace(item, is_vouched_for=True) if item.record.memory.id in amending else item
        for item in scored
    ]
    surest = max([item.strength for item in scored], default=0.0)
    best = max([item.score for item in scored if item.strength >= _POSSIBLE], default=0.0)
    bar = _Bar(
        is_answered=surest >= SURE,
        strength=surest * (_BESIDE_CLEAR if surest >= _CLEAR else _BESIDE),
        score=best * _FAR,
    )
    return tuple([_sifted(item, bar) for item in scored])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    """Whether anything answers, and what others need to be given beside the best."""

    is_answered: bool
    strength: float
    score: float


def _sifted(item: Scored, bar: _Bar) -> Scored:
    comes_near = item.strength >= _POSSIBLE or item.is_vouched_for
    if not bar.is_answered or not comes_near or item.score <= 0:
        why = "" if item.record.standing.pinned else TOO_LITTLE
        return replace(item, answers=False, why_not=why)
    # The turns of a conversation complete each other; a weak one belongs to a strong one.
    stands_alone = item.turn is None and not item.is_named and not item.is_vouched_for
    if stands_alone and (item.score < bar.score or item.strength < bar.strength):
        why = "" if item.record.standing.pinned else FAR_BELOW
        return replace(item, answers=False, why_not=why)
    return item


def sifted_passages(passages: Sequence[Passage], question: str) -> list[Passage]:
    """Mark the passages of code or history that are no answer, each with the reason.

    They are found by words alone, and every word stands somewhere in a large repository: one
    of them must hold a good part of the question, many of its words, or be named by its path.
    """
    subject = plain_subject(question)
    strengths = [_passage_strength(passage, subject, question) for passage in passages]
    least = _POSSIBLE if max(strengths, default=0.0) >= SURE else inf
    return [
        passage if strength >= least else replace(passage, why_not=TOO_LITTLE)
        for passage, strength in zip(passages, strengths, strict=True)
    ]


def _passage_strength(passage: Passage, subject: Subject, question: str) -> float:
    path = passage.reference.partition(":")[0]
    names = [path.rpartition("/")[2], *[one.rpartition("/")[2] for one in passage.beside]]
    if any("." in name and name in question for name in names):
        return SURE
    text = " ".join((passage.reference, passage.title, passage.text, *passage.beside))
    held = subject.held_by(words_in(text))
    return max(subject.share(held) / _ENOUGH_OF_PASSAGE, held / _MANY_OF_PASSAGE)
