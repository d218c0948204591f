"""Maintenance of a store: check, repair, rebuild of derived data, secure deletion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from holdfast.domain.review.health import Ability, HealthFinding, Repair, StoreFacts

Progress = Callable[[int, int], None]


class Upkeep(Protocol):
    """The maintenance operations of a store.

    Every store offers facts and a check. The rest is offered by stores that have files of their
    own, or indexes that can be rebuilt.
    """

    @property
    def abilities(self) -> frozenset[Ability]:
        """The operations that this store offers beyond the check; all others must be refused."""
        ...

    def facts(self) -> StoreFacts:
        """Return the location and size of the store."""
        ...

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check everything; every damaged row and every lost event must be reported."""
        ...

    def repair(self, progress: Progress) -> Repair:
        """Copy all readable data into an intact store; a damaged file must be kept beside it.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...

    def rebuild(self, progress: Progress) -> int:
        """Rebuild all derived data from the canonical data; return the number of memories.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...

    def scrub(self) -> None:
        """Remove every byte of forgotten memories from all files of the store.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...
