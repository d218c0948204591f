"""Extract what a person explicitly asks to remember: "Remember: …", "…, please remember that"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.values import replace
from holdfast.heuristics.extraction import patterns, request_words
from holdfast.heuristics.extraction.talk import capital, found, is_mere_yes, weight_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.heuristics.extraction.prose import Statement
    from holdfast.heuristics.extraction.talk import ExtractedClaim, SpokenTurn

REQUESTED = "asked"
# Above every other rule: a request is the clearest sign that a conversation can have.
_CONFIDENCE = 0.95
FEWEST_REQUESTED = 2


def requested(said: SpokenTurn) -> Iterator[ExtractedClaim]:
    """Yield what the person of a turn asks to remember; what assistants say is no request."""
    for number, part in enumerate(said.parts if said.is_user else ()):
        if not part.asks and not request_words.ASKS_BACK.search(part.text):
            yield from _asked_in(said, number, part)


def _asked_in(said: SpokenTurn, number: int, part: Statement) -> Iterator[ExtractedClaim]:
    if request_words.POINTS.match(part.text):
        yield from _beside(said, number)
    elif (after := request_words.FOLLOWS.match(part.text)) is not None:
        yield from _claimed(said, part, after["claim"])
    elif request_words.DUTY.match(part.text):
        yield from _duty(said, part)
    elif (lead := request_words.LEADS.match(part.text)) is not None:
        yield from _led(said, number, part.text[lead.end() :])
    elif request_words.WHOLES.match(part.text):
        yield from _claimed(said, part, part.text)


def _beside(said: SpokenTurn, number: int) -> Iterator[ExtractedClaim]:
    """Yield the sentence that "remember that" points at: before it, or after it if it opens."""
    before = said.parts[number - 1] if number else None
    if before is None or is_mere_yes(before.text):
        pointed = said.parts[number + 1 : number + 2]
    else:
        pointed = (before,)
    for part in pointed:
        if not part.asks:
            yield from _claimed(said, part, part.text)


def _led(said: SpokenTurn, number: int, rest: str) -> Iterator[ExtractedClaim]:
    """Yield what follows the words of a request: the rest of the sentence, or a list."""
    part, following = said.parts[number], said.parts[number + 1 :]
    if weight_of(rest):
        if not (request_words.DUE_NOW.search(rest) and not request_words.STATES.search(rest)):
            yield from _claimed(said, part, rest, _reason(part, following))
        return
    is_list = bool(following) and following[0].is_point
    for one in following if is_list else following[:1]:
        if one.asks or one.is_point != is_list:
            return
        yield from _claimed(said, one, one.text)


def _duty(said: SpokenTurn, part: Statement) -> Iterator[ExtractedClaim]:
    """Yield "remember to …" if it is about every time; else it is a task of the moment."""
    text = part.text
    if request_words.EVERY_TIME.search(text) and not request_words.THIS_TIME.search(text):
        yield from _claimed(said, part, text)


def _claimed(
    said: SpokenTurn, part: Statement, claim: str, reason: Sequence[Statement] = ()
) -> Iterator[ExtractedClaim]:
    if weight_of(claim) < FEWEST_REQUESTED:
        return
    kind = _kind(part.text, claim)
    made = found(said, [part, *reason], kind=kind, rule=REQUESTED, confidence=_CONFIDENCE)
    whole = " ".join((claim.strip(), *(one.text for one in reason)))
    yield replace(made, claim=capital(whole))


def _reason(part: Statement, following: Sequence[Statement]) -> Sequence[Statement]:
    """Return the next sentence if it gives the reason."""
    return [
        one
        for one in following[:1]
        if one.block == part.block and not one.asks and patterns.GIVES_REASON.match(one.text)
    ]


def _kind(sentence: str, claim: str) -> Kind:
    """Return the kind of a claim that somebody asks to remember: a fact if it has no other sign."""
    if patterns.WARNS.match(sentence):
        return Kind.GOTCHA
    if patterns.FAILED.search(claim):
        return Kind.FAILURE
    if patterns.DECIDED.search(claim) or request_words.DECIDED.search(claim):
        return Kind.DECISION
    rules = (patterns.STANDING, patterns.FORBIDS, request_words.STANDING, request_words.ORDERS)
    if patterns.ORDERS.match(claim) or any(words.search(claim) for words in rules):
        return Kind.RULE
    return Kind.FACT
