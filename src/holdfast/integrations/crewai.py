"""Storage for CrewAI's memory, in a store of Holdfast.

>>> crew = Crew(agents=[…], tasks=[…], memory=Memory(storage=HoldfastStorage(user="ada")))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
from crewai.memory.types import MemoryRecord, ScopeInfo

from holdfast.domain.documents.document import DropDocument, PutDocument
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread
from holdfast.integrations.vectors import cosine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import Place

COLLECTION = "crewai-memory"
SOURCE = "crewai"
_ROOT = "/"


class HoldfastStorage:
    """Records by scope, found by CrewAI's own embeddings; people see their contents."""

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
    ) -> None:
        self._shelf = DocumentShelf(COLLECTION, store=store, tenant=tenant, user=user)

    @property
    def space(self) -> str:
        """The space of the records, for ``holdfast --space``."""
        return self._shelf.space

    def save(self, records: list[MemoryRecord]) -> None:
        """Keep records; one with a known id replaces it.

        Raises:
            RefusedValueError: One of them contains a secret; nothing is kept.
            EmbeddingDimensionMismatchError: Another model embedded what is here.
        """
        known = {one.name.key: one for one in self._shelf.within()}
        self._refuse_other_model(records, list(known.values()))
        moved = [
            DropDocument(name=known[one.id].name, source=SOURCE)
            for one in records
            if one.id in known and known[one.id].name.namespace != _labels(one.scope)
        ]
        with refusing():
            self._shelf.keep([*moved, *(self._put(one) for one in records)])

    def update(self, record: MemoryRecord) -> None:
        """Replace a record."""
        self.save([record])

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Return the records nearest to an embedding, with their cosine similarity."""
        found = [
            (record, cosine(query_embedding, record.embedding))
            for record in self._records(scope_prefix)
            if record.embedding and _is_wanted(record, categories, metadata_filter)
        ]
        near = [one for one in found if one[1] >= min_score]
        return sorted(near, key=lambda one: -one[1])[:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Remove the records that match everything that is given; return how many."""
        gone = [
            document
            for document in self._shelf.within(*_labels(scope_prefix))
            for record in [_record(document)]
            if _is_wanted(record, categories, metadata_filter)
            and (record_ids is None or record.id in record_ids)
            and (older_than is None or record.created_at < older_than)
        ]
        self._shelf.keep([DropDocument(name=one.name, source=SOURCE) for one in gone])
        return len(gone)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """Return a record; None if there is none."""
        return next((one for one in self._records(None) if one.id == record_id), None)

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        """Return the records of a scope, the newest first."""
        found = self._records(scope_prefix)
        found.sort(key=lambda one: one.created_at, reverse=True)
        return found[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Return how many records a scope has, of which categories and since when."""
        found = self._records(scope)
        dates = [one.created_at for one in found]
        return ScopeInfo(
            path=_path(_labels(scope)),
            record_count=len(found),
            categories=sorted({name for one in found for name in one.categories}),
            oldest_record=min(dates, default=None),
            newest_record=max(dates, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = _ROOT) -> list[str]:
        """Return the scopes directly below one."""
        above = _labels(parent)
        depth = len(above) + 1
        known = [one for one in self._shelf.namespaces() if one[: len(above)] == above]
        return sorted({_path(one[:depth]) for one in known if len(one) >= depth})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Return how many records each category has."""
        counts: dict[str, int] = {}
        for one in self._records(scope_prefix):
            for name in one.categories:
                counts[name] = counts.get(name, 0) + 1
        return counts

    def count(self, scope_prefix: str | None = None) -> int:
        """Return how many records a scope has."""
        return len(self._shelf.within(*_labels(scope_prefix)))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Remove the records of a scope for good."""
        found = self._shelf.within(*_labels(scope_prefix))
        self._shelf.keep([DropDocument(name=o.name, source=SOURCE, forgets=True) for o in found])

    async def asave(self, records: list[MemoryRecord]) -> None:
        """Keep records."""
        await in_thread(self.save, records)

    async def asearch(self, query_embedding: list[float], **given: Any) -> list[Any]:  # noqa: ANN401 - as search
        """Return the records nearest to an embedding."""
        return await in_thread(self.search, query_embedding, **given)

    async def adelete(self, **given: Any) -> int:  # noqa: ANN401 - as delete
        """Remove records; return how many."""
        return await in_thread(self.delete, **given)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _records(self, scope: str | None) -> list[MemoryRecord]:
        return [_record(one) for one in self._shelf.within(*_labels(scope))]

    def _put(self, record: MemoryRecord) -> PutDocument:
        value = record.model_dump(mode="json")
        value["embedding"] = record.embedding
        told = {"categories": record.categories, "scope": record.scope, "source": record.source}
        return PutDocument(
            name=self._shelf.name(record.id, *_labels(record.scope)),
            value=value,
            source=SOURCE,
            text=record.content,
            metadata={name: one for name, one in told.items() if one},
        )

    def _refuse_other_model(
        self, records: Sequence[MemoryRecord], known: Sequence[FrameworkDocument]
    ) -> None:
        kept = {len(one) for one in (_record(each).embedding for each in known) if one}
        for record in records:
            size = len(record.embedding or ())
            if size and kept and size not in kept:
                raise EmbeddingDimensionMismatchError(max(kept), size)


def _labels(scope: str | None) -> tuple[str, ...]:
    return tuple(part for part in (scope or _ROOT).split("/") if part)


def _path(labels: tuple[str, ...]) -> str:
    return f"/{'/'.join(labels)}"


def _record(document: FrameworkDocument) -> MemoryRecord:
    return MemoryRecord(**cast("dict[str, Any]", document.value))


def _is_wanted(
    record: MemoryRecord, categories: list[str] | None, metadata: dict[str, Any] | None
) -> bool:
    if categories and not set(categories) & set(record.categories):
        return False
    return all(record.metadata.get(name) == one for name, one in (metadata or {}).items())
