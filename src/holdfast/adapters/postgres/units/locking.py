"""The key of the lock that makes the units of work of one space follow each other."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

_LOCK_BYTES = 8


def lock_key(tenant: UUID, store: str) -> int:
    """Return the key of a store's advisory lock."""
    name = f"holdfast {tenant} {store}"
    return int.from_bytes(sha256(name.encode()).digest()[:_LOCK_BYTES], signed=True)
