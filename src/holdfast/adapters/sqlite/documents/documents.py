"""The records of frameworks, of one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    as_json,
    checked,
    maybe_millis,
    maybe_moment,
    millis,
    moment_of,
    sealed,
)
from holdfast.domain.documents.document import (
    DocumentName,
    FrameworkDocument,
    namespace_of,
    namespace_text,
    prefix_text,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.adapters.sqlite.database.work import Work

DOCUMENT = "document"
_PLACE = 3


class SqliteDocuments:
    """Documents by their names."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, document: FrameworkDocument) -> FrameworkDocument:
        """Write a document, and return it with its place."""
        self.work.moment()
        name = document.name
        known = self.work.row("document_place", name.collection, name.path, name.key)
        place = known[0] if known is not None else document.place or self._next_place()
        self.work.run(
            "put_document",
            *sealed(
                DOCUMENT,
                (
                    *(name.collection, name.path, name.key, place, document.version),
                    *(millis(document.created_at), millis(document.updated_at)),
                    *(maybe_millis(document.expires_at), document.memory_id, document.body),
                ),
            ),
        )
        return replace(document, place=place)

    def get(self, names: Collection[DocumentName]) -> Sequence[FrameworkDocument]:
        """Return the documents that have one of these names, by place."""
        return self._documents(self.work.rows("documents_named", (_names(names),)))

    def within(
        self, collection: str, namespace: tuple[str, ...], *, beyond: int, limit: int
    ) -> Sequence[FrameworkDocument]:
        """Return documents whose namespace begins with these labels, by place."""
        asked: dict[str, Value] = {
            "collection": collection,
            "namespace": namespace_text(namespace),
            "first": prefix_text(namespace),
            # No character of JSON text that can follow is larger.
            "last": f"{prefix_text(namespace)}\U0010ffff",
            "beyond": beyond,
            "limit": limit,
        }
        return self._documents(self.work.rows("documents_within", asked))

    def of_memories(self, memory_ids: Collection[MemoryId]) -> Sequence[FrameworkDocument]:
        """Return the documents whose text one of these memories carries, by place."""
        rows = self.work.rows("documents_of_memories", (as_json(sorted(memory_ids)),))
        return self._documents(rows)

    def expired(self, at: datetime, *, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents that have expired, the earliest first."""
        return self._documents(self.work.rows("documents_expired", (millis(at), limit)))

    def namespaces(self, collection: str) -> Sequence[tuple[str, ...]]:
        """Return each namespace of a collection that has documents, once, in order."""
        rows = self.work.rows("document_namespaces", (collection,))
        return tuple(namespace_of(row[0]) for row in rows)

    def page(self, *, beyond: int, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents of all collections by place."""
        return self._documents(self.work.rows("documents_after", (beyond, limit)))

    def drop(self, names: Collection[DocumentName]) -> int:
        """Remove documents; return how many there were."""
        self.work.moment()
        return len(self.work.rows("drop_documents", (_names(names),)))

    def _next_place(self) -> int:
        return int(self.work.rows("last_document_place")[0][0]) + 1

    def _documents(self, rows: Sequence[Row]) -> tuple[FrameworkDocument, ...]:
        return tuple(self.work.sound(rows, self._document))

    def _document(self, row: Row) -> FrameworkDocument:
        checked(DOCUMENT, row, path=self.work.path, name=f"at place {row[_PLACE]}")
        collection, path, key, place, version, created, updated, expires, memory_id, body = row[:10]
        return FrameworkDocument(
            name=DocumentName(collection=collection, namespace=namespace_of(path), key=key),
            body=body,
            place=place,
            version=version,
            created_at=moment_of(created),
            updated_at=moment_of(updated),
            expires_at=maybe_moment(expires),
            memory_id=None if memory_id is None else MemoryId(memory_id),
        )


def _names(names: Collection[DocumentName]) -> str:
    return as_json([[one.collection, one.path, one.key] for one in names])
