"""Where the truth is kept.

Every sentence below that says what *must* happen has a test of the same
meaning in ``tests/contract``, run against every backend.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from holdfast.domain.bundle import Bundle
from holdfast.domain.ids import BundleId, MemoryId, SessionId
from holdfast.domain.link import Link
from holdfast.domain.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.place import SpaceId
from holdfast.domain.selection import Page, Selection, Slice
from holdfast.domain.session import Interaction, Session
from holdfast.ports.anchors import Anchors
from holdfast.ports.diary import Diary
from holdfast.ports.finding import Finding
from holdfast.ports.upkeep import Upkeep


class UsageCounts(Protocol):
    """Counts how often memories were given and rated. Usage is no event.

    A count must be added to, never read by the caller and replaced: two callers at the same
    time must both be counted. Memories that are not here must be passed over.
    """

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was given once more, at that moment."""
        ...

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory; a rating from before must be taken back."""
        ...

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory, as an import needs it.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...


class Memories(Protocol):
    """The memories seen by one transaction."""

    def add(self, memory: Memory, standing: Standing) -> MemoryRecord:
        """Write a memory once; it must read back exactly, and come last in sequence.

        Raises:
            AlreadyRememberedError: The id is taken; nothing is written.
            ForgottenError: That id was forgotten; it must not come back.
        """
        ...

    def get(self, memory_id: MemoryId) -> MemoryRecord:
        """Read a memory with all that is kept beside it.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Read several memories at once, in the order asked for.

        A memory that is not here, or was forgotten, must be left out. The number of
        statements a backend runs must not grow with the number of memories.
        """
        ...

    def find(self, selection: Selection, page: Page) -> Slice[MemoryRecord]:
        """Return exactly those the selection takes, by sequence; pages must not overlap.

        Each must have the status that the selection's view gives it. The slice carries the
        cursor of the next page. A cursor must stay valid when memories come or are forgotten.

        Raises:
            BadCursorError: The page's cursor is not one that this store made.
        """
        ...

    def count(self, selection: Selection) -> int:
        """Return how many the selection takes."""
        ...

    def set_standing(self, memory_id: MemoryId, standing: Standing) -> None:
        """Replace what people decided about a memory; the memory itself must not change."""
        ...

    @property
    def usage(self) -> UsageCounts:
        """How often the memories were given, and whether they helped."""
        ...

    def forget(self, tombstone: Tombstone) -> None:
        """Remove a memory, its index entries, links and added evidence; leave the tombstone.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten before.
        """
        ...


class Names(Protocol):
    """Finds what people mean when they write the start of an id, and what is gone."""

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of any noun that start so, in order."""
        ...

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return what is left of a forgotten memory."""
        ...

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones by id, after the one named."""
        ...

    def bury(self, tombstone: Tombstone) -> None:
        """Keep a tombstone that came from elsewhere; twice is once."""
        ...


class Links(Protocol):
    """How memories hang together."""

    def put(self, link: Link) -> None:
        """Write a link; the same ends and kind again must replace the score.

        Raises:
            NoSuchError: One of its ends is no memory.
        """
        ...

    def touching(self, memory_id: MemoryId) -> Sequence[Link]:
        """Return the links from and to a memory, strongest first."""
        ...

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return the links that touch any of these memories, each once, strongest first."""
        ...

    def remove(self, link: Link) -> bool:
        """Take a link away; tell whether it was there."""
        ...

    def page(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return links in the order of their ends and kind, after the one named."""
        ...

    def contradictions(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return the links of kind ``contradicts`` in the order of their ends.

        The cost must grow with their number, not with that of all links.
        """
        ...


class Sessions(Protocol):
    """Sittings and their turns."""

    def put(self, session: Session) -> None:
        """Write a session, or its end."""
        ...

    def get(self, session_id: SessionId) -> Session:
        """Return a session.

        Raises:
            NoSuchError: No session has that id.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Session]:
        """Return sessions, newest id first, after the one named."""
        ...

    def add_turn(self, turn: Interaction) -> Interaction:
        """Write a turn and return it with the number it got; a number of 0 asks for one."""
        ...

    def turns(self, session_id: SessionId) -> Sequence[Interaction]:
        """Return a session's turns in order."""
        ...

    def set_turn(self, turn: Interaction) -> None:
        """Replace a turn's verdict and notes."""
        ...

    def turns_with(self, bundle_id: BundleId) -> Sequence[Interaction]:
        """Return the turns that a bundle answered."""
        ...


class Bundles(Protocol):
    """What questions got."""

    def put(self, bundle: Bundle) -> None:
        """Write a bundle, or its rating; it must read back exactly."""
        ...

    def get(self, bundle_id: BundleId) -> Bundle:
        """Return a bundle.

        Raises:
            NoSuchError: No bundle has that id.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Bundle]:
        """Return bundles, newest id first, after the one named."""
        ...


class Transaction(Protocol):
    """One unit of work: all of it happens, or none of it."""

    @property
    def memories(self) -> Memories:
        """The memories, including those this transaction wrote."""
        ...

    @property
    def finding(self) -> Finding:
        """The ways to find them, never behind."""
        ...

    @property
    def names(self) -> Names:
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
        """The spans, and what is known of the histories they are in."""
        ...

    @property
    def diary(self) -> Diary:
        """What happened: events and runs."""
        ...


class Store(Protocol):
    """A place that survives a restart. It is opened for one space and must show nothing else."""

    @property
    def space(self) -> SpaceId:
        """The space that everything in this store belongs to."""
        ...

    def reading(self) -> AbstractContextManager[Transaction]:
        """Begin to read: everything seen inside must be of one moment."""
        ...

    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> AbstractContextManager[Transaction]:
        """Begin a unit of work; leaving by an exception must undo it, leaving well keeps it.

        When the block has been left well, the work must survive a crash and a power cut.
        ``patience`` is how many seconds to wait for other writers, where the usual is too long.
        A backend whose writers work side by side may undo the work when it is left, because
        another one came between. Whoever begins a unit of work repeats it then: see
        ``holdfast.usecases.repeating``.

        Raises:
            WorkUndoneError: Another unit of work came between; nothing is changed.
            StoreBusyError: Another writer held the store all that time; nothing is changed.
        """
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What is wrong though the store can be used: a lost tail, damage that was worked around.

        Each sentence must say what happened and what to do; a sound store has none.
        """
        ...

    @property
    def upkeep(self) -> Upkeep:
        """What keeps the store itself healthy."""
        ...

    def close(self) -> None:
        """Let go of it; may be called twice."""
        ...
