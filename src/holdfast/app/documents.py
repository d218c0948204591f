"""The records that frameworks keep in a store of the memory service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.documents.document import (
        DocumentName,
        DropDocument,
        FoundDocument,
        FrameworkDocument,
        PutDocument,
        SearchDocuments,
    )
    from holdfast.usecases.service.quota import Quota


class DocumentsPart(Part):
    """Documents by their names, and by what they say."""

    @performs(Operation.SERVE)
    def keep(
        self, changes: Sequence[PutDocument | DropDocument], *, quota: Quota | None = None
    ) -> Sequence[FrameworkDocument | None]:
        """Make all changes, or none, within the quota of the tenant."""
        from holdfast.usecases.documents.keeping import keep_documents
        from holdfast.usecases.service.quota import NO_QUOTA

        holdfast = self._holdfast
        return keep_documents(
            changes, store=holdfast.store, clock=holdfast.clock, quota=quota or NO_QUOTA
        )

    @performs(Operation.READ)
    def named(self, names: Collection[DocumentName]) -> Sequence[FrameworkDocument]:
        """Return the documents that have one of these names."""
        from holdfast.usecases.documents.finding import documents_named

        return documents_named(names, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.READ)
    def within(
        self, collection: str, namespace: tuple[str, ...] = ()
    ) -> Sequence[FrameworkDocument]:
        """Return the documents whose namespace begins with these labels."""
        from holdfast.usecases.documents.finding import documents_within

        holdfast = self._holdfast
        return documents_within(collection, namespace, store=holdfast.store, clock=holdfast.clock)

    @performs(Operation.READ)
    def namespaces(self, collection: str) -> Sequence[tuple[str, ...]]:
        """Return the namespaces of a collection."""
        from holdfast.usecases.documents.finding import document_namespaces

        return document_namespaces(collection, store=self._holdfast.store)

    @performs(Operation.READ)
    def search(self, wish: SearchDocuments) -> Sequence[FoundDocument]:
        """Return the documents that answer a question best."""
        from holdfast.usecases.documents.finding import search_documents

        holdfast = self._holdfast
        chosen = () if holdfast.embedder is None else (holdfast.embedder,)
        return search_documents(
            wish,
            store=holdfast.store,
            clock=holdfast.clock,
            embedders=(*chosen, *holdfast.older_embedders),
        )
