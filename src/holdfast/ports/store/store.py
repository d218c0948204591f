"""The port for canonical data.

Every sentence below that contains *must* has a test of the same meaning in ``tests/contract``,
which runs against every backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from holdfast.domain.memory.place import SpaceId
from holdfast.ports.store.anchors import Anchors
from holdfast.ports.store.contents import Bundles, Links, Memories, NameLookup, Sessions
from holdfast.ports.store.diary import Diary
from holdfast.ports.store.finding import Finders
from holdfast.ports.store.jobs import JobQueue
from holdfast.ports.store.upkeep import Upkeep


class Transaction(Protocol):
    """One unit of work: all of its changes are stored, or none."""

    @property
    def memories(self) -> Memories:
        """The memories, including those this transaction wrote."""
        ...

    @property
    def finding(self) -> Finders:
        """The search ports, always up to date."""
        ...

    @property
    def names(self) -> NameLookup:
        """Ids and tombstones."""
        ...

    @property
    def links(self) -> Links:
        """The links."""
        ...

    @property
    def sessions(self) -> Sessions:
        """The sessions."""
        ...

    @property
    def bundles(self) -> Bundles:
        """The bundles."""
        ...

    @property
    def anchors(self) -> Anchors:
        """The spans, the git histories, and added evidence."""
        ...

    @property
    def diary(self) -> Diary:
        """Events, runs and decisions."""
        ...


class Store(Protocol):
    """Durable storage, opened for one space; it must show nothing of another space."""

    @property
    def space(self) -> SpaceId:
        """The space that everything in this store belongs to."""
        ...

    def reading(self) -> AbstractContextManager[Transaction]:
        """Start a read transaction: everything read inside must belong to one moment."""
        ...

    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> AbstractContextManager[Transaction]:
        """Start a unit of work; an exception must undo it, otherwise it is committed.

        After the commit, the work must survive a crash and a power failure. ``patience`` is how
        many seconds to wait for other writers, if the default is too long. A backend with
        concurrent writers may undo the work at commit, because of a conflict with another writer.
        The caller then repeats the unit of work: see ``holdfast.usecases.repeating``.

        Raises:
            WorkUndoneError: It conflicted with another unit of work; nothing is changed.
            StoreBusyError: Another writer held the lock for all that time; nothing is changed.
        """
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """Faults of a store that can still be used: lost events, damage that was worked around.

        Each message must contain what happened and what to do; an intact store has none.
        """
        ...

    @property
    def left_out(self) -> Sequence[str]:
        """The damaged rows that this thread's current read transaction has left out.

        A read of many rows must leave a damaged row out, name it here and in ``warnings``, and
        return the others. Work that must not miss a row, such as an export, checks this.
        """
        ...

    @property
    def upkeep(self) -> Upkeep:
        """Checks and repairs of the store itself."""
        ...

    @property
    def jobs(self) -> JobQueue:
        """Bulk work that many workers share.

        Raises:
            NotOfferedError: One process at a time works on this type of store.
        """
        ...

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        ...
