"""The port for the records of frameworks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.documents.document import DocumentName, FrameworkDocument
from holdfast.domain.ids import MemoryId


class DocumentRecords(Protocol):
    """The documents that one transaction sees. They are no events of the log."""

    def put(self, document: FrameworkDocument) -> FrameworkDocument:
        """Write a document, and return it with its place; the place 0 requests the next one.

        It must read back exactly. The same name again must replace the document and keep its
        place.
        """
        ...

    def get(self, names: Collection[DocumentName]) -> Sequence[FrameworkDocument]:
        """Return the documents that have one of these names, by place."""
        ...

    def within(
        self, collection: str, namespace: tuple[str, ...], *, beyond: int, limit: int
    ) -> Sequence[FrameworkDocument]:
        """Return documents whose namespace begins with these labels, by place after ``beyond``."""
        ...

    def of_memories(self, memory_ids: Collection[MemoryId]) -> Sequence[FrameworkDocument]:
        """Return the documents whose text one of these memories carries, by place."""
        ...

    def expired(self, at: datetime, *, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents that have expired, the earliest first."""
        ...

    def namespaces(self, collection: str) -> Sequence[tuple[str, ...]]:
        """Return each namespace of a collection that has documents, once, in order."""
        ...

    def page(self, *, beyond: int, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents of all collections by place, starting after ``beyond``."""
        ...

    def drop(self, names: Collection[DocumentName]) -> int:
        """Remove documents; return how many there were."""
        ...
