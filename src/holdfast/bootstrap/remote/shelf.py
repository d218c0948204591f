"""A store in memory of what was read from a server: for hooks, and while the server is away."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.remote.requests import request_to
from holdfast.domain.errors import HoldfastError
from holdfast.domain.exchange.shapes import record_from_json, span_from_json
from holdfast.domain.memory.evidence import Span
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.exchange.taking_in import take_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.place import Place, SpaceId

    Json = dict[str, object]

_MOST, _MOST_SPANS = 200, 100
REFRESH_SECONDS = 60
# Whoever writes a memory chooses what these hold: a record inside them is nobody's memory.
_FREE = frozenset({"metadata", "facts", "config", "args", "output", "error", "foreign"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The memories and spans that were read from a server, and when the oldest was read."""

    records: Mapping[MemoryId, MemoryRecord]
    spans: Mapping[SpanId, Span]
    oldest: datetime | None = None

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
    for cached in server.cache.every(now=now):
        for value in _values(cached.body):
            if isinstance(value, Span):
                spans[value.id] = value
                continue
            name = value.memory.id
            if name not in found or found[name][0] < cached.at:
                found[name] = (cached.at, value)
    return Shelf(
        records={name: record for name, (_, record) in found.items()},
        spans=spans,
        oldest=min((at for at, _ in found.values()), default=None),
    )


def refresh(server: RemoteServer, place: Place, *, now: datetime) -> None:
    """Read the newest memories that may be recalled here, unless that was done a moment ago."""
    here: Json = {"repo": place.repo, "branch": place.branch}
    request = request_to("GET", "/v1/memories", query={**here, "recallable": True, "limit": _MOST})
    known = server.cache.get(request, now=now)
    if known is not None and (now - known.at).total_seconds() <= REFRESH_SECONDS:
        return
    found = [one for one in _values(server.read(request)) if isinstance(one, MemoryRecord)]
    cited = {item.span for one in found for item in one.evidence if item.span is not None}
    missing = sorted(cited - shelf_of(server, now=now).spans.keys())[:_MOST_SPANS]
    if missing:
        server.read(request_to("GET", "/v1/spans", query={**here, "ids": missing}))


def _values(value: object) -> Iterator[MemoryRecord | Span]:
    """Return the memories and spans of an answer; what is inside one of them is a part of it."""
    if isinstance(value, list):
        for one in value:
            yield from _values(one)
    elif isinstance(value, dict):
        if _is_record(value) or _is_span(value):
            with suppress(HoldfastError):
                yield record_from_json(value) if _is_record(value) else span_from_json(value)
            return
        for name, one in value.items():
            if name not in _FREE:
                yield from _values(one)


def _is_record(value: Json) -> bool:
    return "content_hash" in value and "claim" in value


def _is_span(value: Json) -> bool:
    return "text_hash" in value and "captured_at" in value
