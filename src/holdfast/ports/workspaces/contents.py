"""Ports for the content that snapshots keep, by hash."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from holdfast.ports.store.upkeep import Progress


class Collected(NamedTuple):
    """What a garbage collection removed: pieces of content, and the bytes they took."""

    pieces: int
    freed: int


class ContentWriter(Protocol):
    """Adds content. Nothing of it counts before ``finish``."""

    def add(self, parts: Iterable[bytes]) -> str:
        """Add the content of a file; return the SHA-256 of it. Known content is not added again."""
        ...

    def has(self, name: str) -> bool:
        """Return whether content is stored and was not found damaged, or was added here."""
        ...

    def finish(self) -> int:
        """Make everything durable; return how many bytes were written.

        Raises:
            DiskFullError: There is no room; nothing of it is kept.
        """
        ...


class Contents(Protocol):
    """Content by the SHA-256 of the whole; large content is kept in pieces."""

    def using(self, *, waits: bool = True) -> AbstractContextManager[None]:
        """Hold off garbage collection for the block.

        Raises:
            StoreBusyError: Content is being collected; at once, unless ``waits``.
        """
        ...

    def adding(self) -> AbstractContextManager[ContentWriter]:
        """Begin to add content; what was not finished is dropped."""
        ...

    def has(self, name: str) -> bool:
        """Return whether content is stored."""
        ...

    def read(self, name: str) -> Iterator[bytes]:
        """Return content in parts; it must be what was stored, by its hash.

        Raises:
            ContentDamagedError: It is missing, or not what was stored. Parts that were returned
                before must not be used.
        """
        ...

    def check(self, names: Collection[str], progress: Progress) -> Sequence[str]:
        """Read the named content; return those names whose content is missing or damaged."""
        ...

    def collect(self, in_use: Callable[[], Collection[str]], *, dry_run: bool = False) -> Collected:
        """Remove all content that is not in use; wait until nobody adds or reads content.

        ``in_use`` must be called after that, so that it sees every snapshot that was taken.

        Raises:
            StoreBusyError: Somebody uses it; nothing is removed.
        """
        ...
