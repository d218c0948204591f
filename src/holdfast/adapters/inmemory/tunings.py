"""The ranking weights of spaces, in every version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.recall.learning import Tuning


@dataclass(frozen=True, slots=True)
class InMemoryTunings:
    """Tunings by space and version."""

    state: InMemoryState

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space."""
        return next(iter(reversed(self.history(space))), None)

    def put(self, tuning: Tuning) -> None:
        """Write a version."""
        self.state.moment()
        self.state.tunings[tuning.space, tuning.version] = tuning
        self.state.record("weights.put", f"{tuning.space} {tuning.version}", tuning)

    def history(self, space: SpaceId) -> Sequence[Tuning]:
        """Return every version of a space, oldest first."""
        own = [tuning for tuning in self.state.tunings.values() if tuning.space == space]
        return tuple(sorted(own, key=lambda tuning: tuning.version))
