"""What keeps a store healthy: checks, repair, rebuilding what is derived, leaving no residue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from holdfast.domain.health import Ability, Finding, Repair, StoreFacts

Progress = Callable[[int, int], None]


class Upkeep(Protocol):
    """The store as a thing with a health of its own.

    Every store has facts and a check. The rest is offered by those that have files of their
    own, or indexes that can be made anew.
    """

    @property
    def abilities(self) -> frozenset[Ability]:
        """What this store can do beyond the check; every other call must be refused."""
        ...

    def facts(self) -> StoreFacts:
        """Return where the store is and how large."""
        ...

    def check(self, progress: Progress) -> Sequence[Finding]:
        """Check everything; every damaged row and every lost tail must be reported."""
        ...

    def repair(self, progress: Progress) -> Repair:
        """Rescue what can be read into a sound store; a damaged file must be kept beside it.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...

    def rebuild(self, progress: Progress) -> int:
        """Make everything derived anew from the truth; return how many memories it holds.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...

    def scrub(self) -> None:
        """Leave no byte of what was forgotten in any file of the store.

        Raises:
            NotOfferedError: It is not among the abilities.
        """
        ...
