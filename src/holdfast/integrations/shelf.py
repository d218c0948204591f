"""The documents of one framework in one store of the memory service."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.documents.document import DocumentName, SearchDocuments
from holdfast.surfaces.python.advice import ClosedError, advising
from holdfast.surfaces.python.service import opened_calls

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from types import TracebackType
    from typing import Self

    from holdfast.bootstrap.service.calls import ServiceCalls
    from holdfast.domain.documents.document import (
        DropDocument,
        FoundDocument,
        FrameworkDocument,
        PutDocument,
    )
    from holdfast.domain.errors import HoldfastError

Place = str | os.PathLike[str] | None
"""Where the stores are: a folder, the address of a server, or the usual place."""
DEFAULT = "default"


def told(error: HoldfastError) -> str:
    """Return an error in words: what happened, and what to do."""
    return f"{error.message} {error.advice or error.hint}".strip()


class DocumentShelf:
    """Documents of a collection, in the store of one user.

    ``store`` is the address of a database server, postgresql://…, or the folder of a store in
    files; without it HOLDFAST_STORE names a server, else it is the usual folder. All methods can
    be called from several threads.
    """

    def __init__(
        self,
        collection: str,
        *,
        store: Place | DocumentShelf = None,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
        name: str = DEFAULT,
    ) -> None:
        self.collection = collection
        self._owns = not isinstance(store, DocumentShelf)
        self._calls: ServiceCalls | None
        if isinstance(store, DocumentShelf):
            self._calls = store.calls
        else:
            self._calls = opened_calls(store, tenant)
        self.space = self._space(tenant, user, name)

    @advising
    def _space(self, tenant: str, user: str, name: str) -> str:
        return self.calls.get_or_create_store(tenant, user, name)

    @property
    def calls(self) -> ServiceCalls:
        """The open service.

        Raises:
            ClosedError: It was closed.
        """
        if self._calls is None:
            raise ClosedError
        return self._calls

    def name(self, key: str, *namespace: str, collection: str = "") -> DocumentName:
        """Return the name of a document on this shelf."""
        return DocumentName(collection=collection or self.collection, namespace=namespace, key=key)

    @advising
    def keep(
        self, changes: Sequence[PutDocument | DropDocument]
    ) -> Sequence[FrameworkDocument | None]:
        """Make all changes, or none."""
        if not changes:
            return ()
        with self.calls.opened(self.space) as holdfast:
            return holdfast.documents.keep(changes, quota=self.calls.quota)

    @advising
    def named(self, names: Collection[DocumentName]) -> Sequence[FrameworkDocument]:
        """Return the documents that have one of these names, in the order they came."""
        with self.calls.opened(self.space) as holdfast:
            return holdfast.documents.named(names)

    def get(self, key: str, *namespace: str) -> FrameworkDocument | None:
        """Return a document, or None."""
        return next(iter(self.named([self.name(key, *namespace)])), None)

    @advising
    def within(self, *namespace: str, collection: str = "") -> Sequence[FrameworkDocument]:
        """Return the documents whose namespace begins with these labels."""
        with self.calls.opened(self.space) as holdfast:
            return holdfast.documents.within(collection or self.collection, namespace)

    @advising
    def namespaces(self) -> Sequence[tuple[str, ...]]:
        """Return the namespaces of the collection."""
        with self.calls.opened(self.space) as holdfast:
            return holdfast.documents.namespaces(self.collection)

    @advising
    def search(
        self, query: str, *, namespace: tuple[str, ...] = (), limit: int = 100
    ) -> Sequence[FoundDocument]:
        """Return the documents that answer a question best."""
        wish = SearchDocuments(
            query=query, collection=self.collection, namespace=namespace, limit=limit
        )
        with self.calls.opened(self.space) as holdfast:
            return holdfast.documents.search(wish)

    def close(self) -> None:
        """Close the stores, unless another shelf opened them; a second call does nothing."""
        if self._calls is not None and self._owns:
            self._calls.close()
        self._calls = None

    def __enter__(self) -> Self:
        """Return the shelf itself; leaving the block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the stores."""
        self.close()
