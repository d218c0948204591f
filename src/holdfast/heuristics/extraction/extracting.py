"""Extract decisions, rules, failures and warnings from a conversation, without a model.

Language rules propose; people decide. A proposal quotes its turn exactly. Questions, hypotheses,
quotations and pasted text are never proposed. A closing summary replaces the statements it sums
up, and a statement that is withdrawn in the same conversation is not proposed.

The rules, confidences and thresholds of this package were fitted on the fifteen deciding
conversations of ``sde_decisions`` and half of the others, with ``python -m benchmarks.extraction``;
the limits of length were chosen by hand.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from holdfast.domain.sessions.session import MOST_PROPOSED, Proposal
from holdfast.domain.sessions.transcript import own_words
from holdfast.heuristics.extraction.patterns import BACK, CORRECTS
from holdfast.heuristics.extraction.requested import FEWEST_REQUESTED, REQUESTED
from holdfast.heuristics.extraction.rules import found_in
from holdfast.heuristics.extraction.talk import conversation, weight_of
from holdfast.heuristics.written import containment, content_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.heuristics.extraction.talk import ExtractedClaim, SpokenTurn

LEAST_CONFIDENCE = 0.45
_FEWEST_WORDS = 3
_THE_SAME = 0.85
_NEEDED = {REQUESTED: 0.6, "summary": 0.4, "agreed": 0.6, "restated": 0.6, "closing": 0.6}
_SAME_SUBJECT = 0.3
_NEAR = 2


def extract(transcript: Transcript, *, limit: int = MOST_PROPOSED) -> tuple[Proposal, ...]:
    """Return the proposals from a conversation, the most certain first."""
    talk = conversation(own_words(transcript))
    found = [one for one in found_in(talk) if one.confidence >= LEAST_CONFIDENCE]
    texts = {turn.number: turn.text for turn in transcript.turns}
    agreed = _agreed(talk)
    # Each claim is compared with those kept before it, so no more are kept than are asked for.
    standing = _distinct(found, _Withdrawals(talk))
    proposals = (_proposal(one, texts[one.turn], agreed.get(one.turn)) for one in standing)
    return tuple(islice((one for one in proposals if one is not None), limit))


class _Withdrawals:
    """What a person withdrew in a conversation, and when; each turn is read once."""

    def __init__(self, talk: Sequence[SpokenTurn]) -> None:
        self._talk = talk
        self._places = {said.turn.number: place for place, said in enumerate(talk)}
        self._withdrawn: list[tuple[int, frozenset[str]]] = []
        for place, said in enumerate(talk):
            opening = said.parts[0].text
            if said.is_user and (turning := BACK.match(opening)) is not None:
                self._withdrawn.append((place, content_words(opening[turning.end() :])))

    def contain(self, one: ExtractedClaim) -> bool:
        """Tell whether the person withdrew the statement later in the conversation."""
        words = content_words(one.claim)
        place = self._places[one.turn]
        if one.by_assistant and self._is_corrected_at(place + 1):
            return True
        later = bisect_right(self._withdrawn, place, key=lambda found: found[0])
        return any(
            containment(about, words) >= _SAME_SUBJECT or (not about and at <= place + _NEAR)
            for at, about in islice(self._withdrawn, later, None)
        )

    def _is_corrected_at(self, place: int) -> bool:
        if place >= len(self._talk) or not self._talk[place].is_user:
            return False
        return CORRECTS.match(self._talk[place].parts[0].text) is not None


def _distinct(
    found: Sequence[ExtractedClaim], withdrawals: _Withdrawals
) -> Iterator[ExtractedClaim]:
    """Yield what stands, without repetitions.

    A summary wins, then the more certain one, then the later one. What was withdrawn repeats
    nothing.
    """
    ranked = sorted(found, key=lambda one: (-one.confidence, -one.turn, one.first))
    kept: list[tuple[ExtractedClaim, frozenset[str]]] = []
    for one in ranked:
        words = content_words(one.quote)
        is_said = any(
            containment(words, there) >= _needed(other) or _overlap(one, other)
            for other, there in kept
        )
        if is_said or weight_of(one.claim) < _fewest(one) or withdrawals.contain(one):
            continue
        kept.append((one, content_words(one.claim)))
        yield one


def _needed(other: ExtractedClaim) -> float:
    """Return the share of a claim that another must contain; restatements may omit the reasons."""
    return _NEEDED.get(other.rule, _THE_SAME)


def _fewest(one: ExtractedClaim) -> int:
    """Return how many content words a claim needs; what a person asks for may be shorter."""
    return FEWEST_REQUESTED if one.rule == REQUESTED else _FEWEST_WORDS


def _overlap(one: ExtractedClaim, other: ExtractedClaim) -> bool:
    """Tell whether two findings quote the same sentence."""
    return one.turn == other.turn and one.first < other.last and other.first < one.last


def _agreed(talk: Sequence[SpokenTurn]) -> dict[int, int]:
    """Map each turn of an assistant to the turn right after it in which the person agreed."""
    return {
        said.turn.number: after.turn.number
        for said, after in pairwise(talk)
        if not said.is_user and after.is_user and after.confirms and not after.corrects
    }


def _proposal(one: ExtractedClaim, text: str, agreed: int | None) -> Proposal | None:
    """Return the proposal with its position in the original turn; None if it is not there."""
    is_there = text[one.first : one.last] == one.quote
    first = one.first if is_there else text.find(one.quote)
    if first < 0:
        return None
    return Proposal(
        claim=one.claim,
        kind=one.kind,
        turn=one.turn,
        quote=one.quote,
        first=first,
        last=first + len(one.quote),
        rule=one.rule,
        confidence=one.confidence,
        agreed=agreed,
    )
