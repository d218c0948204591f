"""Rate an answer: the rating counts for the bundle, its turns and its memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.review_errors import RatedByPersonError
from holdfast.domain.values import replace
from holdfast.usecases.naming import bundle_id
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from holdfast.domain.ids import BundleId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction


@repeatable
def feedback(reference: str, *, good: bool, origin: Origin, store: Store, clock: Clock) -> BundleId:
    """Record whether an answer helped, for the bundle, its turns and its memories.

    Raises:
        RatedByPersonError: A person has already rated it, and the new rating is not a person's.
    """
    with store.writing(clock.now()) as tx:
        bundle = tx.bundles.get(bundle_id(tx, reference))
        if origin is not Origin.HUMAN and bundle.is_rated_by_person:
            raise RatedByPersonError(bundle.id)
        tx.bundles.put(replace(bundle, good=good, rated_by=origin))
        for turn in tx.sessions.turns_with(bundle.id):
            tx.sessions.set_turn(replace(turn, satisfied=good))
        _count_rating(bundle, good=good, origin=origin, tx=tx)
    return bundle.id


def _count_rating(bundle: Bundle, *, good: bool, origin: Origin, tx: Transaction) -> None:
    """Count a rating for the memories of an answer.

    What a person wrote or accepted is rated by people only: ratings make a memory due for pruning.
    """
    known = tx.memories.get_many(item.memory_id for item in bundle.items)
    persons = [name for name, record in known.items() if _is_of_person(record)]
    tx.memories.usage.rate([*known.keys() - persons], before=bundle.good, now=good)
    if origin is Origin.HUMAN:
        before = bundle.good if bundle.is_rated_by_person else None
        tx.memories.usage.rate(persons, before=before, now=good)


def _is_of_person(record: MemoryRecord) -> bool:
    """Tell whether a person wrote a memory or decided about it."""
    return record.memory.origin is Origin.HUMAN or record.standing.decided_by is not None
