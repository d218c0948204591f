"""What others noted, brought in: one method per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.usecases.take_over import TakenOver, TakeOver


class Adoption:
    """The part of a memory that takes other notes over."""

    def __init__(self, memory: Holdfast) -> None:
        self._memory = memory

    def take_over(self, wish: TakeOver) -> TakenOver:
        """Keep other notes as candidates, or say what would become of them."""
        from holdfast.domain.junk import objection
        from holdfast.usecases.take_over import take_over

        return take_over(
            wish,
            store=self._memory.store,
            clock=self._memory.clock,
            surroundings=self._memory.surroundings,
            witness=self._memory.witness,
            objects=objection,
        )
