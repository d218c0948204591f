"""What little a store without files needs to stay healthy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import State
from holdfast.domain.health import Ability, Finding, Repair, Severity, StoreFacts
from holdfast.domain.refusals import NotOfferedError
from holdfast.ports.upkeep import Progress


@dataclass(frozen=True, slots=True)
class InMemoryUpkeep:
    """Honest answers of a store that has no file to lose, damage or leave residue in."""

    state: State

    @property
    def abilities(self) -> frozenset[Ability]:
        """Return what can be done without a file: what was forgotten is in none."""
        return frozenset({Ability.REBUILD, Ability.SCRUB})

    def facts(self) -> StoreFacts:
        """Return that it lives in memory."""
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

    def check(self, progress: Progress) -> Sequence[Finding]:
        """Say that there is nothing that could be damaged."""
        progress(1, 1)
        message = "This store lives in memory; there is no file that could be damaged."
        return (Finding(check="store", severity=Severity.OK, message=message),)

    def repair(self, progress: Progress) -> Repair:
        """Refuse: there is no file that could be damaged."""
        del progress
        why = "it lives in memory, so there is no file that could be damaged."
        raise NotOfferedError(Ability.REPAIR, backend="memory", why=why)

    def rebuild(self, progress: Progress) -> int:
        """Return how many memories there are; nothing here is derived."""
        memories = len(self.state.memories)
        progress(memories, memories)
        return memories

    def scrub(self) -> None:
        """Do nothing: what was forgotten is in no file."""
