"""A store in memory of what was read from a server: for hooks, and while the server is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.remote.requests import request_to
from holdfast.bootstrap.remote.cached_records import superseded, values
from holdfast.domain.choices import Status
from holdfast.domain.memory.evidence import Span
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.exchange.taking_in import take_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.place import Place, SpaceId

    Json = dict[str, object]

_MOST, _MOST_SPANS = 200, 100
REFRESH_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The memories and spans that were read from a server, and when each memory was read."""

    records: Mapping[MemoryId, MemoryRecord]
    spans: Mapping[SpanId, Span]
    read_at: Mapping[MemoryId, datetime]

    @property
    def oldest(self) -> datetime | None:
        """When the oldest memory was read; None if there is none."""
        return min(self.read_at.values(), default=None)

    def holds(self, answer: Json) -> bool:
        """Return whether nothing newer is known about the status of an answer's memories."""
        return not any(
            (known := self.records.get(one.memory.id)) is not None
            and known.standing.status is not one.standing.status
            for one in values(answer)
            if isinstance(one, MemoryRecord)
        )

    def store(self, space: SpaceId, *, now: datetime) -> InMemoryStore:
        """Return a store of the memories; it is that of the client's space."""
        store = InMemoryStore(space=space)
        records = [
            replace(one, memory=replace(one.memory, space=space)) for one in self.records.values()
        ]
        take_in(records, self.spans.values(), store=store, now=now)
        return store


def shelf_of(server: RemoteServer, *, now: datetime) -> Shelf:
    """Return the newest version of every memory in the cached answers of a server."""
    found: dict[MemoryId, tuple[datetime, MemoryRecord]] = {}
    spans: dict[SpanId, Span] = {}
    ended: dict[str, datetime] = {}
    for cached in server.cache.every(now=now):
        for gone in superseded(cached.body):
            ended[gone] = max(cached.at, ended.get(gone, cached.at))
        for value in values(cached.body):
            if isinstance(value, Span):
                spans[value.id] = value
                continue
            name = value.memory.id
            if name not in found or found[name][0] < cached.at:
                found[name] = (cached.at, value)
    for name, (at, record) in found.items():
        if name in ended and at <= ended[name]:
            standing = replace(record.standing, status=Status.SUPERSEDED)
            found[name] = (ended[name], replace(record, standing=standing))
    return Shelf(
        records={name: record for name, (_, record) in found.items()},
        spans=spans,
        read_at={name: at for name, (at, _) in found.items()},
    )


def refresh(server: RemoteServer, place: Place, *, now: datetime) -> None:
    """Read the newest memories that may be recalled here, unless that was done a moment ago."""
    here: Json = {"repo": place.repo, "branch": place.branch}
    request = request_to("GET", "/v1/memories", query={**here, "recallable": True, "limit": _MOST})
    known = server.cache.get(request, now=now)
    if known is not None and (now - known.at).total_seconds() <= REFRESH_SECONDS:
        return
    found = [one for one in values(server.read(request)) if isinstance(one, MemoryRecord)]
    cited = {item.span for one in found for item in one.evidence if item.span is not None}
    missing = sorted(cited - shelf_of(server, now=now).spans.keys())[:_MOST_SPANS]
    if missing:
        server.read(request_to("GET", "/v1/spans", query={**here, "ids": missing}))
