"""Find documents by their names, and by what they say."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.documents.document import FoundDocument
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.question import terms_of
from holdfast.usecases.documents.keeping import is_turned_down
from holdfast.usecases.screening import SecretPolicy, screen
from holdfast.usecases.service.own_store import own_store
from holdfast.usecases.service.searching import ready_embedder

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.domain.documents.document import DocumentName, FrameworkDocument, SearchDocuments
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store, Transaction

_PAGE = 500
_MOST_HITS = 10_000


def documents_named(
    names: Collection[DocumentName], *, store: Store, clock: Clock
) -> Sequence[FrameworkDocument]:
    """Return the documents that have one of these names, by place."""
    own_store(store)
    with store.reading() as tx:
        return _seen(tx.names.documents.get(names), tx=tx, clock=clock)


def documents_within(
    collection: str, namespace: tuple[str, ...], *, store: Store, clock: Clock
) -> Sequence[FrameworkDocument]:
    """Return all documents whose namespace begins with these labels, by place."""
    own_store(store)
    found: list[FrameworkDocument] = []
    beyond = 0
    with store.reading() as tx:
        documents = tx.names.documents
        while page := documents.within(collection, namespace, beyond=beyond, limit=_PAGE):
            found += _seen(page, tx=tx, clock=clock)
            beyond = page[-1].place
    return found


def document_namespaces(collection: str, *, store: Store) -> Sequence[tuple[str, ...]]:
    """Return the namespaces of a collection that have documents, each once."""
    own_store(store)
    with store.reading() as tx:
        return tx.names.documents.namespaces(collection)


def search_documents(
    wish: SearchDocuments, *, store: Store, clock: Clock, embedders: Sequence[Embedder]
) -> Sequence[FoundDocument]:
    """Return the documents whose texts are nearest to a question, best first.

    By meaning if a model works; else by words, where the best match has the score 1.
    """
    own_store(store)
    query = screen(wish.query, what="query", secrets=SecretPolicy.ALLOW).text
    scores = _scores(query, store=store, clock=clock, embedders=embedders)
    with store.reading() as tx:
        records = tx.finding.around.read(list(scores))
        by_memory = {record.memory.id: scores[record.sequence] for record in records}
        depth = len(wish.namespace)
        documents = [
            one
            for one in _seen(tx.names.documents.of_memories(by_memory), tx=tx, clock=clock)
            if one.name.collection == wish.collection
            and one.name.namespace[:depth] == wish.namespace
        ]
    found = [
        FoundDocument(document=one, score=min(1.0, by_memory[one.memory_id]))
        for one in documents
        if one.memory_id is not None
    ]
    return sorted(found, key=lambda one: -one.score)[: wish.limit]


def _scores(
    query: str, *, store: Store, clock: Clock, embedders: Sequence[Embedder]
) -> Mapping[int, float]:
    within = Selection(
        space=store.space, place=Place(space=store.space), statuses=frozenset({Status.ACCEPTED})
    )
    if embedders:
        with suppress(NoMeaningError):
            embedder = ready_embedder(store=store, clock=clock, embedders=embedders)
            question = embedder.ask(query)
            with store.reading() as tx:
                near = tx.finding.meaning.search(question, within, limit=_MOST_HITS)
            return {hit.sequence: hit.score for hit in near.hits}
    with store.reading() as tx:
        hits = tx.finding.words.search(terms_of(query), within, limit=_MOST_HITS)
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    return {hit.sequence: hit.score / best for hit in hits}


def _seen(
    documents: Sequence[FrameworkDocument], *, tx: Transaction, clock: Clock
) -> Sequence[FrameworkDocument]:
    """Leave out what has expired, and what a person turned down."""
    now = clock.now()
    live = [one for one in documents if one.is_live_at(now)]
    records = tx.memories.get_many(
        dict.fromkeys(one.memory_id for one in live if one.memory_id is not None)
    )
    gone = {name for name, record in records.items() if is_turned_down(record)}
    return [one for one in live if one.memory_id not in gone]
