"""A suspicion: the reason to think that two claims cannot both be true. It is never a verdict."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.values import dataclass


class Clash(StrEnum):
    """What two claims disagree about."""

    KEY = "key"
    NUMBER = "number"
    NAME = "name"
    DATE = "date"
    POLARITY = "polarity"
    OPPOSITE = "opposite"
    REPLACED = "replaced"
    JUDGED = "judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Why two claims may contradict each other, in words for people, and how certain that is.

    Advice blocks no approval and is not stored; any other suspicion keeps a candidate waiting.
    """

    clash: Clash
    reason: str
    confidence: float
    is_advice: bool = False

    @property
    def certainty(self) -> str:
        """How certain it is, in words; the score of a model is no share of right answers."""
        if self.is_advice:
            return f"score {self.confidence:.2f}"
        return f"{self.confidence:.0%} sure"


SAME_KEY = Suspicion(
    clash=Clash.KEY, reason="both have the same key and say different things", confidence=1.0
)
"""The suspicion about two claims with one key; a judge withdraws it if both say the same."""
NO_ADVICE = "only the rules looked for contradictions: {problem}"
"""The note of an answer for which the model in the package could not be used."""
