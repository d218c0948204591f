"""The port for an exact copy of a store: its rows as they are stored, hashes and all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.values import dataclass
from holdfast.ports.store.finding import VectorSource, VectorStore

StoredRow = tuple[object, ...]


class StoredRows(Protocol):
    """All rows of a store from one moment. Every backend has the same tables and columns here."""

    @property
    def mark(self) -> str:
        """A text that is the same as long as the store has the same events."""
        ...

    def tables(self) -> Sequence[str]:
        """Return the tables in the order in which a copy can be written."""
        ...

    def rows(self, table: str) -> Iterator[StoredRow]:
        """Return the rows of a table; the same row must be the same tuple in every backend.

        Raises:
            StoreDamagedError: A row is not what was written; it must not be copied.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVectors:
    """The vectors of one model from one moment, and an index of them."""

    model: str
    source: VectorSource
    index: VectorStore


class Copying(Protocol):
    """Reads a store for a copy, writes the copy into an empty store, and encrypts whole stores."""

    def stored(self) -> AbstractContextManager[StoredRows]:
        """Return the rows of one moment; writers must not have to wait meanwhile."""
        ...

    def vectors(
        self, opener: Callable[[str], VectorStore | None]
    ) -> AbstractContextManager[Sequence[StoredVectors]]:
        """Return the vectors of every model, with the index that ``opener`` opens for it.

        If it opens none, the index is that of the backend itself.
        """
        ...

    def begin(self, mark: str) -> None:
        """Begin a copy, or go on with an unfinished one of the same mark.

        An unfinished copy with another mark must be emptied. Until the copy is finished, the store
        must be refused to everybody else.

        Raises:
            StoreNotEmptyError: The store has contents of its own.
        """
        ...

    def put(self, table: str, rows: Sequence[StoredRow]) -> None:
        """Write rows exactly as they are, in one durable step."""
        ...

    def finish(self) -> None:
        """Derive what is not copied, and open the store for everybody."""
        ...

    @property
    def encrypted_with(self) -> KeyId | None:
        """The key with which the whole store is encrypted; None if it is in clear."""
        ...

    def encrypt(self, key_id: KeyId | None) -> None:
        """Replace the store by an exact copy: encrypted with a known key, or in clear.

        The copy must be compared with the store before it takes its place, and a stop at any
        moment must leave one of the two.

        Raises:
            NotOfferedError: The store is on a server, which encrypts its own disks.
            NoStoreCipherError: The installed library cannot encrypt.
            StoreLockedError: A key is not here.
        """
        ...
