"""A store in memory of what was read from a server: for hooks, and while the server is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.remote.requests import request_to
from holdfast.domain.errors import HoldfastError
from holdfast.domain.exchange.shapes import record_from_json
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place, SpaceId

_HASH, _CLAIM = "content_hash", "claim"
_MOST = 200
REFRESH_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The memories that were read from a server, and when the oldest of them was read."""

    records: Mapping[MemoryId, MemoryRecord]
    oldest: datetime | None = None

    def store(self, space: SpaceId, *, now: datetime) -> InMemoryStore:
        """Return a store of the memories; it is that of the client's space."""
        store = InMemoryStore(space=space)
        with store.writing(now) as tx:
            for record in sorted(self.records.values(), key=lambda one: one.sequence):
                tx.memories.add(replace(record.memory, space=space), record.standing)
        return store


def shelf_of(server: RemoteServer, *, now: datetime) -> Shelf:
    """Return the newest version of every memory in the cached answers of a server."""
    found: dict[MemoryId, tuple[datetime, MemoryRecord]] = {}
    for cached in server.cache.every(now=now):
        for shape in _records(cached.body):
            try:
                record = record_from_json(shape)
            except HoldfastError:
                continue
            name = record.memory.id
            if name not in found or found[name][0] < cached.at:
                found[name] = (cached.at, record)
    return Shelf(
        records={name: record for name, (_, record) in found.items()},
        oldest=min((at for at, _ in found.values()), default=None),
    )


def refresh(server: RemoteServer, place: Place, *, now: datetime) -> None:
    """Read the newest memories that may be recalled here, unless that was done a moment ago."""
    request = request_to(
        "GET",
        "/v1/memories",
        query={"repo": place.repo, "branch": place.branch, "recallable": True, "limit": _MOST},
    )
    known = server.cache.get(request, now=now)
    if known is None or (now - known.at).total_seconds() > REFRESH_SECONDS:
        server.read(request)


def _records(value: object) -> Iterator[object]:
    """Return everything inside a JSON value that looks like a memory."""
    if isinstance(value, dict):
        if _HASH in value and _CLAIM in value:
            yield value
        for one in value.values():
            yield from _records(one)
    elif isinstance(value, list):
        for one in value:
            yield from _records(one)
