"""How a store on a server is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId

if TYPE_CHECKING:
    from uuid import UUID

    from holdfast.adapters.sqlite.recall.indexes import OpenIndex


class PostgresOptions(NamedTuple):
    """Whose store is opened, and how long to wait for other users of it.

    ``takes_copy`` opens an unfinished copy too, which is refused otherwise.
    """

    tenant: UUID
    space: SpaceId = DEFAULT_SPACE
    wait_seconds: float = 10.0
    connections: int = 8
    takes_copy: bool = False
    adds_store: bool = True
    """Whether a space without a store gets one; otherwise it is refused."""
    tenant_name: str = ""
    replicas: tuple[str, ...] = ()
    outside: OpenIndex | None = None
    """Opens the index of a model outside the database; None or its result None: pgvector."""
