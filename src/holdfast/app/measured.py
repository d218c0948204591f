"""The memory of an evaluation, which adds memories and asks questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.memory.browse import Browse, MemoryListing
    from holdfast.usecases.memory.remember import Remember, Remembered

_JUDGE = "evaluation"


class MeasuredPart(Part):
    """The methods that an evaluation needs; other parts do the work."""

    @property
    def surroundings(self) -> Surroundings:
        """The place that the memory is seen from."""
        return self._holdfast.surroundings

    @performs(Operation.PROPOSE)
    def remember_all(self, wishes: Sequence[Remember]) -> Sequence[Remembered]:
        """Keep many claims in one durable step."""
        return self._holdfast.memories.remember_all(wishes)

    @performs(Operation.DECIDE)
    def accept(self, reference: MemoryId) -> None:
        """Accept a candidate, even if it contradicts another memory."""
        from holdfast.usecases.review.approve import Approve, approve_all

        approve_all(
            Approve(references=(reference,), by=_JUDGE),
            store=self._holdfast.store,
            clock=self._holdfast.clock,
            is_outright=True,
            heuristics=self._holdfast.heuristics,
        )

    @performs(Operation.READ)
    def answer(self, question: Question) -> Recalled:
        """Answer a question without side effects."""
        return self._holdfast.answers.answer(question)

    @performs(Operation.READ)
    def browse(self, wish: Browse) -> MemoryListing:
        """List memories."""
        return self._holdfast.memories.browse(wish)

    @performs(Operation.MAINTAIN)
    def catch_up(self, progress: Progress) -> int:
        """Embed the memories that have no vector of the chosen model yet; return how many."""
        return self._holdfast.upkeep.catch_up(progress)
