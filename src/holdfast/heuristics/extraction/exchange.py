"""Extract what a person settles with an assistant: answers, restatements and agreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.values import replace
from holdfast.heuristics.extraction import patterns
from holdfast.heuristics.extraction.talk import (
    capital,
    found,
    is_mere_yes,
    joined,
    person_tells,
    rules_on,
    weight_of,
    without_opening,
)
from holdfast.heuristics.written import containment, content_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.heuristics.extraction.prose import Statement
    from holdfast.heuristics.extraction.talk import ExtractedClaim, SpokenTurn

_LONGEST = 700
_TELLING = 4
_ECHOED = 0.3
_AGREED, _CLOSING, _LAST_WORD, _ANSWERED, _RESTATED = 0.85, 0.8, 0.7, 0.6, 0.5


def exchange(talk: Sequence[SpokenTurn], place: int) -> Iterator[ExtractedClaim]:
    """Yield the decision of a turn: as restated by the assistant and confirmed, or as said."""
    reply = talk[place + 1] if place + 1 < len(talk) and not talk[place + 1].is_user else None
    after = talk[place + 2] if place + 2 < len(talk) and talk[place + 2].is_user else None
    if reply is None or not _restates(reply, talk[place]):
        yield from _answer(talk, place)
    elif after is not None and after.confirms and not after.corrects:
        yield _restated(reply, rule="agreed", confidence=_AGREED)
    elif reply.acknowledges and place + 2 >= len(talk):
        yield _restated(reply, rule="restated", confidence=_CLOSING)
    else:
        yield from _answer(talk, place)
        if reply.acknowledges:
            yield _restated(reply, rule="restated", confidence=_RESTATED)


def ratified(talk: Sequence[SpokenTurn], place: int) -> Iterator[ExtractedClaim]:
    """Yield an assistant's statement that a person declared a rule: "that's the policy"."""
    said = talk[place]
    if not place or talk[place - 1].is_user or not said.is_user:
        return
    before = talk[place - 1]
    parts = _own_version(before)
    is_put = len(content_words(joined(before, parts))) >= _TELLING
    if (
        is_put
        and patterns.RATIFIES.match(said.parts[0].text)
        and not patterns.HEDGES.search(parts[0].text)
    ):
        yield _restated(before, rule="agreed", confidence=_AGREED)


def closing(talk: Sequence[SpokenTurn]) -> Iterator[ExtractedClaim]:
    """Yield the assistant's final restatement of the person's decisions, unless corrected."""
    place = max((n for n, said in enumerate(talk) if not said.is_user), default=-1)
    if place < 1 or not person_tells(talk):
        return
    reply, after = talk[place], talk[place + 1 :]
    if any(said.corrects or not said.confirms for said in after):
        return
    if patterns.POLITE.match(reply.parts[0].text):
        return
    parts = _own_version(reply)
    words = content_words(joined(reply, parts))
    told = content_words(" ".join(said.turn.text for said in talk[:place]))
    if len(words) >= _TELLING and containment(words, told) >= _ECHOED:
        yield _restated(reply, rule="closing", confidence=_CLOSING if after else _LAST_WORD)


def _restates(reply: SpokenTurn, said: SpokenTurn) -> bool:
    """Tell whether a reply restates the decision in its own words and without hedging."""
    parts = _own_version(reply)
    words = content_words(joined(reply, parts))
    is_polite = bool(patterns.POLITE.match(reply.parts[0].text))
    if len(words) < _TELLING or is_polite or patterns.HEDGES.search(parts[0].text):
        return False
    return reply.acknowledges or containment(words, content_words(said.turn.text)) >= _ECHOED


def _restated(reply: SpokenTurn, *, rule: str, confidence: float) -> ExtractedClaim:
    made = found(reply, _own_version(reply), kind=Kind.DECISION, rule=rule, confidence=confidence)
    opening = patterns.ACKNOWLEDGES.match(made.claim)
    if opening is None or opening.end() == len(made.claim):
        return made
    return replace(made, claim=capital(made.claim[opening.end() :]))


def _own_version(reply: SpokenTurn) -> list[Statement]:
    """Return the assistant's restatement, up to its next question, plan, attempt or topic."""
    parts: list[Statement] = []
    for part in reply.parts:
        if not parts and (
            patterns.ACKNOWLEDGES.fullmatch(part.text) or patterns.POLITE.match(part.text)
        ):
            continue
        is_other = patterns.PLANS.search(part.text) or patterns.TRIED.match(part.text)
        if part.asks or is_other or _is_beyond(parts, part):
            break
        parts.append(part)
    return parts


def _answer(talk: Sequence[SpokenTurn], place: int) -> Iterator[ExtractedClaim]:
    """Yield a person's own words, with the question they answer if they depend on it."""
    said = talk[place]
    parts = _own_answer(said)
    offer = talk[place - 1].offer if place and not talk[place - 1].is_user else None
    rules = any(rules_on(part.text) for part in parts)
    if not any(_is_firm(part) for part in parts) or (offer is None and not rules):
        return
    rule = "correction" if said.corrects else "answer"
    made = found(said, parts, kind=Kind.DECISION, rule=rule, confidence=_ANSWERED)
    opening = without_opening(parts[0].text)
    stands_alone = weight_of(opening) >= _TELLING and not patterns.POINTS_BACK.match(opening)
    if stands_alone or offer is None:
        yield made
    else:
        said_whole = joined(said, parts)
        asked = offer.text if offer.asks else f"Offered: {offer.text} Answered:"
        yield replace(made, claim=f"{asked} {said_whole}")


def _own_answer(said: SpokenTurn) -> list[Statement]:
    """Return the sentences that answer: up to a question, a warning or another paragraph."""
    parts: list[Statement] = []
    for part in said.parts:
        if part.asks or patterns.WARNS.match(part.text) or _is_beyond(parts, part):
            break
        if parts or not is_mere_yes(part.text):
            parts.append(part)
    return parts


def _is_beyond(parts: Sequence[Statement], part: Statement) -> bool:
    """Tell whether a sentence is in another paragraph, or too far from the first."""
    return bool(parts) and (part.block != parts[0].block or part.last - parts[0].first > _LONGEST)


def _is_firm(part: Statement) -> bool:
    """Tell whether a sentence settles something and is more than a yes."""
    bare = without_opening(part.text)
    return not patterns.HEDGES.search(bare) and (
        not is_mere_yes(part.text) or bool(patterns.ORDERS.match(bare))
    )
