"""The service accepts what it adds, so it writes only to stores of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.service.ids import StoreId, is_of_service

if TYPE_CHECKING:
    from holdfast.ports.store.store import Store


def own_store(store: Store) -> StoreId:
    """Return the id of a store of the service.

    Raises:
        NoSuchStoreError: It is an ordinary space.
    """
    if not is_of_service(store.space):
        raise NoSuchStoreError(store.space)
    return StoreId(store.space)
