"""Classify the turns of a conversation, and turn their sentences into extracted claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.question import unspaced_parts
from holdfast.domain.sessions.transcript import Speaker
from holdfast.domain.values import dataclass
from holdfast.heuristics.extraction import patterns
from holdfast.heuristics.extraction.prose import statements
from holdfast.heuristics.written import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.choices import Kind
    from holdfast.domain.sessions.transcript import Transcript, Turn
    from holdfast.heuristics.extraction.prose import Statement

PAGES = frozenset({"run", "page"})
_BRIEF = 6
_LAST = 3
_SELDOM = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """A turn of a person or an assistant, in sentences; whether a tool failed just before it."""

    turn: Turn
    parts: tuple[Statement, ...]
    after_failure: bool = False

    @property
    def is_user(self) -> bool:
        """Tell whether the person speaks."""
        return self.turn.speaker is Speaker.USER

    @property
    def confirms(self) -> bool:
        """Tell whether it begins with agreement."""
        return bool(self.parts) and bool(patterns.CONFIRMS.match(self.parts[0].text))

    @property
    def corrects(self) -> bool:
        """Tell whether it begins with a correction."""
        return any(patterns.CORRECTS.match(part.text) for part in self.parts[:2])

    @property
    def acknowledges(self) -> bool:
        """Tell whether it begins by acknowledging the turn before."""
        return bool(self.parts) and bool(patterns.ACKNOWLEDGES.match(self.parts[0].text))

    @property
    def asks(self) -> bool:
        """Tell whether it ends with a question."""
        return any(part.asks for part in self.parts[-_LAST:])

    @property
    def offer(self) -> Statement | None:
        """The question that the person should answer, or the plan that they may object to."""
        for part in reversed(self.parts[-_LAST:]):
            if part.asks and patterns.ASKS.search(part.text):
                return part
        return next((part for part in self.parts if patterns.PLANS.search(part.text)), None)


def conversation(transcript: Transcript) -> list[SpokenTurn]:
    """Return the turns of people and assistants that contain sentences, in order."""
    talk: list[SpokenTurn] = []
    has_failed = False
    for turn in transcript.turns:
        if turn.speaker is Speaker.TOOL:
            has_failed = has_failed or turn.has_failed
        elif parts := statements(turn, is_page=transcript.tool in PAGES):
            talk.append(SpokenTurn(turn=turn, parts=parts, after_failure=has_failed))
            has_failed = False
    return talk


def person_tells(talk: Sequence[SpokenTurn]) -> bool:
    """Tell whether the person mostly gives instructions; one who mostly asks wants to learn."""
    turns = [said for said in talk if said.is_user][1:]
    asking = sum(any(part.asks for part in said.parts) for said in turns)
    return bool(turns) and asking <= _SELDOM * len(turns)


def decides(talk: Sequence[SpokenTurn], place: int) -> bool:
    """Tell whether a person settles something here: by an answer, an order or a rule."""
    said = talk[place]
    told = [part.text for part in said.parts if not part.asks]
    firm = [text for text in told if not patterns.HEDGES.search(text)]
    if not said.is_user or not firm:
        return False
    if any(rules_on(text) for text in firm):
        return True
    before = talk[place - 1] if place and not talk[place - 1].is_user else None
    return (
        before is not None
        and (before.asks or before.offer is not None)
        and (
            any(patterns.ORDERS.match(text) for text in firm)
            or _answers(said, before, tells=person_tells(talk))
        )
    )


def _answers(said: SpokenTurn, before: SpokenTurn, *, tells: bool) -> bool:
    told = [part.text for part in said.parts if not part.asks]
    is_brief = sum(len(text.split()) for text in told) <= _BRIEF
    says_more = not all(is_mere_yes(text) for text in told)
    if before.offer is None or is_brief:
        return before.asks and says_more and (is_brief or tells)
    if before.offer.asks:
        return says_more
    firm = [text for text in told if not patterns.HEDGES.search(text)]
    return (said.confirms or said.corrects) and any(patterns.EMPHASIS.search(text) for text in firm)


def is_mere_yes(text: str) -> bool:
    """Tell whether a sentence only agrees or thanks."""
    return bool(patterns.THANKS.match(text)) or bool(
        patterns.CONFIRMS.match(text) and not patterns.EMPHASIS.search(text)
    )


def rules_on(text: str) -> bool:
    """Tell whether a sentence settles something by itself."""
    if patterns.WARNS.match(text) or patterns.POLITE.match(text) or patterns.FOR_NOW.search(text):
        return False
    if patterns.FORBIDS.match(text) or (
        patterns.ORDERS.match(text) and patterns.FIRMLY.search(text)
    ):
        return True
    return any(
        words.search(text) for words in (patterns.STANDING, patterns.DECIDED, patterns.INSTEAD)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedClaim:
    """A claim, the quoted words it comes from, and the rule that found it."""

    claim: str
    kind: Kind
    turn: int
    quote: str
    first: int
    rule: str
    confidence: float
    by_assistant: bool

    @property
    def last(self) -> int:
        """The end of the quote in its turn."""
        return self.first + len(self.quote)


def found(
    said: SpokenTurn, parts: Sequence[Statement], *, kind: Kind, rule: str, confidence: float
) -> ExtractedClaim:
    """Return consecutive sentences as one claim, without their opening word."""
    return ExtractedClaim(
        claim=without_opening(joined(said, parts)),
        kind=kind,
        turn=said.turn.number,
        quote=said.turn.text[parts[0].first : parts[-1].last],
        first=parts[0].first,
        rule=rule,
        confidence=confidence,
        by_assistant=not said.is_user,
    )


def joined(said: SpokenTurn, parts: Sequence[Statement]) -> str:
    """Return consecutive sentences on one line."""
    if not parts:
        return ""
    return " ".join(said.turn.text[parts[0].first : parts[-1].last].split())


def without_opening(text: str) -> str:
    """Return a sentence without a leading yes, no or but."""
    bare = text
    while opening := patterns.OPENS.match(bare):
        bare = bare[opening.end() :]
    return text if bare is text else capital(bare)


def capital(claim: str) -> str:
    """Capitalise a sentence that lost its opening, unless it begins with a name."""
    word = claim.split(maxsplit=1)[0] if claim.strip() else ""
    is_word = word.replace("-", "").rstrip(",.:;").isalpha() and word.islower()
    return claim[0].upper() + claim[1:] if is_word else claim


def weight_of(text: str) -> int:
    """Return the number of content words in a text; unspaced scripts have one in two letters."""
    return len(content_words(text)) + len(unspaced_parts(text)) // 2
