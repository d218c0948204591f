"""The owners of stores that the memory service may use, and those it used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from holdfast.domain.service.ids import StoreId, StoreOwner
    from holdfast.ports.store.service_stores import ServiceStores

_MOST_OWNERS = 10_000
_MOST_TENANTS = 64
_TRIED = 8


class KnownOwners:
    """Finds the owner of a store among the tenants that the service was asked for.

    The tenant is part of every question to the stores: an id alone never leads to the store of a
    tenant that nobody named.
    """

    def __init__(self, stores: ServiceStores, *, bound_to: UUID | None) -> None:
        self._stores = stores
        self._lock = threading.Lock()
        self._owners: OrderedDict[StoreId, StoreOwner] = OrderedDict()
        self._tenants: OrderedDict[UUID, None] = OrderedDict()
        if bound_to is not None:
            self._tenants[bound_to] = None

    def note(self, owner: StoreOwner) -> None:
        """Note the owner of a store that is used now; forget those used long ago."""
        with self._lock:
            self._owners[owner.store_id] = owner
            self._owners.move_to_end(owner.store_id)
            self._tenants[owner.tenant] = None
            self._tenants.move_to_end(owner.tenant)
            while len(self._owners) > _MOST_OWNERS:
                self._owners.popitem(last=False)
            while len(self._tenants) > _MOST_TENANTS:
                self._tenants.popitem(last=False)

    def forget(self, store_id: StoreId) -> None:
        """Look for the owner of a store anew next time: the store was removed."""
        with self._lock:
            self._owners.pop(store_id, None)

    def owner_of(self, store_id: StoreId) -> StoreOwner | None:
        """Return the owner of a store; None if no known tenant has it."""
        with self._lock:
            owner, tenants = self._owners.get(store_id), tuple(self._tenants)
        owner = owner or self._stores.owner_of(store_id, tenants=tenants)
        if owner is not None:
            self.note(owner)
        return owner

    def beginning(self, digits: str) -> Iterator[StoreOwner]:
        """Yield the owners whose store id begins with these digits, those used before first."""
        with self._lock:
            known = [one for name, one in self._owners.items() if name.startswith(digits)]
            tenants = tuple(self._tenants)
        yield from known
        yield from self._stores.beginning(digits, tenants=tenants)

    def latest(self) -> Sequence[StoreOwner]:
        """Return the owners of the stores that were used last, the latest first."""
        with self._lock:
            return list(reversed(self._owners.values()))[:_TRIED]
