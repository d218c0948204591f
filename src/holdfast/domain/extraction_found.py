"""Something worth proposing, cut from what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.already_written import content_words
from holdfast.domain.extraction_language import OPENS
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.choices import Kind
    from holdfast.domain.extraction_prose import Statement
    from holdfast.domain.extraction_talk import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A claim, the words it was taken from, and the rule that found it."""

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
        """Where the quote ends in its turn."""
        return self.first + len(self.quote)


def found(
    said: Said, parts: Sequence[Statement], *, kind: Kind, rule: str, confidence: float
) -> Found:
    """Return sentences that follow each other as one claim, without the word they open with."""
    return Found(
        claim=without_opening(joined(said, parts)),
        kind=kind,
        turn=said.turn.number,
        quote=said.turn.text[parts[0].first : parts[-1].last],
        first=parts[0].first,
        rule=rule,
        confidence=confidence,
        by_assistant=not said.is_user,
    )


def joined(said: Said, parts: Sequence[Statement]) -> str:
    """Return sentences that follow each other on one line."""
    if not parts:
        return ""
    return " ".join(said.turn.text[parts[0].first : parts[-1].last].split())


def without_opening(text: str) -> str:
    """Return a sentence without the yes, no or but that it opens with."""
    bare = text
    while opening := OPENS.match(bare):
        bare = bare[opening.end() :]
    return text if bare is text else capital(bare)


def capital(claim: str) -> str:
    """Begin a sentence that lost its opening with a capital, unless it begins with a name."""
    word = claim.split(maxsplit=1)[0] if claim.strip() else ""
    is_word = word.replace("-", "").rstrip(",.:;").isalpha() and word.islower()
    return claim[0].upper() + claim[1:] if is_word else claim


def weight_of(text: str) -> int:
    """Return how many telling words a text has."""
    return len(content_words(text))
