"""Ports for what a store contains: memories, names, links, sessions and bundles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.ids import BundleId, MemoryId, SessionId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.memory.selection import Page, Selection, Slice
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.ports.store.ciphertexts import Ciphertexts
from holdfast.ports.store.documents import DocumentRecords
from holdfast.ports.store.session_caches import SessionCaches


class UsageCounts(Protocol):
    """Counts how often memories were returned and how they were rated. Usage is not an event.

    A count must be incremented in the store, not read and replaced by the caller: two concurrent
    callers must both be counted. Memories that do not exist must be skipped.
    """

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more, at that moment."""
        ...

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory; an earlier rating must be subtracted."""
        ...

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory; imports need this.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...


class Memories(Protocol):
    """The memories that one transaction sees."""

    def add(self, memory: Memory, standing: Standing) -> MemoryRecord:
        """Add a memory; it must read back exactly, and be the last in sequence.

        Raises:
            AlreadyRememberedError: The id exists; nothing is written.
            ForgottenError: A memory with that id was forgotten; it must not come back.
        """
        ...

    def get(self, memory_id: MemoryId) -> MemoryRecord:
        """Return a memory with its status, usage and added evidence.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten.
        """
        ...

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Return several memories at once, in the requested order.

        A memory that does not exist, or was forgotten, must be left out. The number of statements
        that a backend runs must not grow with the number of memories.
        """
        ...

    def find(self, selection: Selection, page: Page) -> Slice[MemoryRecord]:
        """Return exactly the memories of the selection, by sequence; pages must not overlap.

        Each memory must have the status that the selection's view gives it. The slice holds the
        cursor of the next page. A cursor must stay valid when memories are added or forgotten.

        Raises:
            BadCursorError: The page's cursor is not one that this store made.
        """
        ...

    def count(self, selection: Selection) -> int:
        """Return the number of memories in the selection."""
        ...

    def set_standing(self, memory_id: MemoryId, standing: Standing) -> None:
        """Replace the status, pin and label of a memory; the memory itself must not change."""
        ...

    @property
    def usage(self) -> UsageCounts:
        """How often memories were returned, and whether they helped."""
        ...

    def forget(self, tombstone: Tombstone) -> None:
        """Remove a memory, its index entries, links and added evidence; leave the tombstone.

        Raises:
            NoSuchError: No memory has that id.
            ForgottenError: It was forgotten before.
        """
        ...


class NameLookup(Protocol):
    """What belongs to a name: ids, tombstones, encrypted contents, and documents."""

    @property
    def ciphertexts(self) -> Ciphertexts:
        """The encrypted contents of sensitive records, by their ids."""
        ...

    @property
    def documents(self) -> DocumentRecords:
        """The records that frameworks keep under names."""
        ...

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of every type that start with a prefix, in order."""
        ...

    def ending(self, prefix: str, letters: str, *, limit: int) -> Sequence[str]:
        """Return the ids that start with a prefix and end with these letters, in order.

        Forgotten memories must be included. It may read all ids of the prefix.
        """
        ...

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return the tombstone of a forgotten memory, or None."""
        ...

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones in the order of their ids, starting after ``beyond``."""
        ...

    def bury(self, tombstone: Tombstone) -> None:
        """Store a tombstone; another one of that memory must be replaced."""
        ...


class Links(Protocol):
    """The links between memories."""

    def put(self, link: Link) -> None:
        """Write a link; the same ends and kind again must replace the score.

        Raises:
            NoSuchError: One of its ends is not a memory.
        """
        ...

    def touching(self, memory_id: MemoryId) -> Sequence[Link]:
        """Return the links from and to a memory, strongest first."""
        ...

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return the links that touch any of these memories, each once, strongest first."""
        ...

    def remove(self, link: Link) -> bool:
        """Remove a link; return whether it existed."""
        ...

    def page(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return links ordered by their ends and kind, starting after ``beyond``."""
        ...

    def contradictions(self, *, beyond: Link | None, limit: int) -> Sequence[Link]:
        """Return the links of kind ``contradicts``, ordered by their ends.

        The cost must grow with the number of these links, not with that of all links.
        """
        ...


class Sessions(Protocol):
    """Sessions and their turns."""

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
        """Return sessions, newest id first, starting after ``beyond``."""
        ...

    def add_turn(self, turn: Interaction) -> Interaction:
        """Write a turn and return it with its number; the number 0 requests the next one."""
        ...

    def turns(self, session_id: SessionId) -> Sequence[Interaction]:
        """Return a session's turns in order."""
        ...

    def set_turn(self, turn: Interaction) -> None:
        """Replace a turn's question, verdict and notes."""
        ...

    def turns_with(self, bundle_id: BundleId) -> Sequence[Interaction]:
        """Return the turns that a bundle answered."""
        ...

    @property
    def caches(self) -> SessionCaches:
        """What sessions and repositories keep for the next session."""
        ...


class Bundles(Protocol):
    """The answers that were given to questions."""

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
        """Return bundles, newest id first, starting after ``beyond``."""
        ...

    def set_aside(self, bundle: Bundle) -> bool:
        """Keep a bundle without the write lock, in any transaction; return False if it cannot be.

        It must survive a crash, later read transactions must return it, and the next unit of work
        must store it and count the memories in it as given.
        """
        ...
