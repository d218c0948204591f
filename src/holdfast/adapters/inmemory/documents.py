"""The records of frameworks in a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.documents.document import DocumentName, FrameworkDocument, namespace_text
from holdfast.domain.ids import MemoryId


@dataclass(frozen=True, slots=True)
class InMemoryDocuments:
    """Documents by their names."""

    state: InMemoryState

    def put(self, document: FrameworkDocument) -> FrameworkDocument:
        """Write a document, and return it with its place."""
        self.state.moment()
        known = self.state.documents.get(document.name)
        if known is not None:
            place = known.place
        else:
            taken = [one.place for one in self.state.documents.values()]
            place = document.place or max([0, *taken]) + 1
        kept = replace(document, place=place)
        self.state.documents[document.name] = kept
        return kept

    def get(self, names: Collection[DocumentName]) -> Sequence[FrameworkDocument]:
        """Return the documents that have one of these names, by place."""
        return self._all(lambda one: one.name in names)

    def within(
        self, collection: str, namespace: tuple[str, ...], *, beyond: int, limit: int
    ) -> Sequence[FrameworkDocument]:
        """Return documents whose namespace begins with these labels, by place."""
        depth = len(namespace)
        return self._all(
            lambda one: (
                one.name.collection == collection
                and one.name.namespace[:depth] == namespace
                and one.place > beyond
            )
        )[:limit]

    def of_memories(self, memory_ids: Collection[MemoryId]) -> Sequence[FrameworkDocument]:
        """Return the documents whose text one of these memories carries, by place."""
        return self._all(lambda one: one.memory_id is not None and one.memory_id in memory_ids)

    def expired(self, at: datetime, *, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents that have expired, the earliest first."""
        found = [
            (one.expires_at, one.place, one)
            for one in self.state.documents.values()
            if one.expires_at is not None and one.expires_at <= at
        ]
        return tuple(one for _, _, one in sorted(found, key=lambda each: each[:2])[:limit])

    def namespaces(self, collection: str) -> Sequence[tuple[str, ...]]:
        """Return each namespace of a collection that has documents, once, in order."""
        names = [one for one in self.state.documents if one.collection == collection]
        return tuple(sorted({one.namespace for one in names}, key=namespace_text))

    def page(self, *, beyond: int, limit: int) -> Sequence[FrameworkDocument]:
        """Return documents of all collections by place."""
        return self._all(lambda one: one.place > beyond)[:limit]

    def drop(self, names: Collection[DocumentName]) -> int:
        """Remove documents; return how many there were."""
        self.state.moment()
        return sum(self.state.documents.pop(name, None) is not None for name in set(names))

    def _all(self, wanted: Callable[[FrameworkDocument], bool]) -> tuple[FrameworkDocument, ...]:
        found = [one for one in self.state.documents.values() if wanted(one)]
        return tuple(sorted(found, key=lambda one: one.place))
