"""Maintenance of a store: check, repair, rebuild of derived data, secure deletion.

Vector indexes that can check whether their files are intact.

This port has a module of its own, so that a store that checks for it at run time does not import
the other ports of search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from holdfast.domain.exchange.copies import IndexDigests
from holdfast.domain.review.curation import Ability, HealthFinding, Repair, StoreFacts

if TYPE_CHECKING:
    from holdfast.ports.store.copying import Copying
    from holdfast.ports.store.finding import VectorSource


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

    def tenant_bytes(self) -> int:
        """Return how many bytes the tenant of this store uses, for quotas.

        On a server these are the texts of all its stores, as this transaction sees them; in a file
        it is the size of the file.
        """
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

    @property
    def copying(self) -> Copying:
        """Exact copies from and into this store.

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


@runtime_checkable
class MovableIndex(Protocol):
    """An index into which vectors can be copied, and whose rows can be compared with the store."""

    def copy(self, source: VectorSource, progress: Progress) -> int:
        """Write every vector that the index lacks; return how many changes it was behind.

        A copy that was interrupted must be continued by the next one.
        """
        ...

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return the hash of each row that the index must have, and of each that it has."""
        ...


@runtime_checkable
class OutsideIndex(Protocol):
    """An index that keeps its vectors in another database, from which nobody else removes them."""

    def discard(self, source: VectorSource) -> None:
        """Remove every vector of the source from the index."""
        ...


@runtime_checkable
class CheckedIndex(Protocol):
    """An index that compares its files with checksums; a plug-in may implement it too."""

    @property
    def notices(self) -> Sequence[str]:
        """The faults found in the files since they were opened; answers must stay correct."""
        ...

    def problem(self, source: VectorSource) -> str | None:
        """Check all files now and return what is wrong, or None; change nothing."""
        ...


@runtime_checkable
class ReplacedIndex(Protocol):
    """An index of another package; while it fails, the vectors in the store answer."""

    @property
    def failure(self) -> str:
        """A note if the index failed since the last search began; empty if it did not."""
        ...
