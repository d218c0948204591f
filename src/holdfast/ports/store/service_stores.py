"""The port for the stores that the memory service keeps for its users."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol
from uuid import UUID

from holdfast.domain.service.ids import StoreId, StoreOwner
from holdfast.ports.store.store import Store


class ServiceStores(Protocol):
    """Adds, finds and opens the stores of the service.

    A store of a tenant that is not named must not be found, and nothing must tell that it exists.
    """

    @property
    def most_open(self) -> int:
        """How many stores that nobody uses may stay open."""
        ...

    def add(self, owner: StoreOwner, *, tenant_name: str = "") -> None:
        """Add the store of an owner; if there is one, only note that it was used now.

        ``tenant_name`` is for people who list the tenants; a tenant without a name gets it.
        """
        ...

    def owner_of(self, store_id: StoreId, *, tenants: Collection[UUID]) -> StoreOwner | None:
        """Return the owner of a store, if it is one of these tenants."""
        ...

    def beginning(self, digits: str, *, tenants: Collection[UUID]) -> Sequence[StoreOwner]:
        """Return the owners of the tenants' stores whose id begins with these eight digits."""
        ...

    def is_made(self, owner: StoreOwner) -> bool:
        """Return whether opening the store of an owner makes nothing, such as a database."""
        ...

    def open(self, owner: StoreOwner) -> Store:
        """Open the store of an owner, which must have been added; make it if it is not made yet."""
        ...

    def close(self) -> None:
        """Close what all stores share; a second call does nothing."""
        ...
