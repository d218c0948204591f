"""Keep the bundle of an answer: readers never wait for writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import StoreBusyError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.checking import READER_PATIENCE
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.anchor import Rewrite
    from holdfast.domain.recall.bundle import Bundle, BundleItem
    from holdfast.ports.store.store import Store, Transaction


def keep_bundle(bundle: Bundle, rewrites: Sequence[Rewrite] = (), *, store: Store) -> None:
    """Store a bundle without any code, and count its memories as given.

    While another process writes, the bundle is set aside. The rewrites are not: the next check
    finds them again.

    Raises:
        UnavailableError: It can neither be stored nor set aside.
    """
    kept = without_code(bundle)
    try:
        _put(kept, rewrites, store=store)
    except StoreBusyError as error:
        set_aside(kept, store=store, busy=error)


def set_aside(bundle: Bundle, *, store: Store, busy: StoreBusyError) -> None:
    """Set a bundle aside for the next unit of work, because another process writes.

    Raises:
        StoreBusyError: It cannot be; this is the given error.
    """
    with store.reading() as tx:
        if not tx.bundles.set_aside(bundle):
            raise busy


@repeatable
def _put(bundle: Bundle, rewrites: Sequence[Rewrite], *, store: Store) -> None:
    with store.writing(bundle.asked_at, patience=READER_PATIENCE) as tx:
        put_bundle(bundle, rewrites, tx=tx)


def put_bundle(bundle: Bundle, rewrites: Sequence[Rewrite], *, tx: Transaction) -> None:
    """Store a bundle in a unit of work, and count its memories as given."""
    tx.bundles.put(bundle)
    if rewrites:
        tx.anchors.past.put_rewrites(rewrites)
    tx.memories.usage.count_given([item.memory_id for item in bundle.items], bundle.asked_at)


def without_code(bundle: Bundle) -> Bundle:
    """Remove the lines of diffs, because the store must not contain code."""
    return replace(bundle, items=tuple(_item_without_code(item) for item in bundle.items))


def _item_without_code(item: BundleItem) -> BundleItem:
    if not any(one.sighting.change for one in item.checked):
        return item
    checked = [replace(one, sighting=replace(one.sighting, change=())) for one in item.checked]
    return replace(item, checked=tuple(checked))
