"""What the search by meaning needs of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.recall.finding import Vector
    from holdfast.ports.recall.models import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMeaning:
    """The vector of a question and its model, or notes that say why there is none."""

    embedder: Embedder | None = None
    vector: Vector | None = None
    unrelated: float = 0.0
    foreign: float | None = None
    """The cosine of unrelated texts of another language than English, if it is another one."""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, embedder: Embedder, vector: Vector) -> QuestionMeaning:
        """Return the meaning of a question; a plug-in need not know about other languages."""
        foreign: float | None = getattr(embedder, "foreign", None)
        return cls(embedder=embedder, vector=vector, unrelated=embedder.unrelated, foreign=foreign)
