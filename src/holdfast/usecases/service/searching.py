"""Search a store of the service by meaning, and count what is returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection
from holdfast.domain.service.memories import ServiceMemory
from holdfast.domain.service.similarity import similarity_of
from holdfast.usecases.recall.recalled_memories import answering, catch_up
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.service.memories import SearchMemories
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store

_BESIDE = 64
"""How many memories a search embeds with a model that does not answer yet."""


def search_memories(
    wish: SearchMemories, *, store: Store, clock: Clock, embedders: Sequence[Embedder]
) -> Sequence[ServiceMemory]:
    """Return the accepted memories that are similar enough, most similar first.

    Memories without a vector get one first, so that what was just added is found. The first
    embedder is the chosen one. After a change of model, the older one answers until the chosen one
    has embedded most memories; each search embeds some of them.

    Raises:
        NoModelError: No embedding model is in use, so no similarity can be measured.
        NoMeaningError: The model does not work.
        UnstorableTextError: The question contains a NUL or half a character.
    """
    if not embedders:
        raise NoModelError
    query = screen(wish.query, what="query", secrets=SecretPolicy.ALLOW).text
    embedder = ready_embedder(store=store, clock=clock, embedders=embedders)
    question = embedder.ask(query)
    now = clock.now()
    within = _within(store, now)
    with store.reading() as tx:
        near = tx.finding.meaning.search(question, within, limit=wish.limit)
        scores = {
            hit.sequence: score
            for hit in near.hits
            if (score := similarity_of(hit.score, unrelated=embedder.unrelated))
            >= wish.min_similarity
        }
        found = tx.finding.around.read(list(scores))
    similarity = {record.memory.id: scores[record.sequence] for record in found}
    return _counted(similarity, store=store, at=now) if similarity else ()


def ready_embedder(*, store: Store, clock: Clock, embedders: Sequence[Embedder]) -> Embedder:
    """Return the embedder that answers, after every memory got a vector of its model.

    Raises:
        NoMeaningError: The model does not work.
    """
    with store.reading() as tx:
        embedder = answering(embedders, tx.finding.meaning.models())
    catch_up(store=store, clock=clock, embedder=embedder)
    if embedder is not embedders[0]:
        catch_up(store=store, clock=clock, embedder=embedders[0], most=_BESIDE)
    return embedder


@repeatable
def _counted(
    similarity: Mapping[MemoryId, float], *, store: Store, at: datetime
) -> Sequence[ServiceMemory]:
    """Count that the memories are returned, and return them with the new counts.

    One that was forgotten or rejected since the search is left out, and not counted.
    """
    within = _within(store, at)
    with store.writing(at) as tx:
        known = tx.memories.get_many(similarity)
        given = [name for name, record in known.items() if within.takes(record)]
        tx.memories.usage.count_given(given, at)
        counted = tx.memories.get_many(given)
    return tuple(
        ServiceMemory(record=record, similarity=similarity[name])
        for name, record in counted.items()
    )


def _within(store: Store, at: datetime) -> Selection:
    place = Place(space=store.space)
    return Selection(space=store.space, place=place, recallable_at=at)
