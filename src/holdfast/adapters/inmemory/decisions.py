"""Decisions in a dict, in the order they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import DecisionId, MemoryId
from holdfast.domain.memory.decision import Decision


@dataclass(frozen=True, slots=True)
class InMemoryDecisions:
    """People's decisions."""

    state: InMemoryState

    def put(self, decision: Decision) -> None:
        """Write a decision, or mark it as undone."""
        self.state.moment()
        self.state.decisions[decision.id] = decision
        self.state.record("decision.put", decision.id, decision)

    def get(self, decision_id: DecisionId) -> Decision:
        """Return a decision."""
        try:
            return self.state.decisions[decision_id]
        except KeyError:
            raise NoSuchError(noun="decision", reference=decision_id) from None

    def about(self, memory_id: MemoryId) -> Sequence[Decision]:
        """Return the decisions that changed a memory, newest first."""
        return tuple(one for one in self._newest_first() if memory_id in one.memories)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Decision]:
        """Return decisions, newest first, starting after ``beyond``."""
        newest = self._newest_first()
        if beyond is not None:
            places = [place for place, one in enumerate(newest, start=1) if one.id == beyond]
            newest = newest[places[0] :] if places else []
        return tuple(newest[:limit])

    def _newest_first(self) -> list[Decision]:
        return list(reversed(self.state.decisions.values()))
