"""Score memories against a question: a sum of named parts, each of which can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin
from holdfast.domain.ids import short
from holdfast.domain.memory.anchor import HOLDING, Verdict
from holdfast.domain.memory.followed_names import share_of_names
from holdfast.domain.recall.bundle import Reason, StageRank
from holdfast.domain.recall.certainty import SURE, ComparedWords, strengths
from holdfast.domain.recall.defining import asked_thing, defines
from holdfast.domain.recall.relevance import content_words
from holdfast.domain.recall.weighing import Weights
from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import BranchPoint, Checked, Revision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.domain.recall.certainty import SharedTerms
    from holdfast.domain.recall.finding import ThreadPosition
    from holdfast.domain.recall.relevance import QuestionWords
    from holdfast.domain.recall.weighing import ScoredHit

_GUIDING = frozenset(
    {Kind.DECISION, Kind.RULE, Kind.GOTCHA, Kind.INVARIANT, Kind.FAILURE, Kind.ASSUMPTION}
)
_NO_KIND = ("kind", 0.0, "")
_YEAR_SECONDS = 365 * 86_400
# Chosen by hand.
_FEW = 3
_DISTRUST = {origin: place for place, origin in enumerate(Origin)}
_VOUCHED = ("link", "neighbours", "closing")
_VOUCHED_ENOUGH = 0.1
_MENTIONED_NEEDS = 0.25
_LIST_NEEDS = 0.5
_MOSTLY_NAMES = 0.5
_DEFINITION = 0.8
"""Fitted on ten small stores of a definition among mentions, ``benchmarks/definitions.json``."""
_WORTH_KEEPING = 5e-4
_FITS = 0.5
_LINK, _LINKED_AMONG = "link", 10
_DOUBT = {Verdict.DRIFTED: 0.5, Verdict.ORPHANED: 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A memory with its score, the parts of the score, and its rank after each stage.

    ``strength`` says how certainly it answers, ``is_by_words`` that only words were compared.
    ``is_named`` says that the question names it, ``is_vouched_for`` that a better hit leads to it.
    ``why_not`` is why it is left out. A pinned memory is given even if it does not answer.
    """

    record: MemoryRecord
    score: float
    reasons: tuple[Reason, ...]
    turn: ThreadPosition | None = None
    ranks: tuple[StageRank, ...] = ()
    strength: float = SURE
    is_by_words: bool = False
    is_named: bool = False
    is_vouched_for: bool = False
    answers: bool = True
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The properties of a question that scoring needs."""

    terms: tuple[str, ...]
    text: str
    at: datetime
    subject: QuestionWords
    unrelated: float = 0.0


class _Heard:
    """A question prepared once for the comparison with every record."""

    __slots__ = ("at", "subject", "terms", "text", "thing", "unrelated")

    def __init__(self, asked: Asked) -> None:
        self.text = asked.text.casefold()
        self.terms = frozenset(asked.terms)
        self.at = asked.at
        self.subject = ComparedWords(asked.subject)
        self.unrelated = asked.unrelated
        self.thing = asked_thing(asked.text)

    def is_defined_by(self, record: MemoryRecord) -> bool:
        """Return whether a memory says what the thing is that the question asks about."""
        return bool(self.thing) and defines(record.memory.claim, self.thing)


def rank(
    found: Sequence[tuple[MemoryRecord, ScoredHit]],
    *,
    asked: Asked,
    weights: Weights,
) -> tuple[Scored, ...]:
    """Add the parts that depend on the records to the candidates' scores; best first.

    Ties go to the memory that arrived first, so the order is deterministic.
    """
    heard = _Heard(asked)
    ties = [_tie(record, candidate, heard) for record, candidate in found]
    scored = [
        _score(record, candidate, heard, weights, own)
        for (record, candidate), own in zip(found, strengths(ties), strict=True)
    ]
    scored.sort(key=lambda item: (-item.score, item.record.sequence))
    return tuple(scored)


def fitted(
    scored: Sequence[Scored],
    fits: Sequence[float],
    *,
    name: str,
    weights: Weights,
    vouches: bool = True,
) -> list[Scored]:
    """Add a reranker's scores, each clipped to between 0 and 1; best first.

    A score of at least one half sets ``is_vouched_for``, if the reranker vouches. Missing scores
    count as 0.
    """
    told = [max(0.0, min(1.0, fit)) if fit == fit else 0.0 for fit in fits]  # noqa: PLR0124 - a NaN
    told += [0.0] * (len(scored) - len(told))
    lifted = [
        replace(
            item,
            score=round(item.score + weights.reranker * fit, 6),
            reasons=(*item.reasons, Reason(leg=name, amount=weights.reranker * fit)),
            is_vouched_for=item.is_vouched_for or (vouches and fit >= _FITS),
        )
        for item, fit in zip(scored, told, strict=False)
    ]
    return sorted(lifted, key=lambda item: (-item.score, item.record.sequence))


def follows_links(scored: Sequence[Scored]) -> bool:
    """Tell whether one of the best hits was found through a link or a name in another hit.

    Such a hit answers only together with the other, so its own text is no measure of it.
    """
    return any(
        reason.leg == _LINK and reason.amount > 0
        for item in scored[:_LINKED_AMONG]
        for reason in item.reasons
    )


def doubted(
    scored: Sequence[Scored], checked: Mapping[MemoryId, Sequence[Checked]], *, weights: Weights
) -> tuple[Scored, ...]:
    """Lower the score of memories whose evidence changed; best first."""
    lowered = [_doubted(item, checked.get(item.record.memory.id, ()), weights) for item in scored]
    return tuple(sorted(lowered, key=lambda item: (-item.score, item.record.sequence)))


def decisive(scored: Sequence[Scored], view: View) -> tuple[Scored, ...]:
    """Return the hits that decide an answer about the past: the answers and their successors.

    A successor that does not answer itself still hides the memory that it superseded.
    """
    answering = [item.record for item in scored if not item.why_not]
    newer = {record.standing.superseded_by for record in answering}
    newer |= {view.replaced.get(record.memory.id) for record in answering}
    return tuple(item for item in scored if not item.why_not or item.record.memory.id in newer)


def unproven(
    scored: Sequence[Scored], checked: Mapping[MemoryId, Sequence[Checked]]
) -> tuple[Scored, ...]:
    """Return the hits without any evidence that is still unchanged."""
    return tuple(
        item
        for item in scored
        if not any(
            one.sighting.verdict in HOLDING for one in checked.get(item.record.memory.id, ())
        )
    )


def held_at(
    then: Revision,
    scored: Sequence[Scored],
    *,
    arrived: Collection[BranchPoint],
    checked: Mapping[MemoryId, Sequence[Checked]],
    view: View,
) -> tuple[Scored, ...]:
    """Keep the hits that held at a commit: written in its history, or supported by its files.

    If both a memory and its successor held, only the successor is kept.
    """
    open_ones = {item.record.memory.id for item in unproven(scored, checked)}

    def held(item: Scored) -> bool:
        memory = item.record.memory
        if memory.id not in open_ones:
            return True
        if memory.branch_point is None:
            return memory.created_at <= then.at
        return memory.branch_point in arrived

    kept = [item for item in scored if held(item)]
    names = {item.record.memory.id for item in kept}
    return tuple(
        item
        for item in kept
        if item.record.standing.superseded_by not in names
        and view.replaced.get(item.record.memory.id) not in names
    )


def _doubted(item: Scored, checked: Sequence[Checked], weights: Weights) -> Scored:
    if not checked:
        return item
    worst = max([_DOUBT.get(one.sighting.verdict, 0.0) for one in checked], default=0.0)
    if not worst:
        return item
    # One piece of evidence that still holds halves the doubt: the others may be essential.
    holds = any(one.sighting.verdict in HOLDING for one in checked)
    # Doubt lowers a score but never turns an answer into none.
    amount = -min(weights.doubt * worst * (0.5 if holds else 1.0), max(item.score, 0.0))
    note = ", ".join(dict.fromkeys(one.sighting.verdict.value for one in checked))
    return replace(
        item,
        score=round(item.score + amount, 6),
        reasons=(*item.reasons, Reason(leg="evidence", amount=amount, note=note)),
    )


def _score(
    record: MemoryRecord, candidate: ScoredHit, heard: _Heard, weights: Weights, own: float
) -> Scored:
    exact = _exact(record, heard)
    parts = [
        *_weighed(candidate),
        ("exact", weights.exact * bool(exact), exact),
        ("definition", _DEFINITION * heard.is_defined_by(record), ""),
        ("pinned", weights.pinned * record.standing.pinned, ""),
        *_priors(record, heard, weights),
    ]
    return Scored(
        record=record,
        score=round(sum([amount for _, amount, _ in parts]), 6),
        reasons=tuple(
            [
                Reason(leg=leg, amount=amount, note=note)
                for leg, amount, note in parts
                if amount >= _WORTH_KEEPING or amount <= -_WORTH_KEEPING
            ]
        ),
        # A memory whose key, label or id the question contains certainly answers it. A title may
        # be a common word.
        strength=max(own, SURE) if exact else own,
        is_by_words=candidate.cosine is None,
        is_named=bool(exact) or _is_titled(candidate),
        is_vouched_for=_is_vouched_for(record, candidate, own),
        turn=candidate.turn,
        ranks=tuple([StageRank(stage=stage, rank=place) for stage, place in candidate.ranks]),
    )


def _tie(record: MemoryRecord, candidate: ScoredHit, heard: _Heard) -> SharedTerms:
    return heard.subject.tie(
        record,
        cosine=candidate.cosine,
        unrelated=heard.unrelated,
        is_named=_is_titled(candidate),
        is_turn=candidate.turn is not None,
    )


def _is_vouched_for(record: MemoryRecord, candidate: ScoredHit, own: float) -> bool:
    """Tell whether a better hit leads to a memory.

    A name that both mention does so if the memory is not far from the question by meaning. A list
    of names needs more in common with the question, because it shares a name with nearly every hit.
    """
    if any(candidate.amount(leg) >= _VOUCHED_ENOUGH for leg in _VOUCHED):
        return True
    if candidate.amount("mention") < _VOUCHED_ENOUGH:
        return False
    if share_of_names(record.memory.claim) > _MOSTLY_NAMES:
        return own >= _LIST_NEEDS
    return candidate.cosine is None or own >= _MENTIONED_NEEDS


def _is_titled(candidate: ScoredHit) -> bool:
    """Tell whether the question contains the title of a memory."""
    return "named" in candidate.parts


def _weighed(candidate: ScoredHit) -> list[tuple[str, float, str]]:
    """Return the parts scored before; the part for meaning notes the cosine similarity."""
    near = "" if candidate.cosine is None else f"cosine {candidate.cosine:.2f}"
    return [
        (leg, amount, near if leg == "meaning" else note)
        for leg, (amount, note) in candidate.parts.items()
    ]


def _exact(record: MemoryRecord, heard: _Heard) -> str:
    """Return the name of a memory that the question contains; stop words do not count."""
    memory_id = record.memory.id
    for name in (record.memory.key, record.standing.label, memory_id, short(memory_id)):
        if name and len(name) >= _FEW and _stands_in(name.casefold(), heard.text):
            return name
    key = record.memory.key
    if key and (pieces := key.casefold().replace("-", " ").replace("_", " ").split()):
        is_meant = len(pieces) > 1 and heard.terms.issuperset(pieces)
        return key if is_meant and content_words(pieces) else ""
    return ""


def _stands_in(name: str, text: str) -> bool:
    """Tell whether a text contains a name as a separate word: no "api" in "capital"."""
    if name in STOP_WORDS:
        return False
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            return True
        start = text.find(name, start + 1)
    return False


def _priors(
    record: MemoryRecord, heard: _Heard, weights: Weights
) -> tuple[tuple[str, float, str], ...]:
    memory, usage = record.memory, record.usage
    age = min(1.0, max(0.0, (heard.at - memory.created_at).total_seconds() / _YEAR_SECONDS))
    rated = usage.good + usage.bad
    liking = (usage.good - usage.bad) / rated if rated else 0.0
    return (
        ("kind", weights.guiding, memory.kind.value) if memory.kind in _GUIDING else _NO_KIND,
        ("importance", weights.importance * (memory.importance - 0.5), ""),
        ("weight", weights.weight * (min(memory.weight, 2.0) - 1.0), ""),
        ("feedback", weights.feedback * liking, ""),
        ("age", -weights.age * age, ""),
        ("trust", -weights.distrust * _DISTRUST[memory.trust], memory.trust.value),
    )
