"""The maintenance operations of a store without files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.health import Ability, HealthFinding, Repair, Severity, StoreFacts
from holdfast.ports.store.upkeep import Progress


@dataclass(frozen=True, slots=True)
class InMemoryUpkeep:
    """The maintenance of a store that has no file to damage or to leave residue in."""

    state: InMemoryState

    @property
    def abilities(self) -> frozenset[Ability]:
        """Return the operations that need no file: rebuild and scrub."""
        return frozenset({Ability.REBUILD, Ability.SCRUB})

    def facts(self) -> StoreFacts:
        """Return that the store is in memory."""
        head = self.state.head()
        return StoreFacts(
            location="memory",
            backend="memory",
            schema=0,
            engine="dict",
            bytes_on_disk=0,
            events=head.sequence,
            head=head.hash,
        )

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Return a finding that nothing can be damaged."""
        progress(1, 1)
        message = "This store lives in memory; there is no file that could be damaged."
        return (HealthFinding(check="store", severity=Severity.OK, message=message),)

    def repair(self, progress: Progress) -> Repair:
        """Refuse: there is no file that could be damaged."""
        del progress
        why = "it lives in memory, so there is no file that could be damaged."
        raise NotOfferedError(Ability.REPAIR, backend="memory", why=why)

    def rebuild(self, progress: Progress) -> int:
        """Return the number of memories; this store has no derived data."""
        memories = len(self.state.memories)
        progress(memories, memories)
        return memories

    def scrub(self) -> None:
        """Do nothing: no file holds forgotten memories."""
