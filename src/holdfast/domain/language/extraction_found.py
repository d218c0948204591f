"""Findings of the extraction rules, built from the sentences of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.language.already_written import content_words
from holdfast.domain.language.extraction_language import OPENS
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.choices import Kind
    from holdfast.domain.language.extraction_prose import Statement
    from holdfast.domain.language.extraction_talk import SpokenTurn


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
    while opening := OPENS.match(bare):
        bare = bare[opening.end() :]
    return text if bare is text else capital(bare)


def capital(claim: str) -> str:
    """Capitalise a sentence that lost its opening, unless it begins with a name."""
    word = claim.split(maxsplit=1)[0] if claim.strip() else ""
    is_word = word.replace("-", "").rstrip(",.:;").isalpha() and word.islower()
    return claim[0].upper() + claim[1:] if is_word else claim


def weight_of(text: str) -> int:
    """Return the number of content words in a text."""
    return len(content_words(text))
