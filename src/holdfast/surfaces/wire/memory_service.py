"""The JSON of the memory service: the request and the answer of each of its five calls.

Requests have the names of the service's published interface, such as ``minSimilarity``; memories
have the names of its columns, such as ``memory_type``. ``ROUTES`` lists the routes of the calls
with functions that take the JSON of a request and return the JSON of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories

if TYPE_CHECKING:
    from typing import Any

    from holdfast.domain.service.memories import ServiceMemory

    Json = dict[str, object]
    Readers = Mapping[str, tuple[str, Callable[[Fields, str], object]]]

_NOUN = "request"
_MOST_DIGITS = 9
RELATED_LIMIT = 5


class MemoryServiceCalls(Protocol):
    """The five calls of the memory service."""

    def get_or_create_store(self, tenant: str, user: str, store_name: str) -> str:
        """Return the id of the store of an owner."""
        ...

    def add_memory(self, store: str, wish: AddMemory) -> str:
        """Add a memory to a store, and return its id."""
        ...

    def search_memories(self, store: str, wish: SearchMemories) -> Sequence[ServiceMemory]:
        """Return the memories of a store that are similar enough to a question."""
        ...

    def add_relationship(self, wish: Relate) -> None:
        """State how one memory is related to another."""
        ...

    def get_related_memories(self, memory: str, *, limit: int) -> Sequence[ServiceMemory]:
        """Return the memories that a memory is related to."""
        ...


def _whole(fields: Fields, name: str) -> int:
    """Return a whole number; some clients write 10 as 10.0 in JSON."""
    number = fields.number(name)
    return int(number) if float(number).is_integer() else fields.whole(name)


def _in_query(fields: Fields, name: str) -> int:
    """Return a whole number of a query string, where every value is text."""
    given = fields.raw(name)
    is_digits = isinstance(given, str) and given.isascii() and given.isdigit()
    return int(str(given)[:_MOST_DIGITS]) if is_digits else _whole(fields, name)


def _metadata(fields: Fields, name: str) -> Mapping[str, object]:
    given = fields.raw(name)
    if not isinstance(given, Mapping):
        raise BadFieldError(field="metadata", problem="must be an object.")
    return given


_STORE: Readers = {
    "tenantId": ("tenant", Fields.text),
    "userId": ("user", Fields.text),
    "storeName": ("store_name", Fields.text),
}
_MEMORY: Readers = {
    "content": ("content", Fields.text),
    "type": ("memory_type", Fields.text),
    "source": ("source", Fields.text),
    "importance": ("importance", Fields.number),
    "metadata": ("metadata", _metadata),
    "expiresAt": ("expires_at", Fields.moment),
}
_SEARCH: Readers = {
    "query": ("query", Fields.text),
    "limit": ("limit", _whole),
    "minSimilarity": ("min_similarity", Fields.number),
}
_RELATIONSHIP: Readers = {
    "sourceId": ("source", Fields.text),
    "targetId": ("target", Fields.text),
    "relationshipType": ("relationship_type", Fields.text),
    "strength": ("strength", Fields.number),
}
_RELATED: Readers = {"limit": ("limit", _in_query)}


def post_store(calls: MemoryServiceCalls, request: object) -> Json:
    """Answer ``POST /v1/stores``: return the id of the store, which is added if there is none.

    Raises:
        BadFieldError: A field is missing, unknown or invalid.
    """
    given = {"store_name": "default", **_read(request, _STORE, required=("tenantId", "userId"))}
    store = calls.get_or_create_store(**{name: str(value) for name, value in given.items()})
    return {"id": store}


def post_memory(calls: MemoryServiceCalls, store: str, request: object) -> Json:
    """Answer ``POST /v1/stores/{id}/memories``: add a memory, and return its id.

    Raises:
        NoSuchError: There is no such store.
        BadFieldError: A field is missing, unknown or invalid.
    """
    given = _read(request, _MEMORY, required=("content",))
    return {"id": calls.add_memory(store, AddMemory(**given))}


def post_search(calls: MemoryServiceCalls, store: str, request: object) -> Json:
    """Answer ``POST /v1/stores/{id}/search``: return the memories similar to a question.

    Raises:
        NoSuchError: There is no such store.
        BadFieldError: A field is missing, unknown or invalid.
    """
    given = _read(request, _SEARCH, required=("query",))
    found = calls.search_memories(store, SearchMemories(**given))
    return {"memories": [memory_json(one) for one in found]}


def post_relationship(calls: MemoryServiceCalls, request: object) -> Json:
    """Answer ``POST /v1/relationships``: state how one memory is related to another.

    Raises:
        NoSuchError: One of the memories does not exist.
        BadFieldError: A field is missing, unknown or invalid.
    """
    required = ("sourceId", "targetId", "relationshipType")
    wish = Relate(**_read(request, _RELATIONSHIP, required=required))
    calls.add_relationship(wish)
    return {
        "source_memory_id": wish.source,
        "target_memory_id": wish.target,
        "relationship_type": wish.relationship_type.strip(),
        "strength": wish.strength,
    }


def get_related(calls: MemoryServiceCalls, memory: str, request: object) -> Json:
    """Answer ``GET /v1/relationships/{id}``: return the memories that one is related to.

    Raises:
        NoSuchError: There is no such memory.
        BadFieldError: The limit is out of range.
    """
    fields = Fields({"limit": RELATED_LIMIT, **_read(request, _RELATED)}, noun=_NOUN)
    found = calls.get_related_memories(memory, limit=fields.whole("limit"))
    return {"memories": [memory_json(one) for one in found]}


def memory_json(found: ServiceMemory) -> Json:
    """Return a memory of the service: its columns, and what is particular to the call."""
    memory, usage = found.record.memory, found.record.usage
    shape: Json = {
        "id": found.id,
        "memory_id": memory.id,
        "content": memory.claim,
        "memory_type": found.memory_type,
        "source": found.source,
        "importance": memory.importance,
        "metadata": found.metadata,
        "access_count": usage.access_count,
        "last_accessed": time_text(usage.last_accessed),
        "expires_at": time_text(memory.expires_at),
        "created_at": time_text(memory.created_at),
    }
    if found.similarity is not None:
        shape["similarity"] = found.similarity
    if found.relationship_type is not None:
        shape |= {"relationship_type": found.relationship_type, "strength": found.strength}
    return shape


class ServiceRoute(NamedTuple):
    """One call over HTTP: ``schema`` names its request and its answer in the published schemas.

    ``answer`` takes the calls, the parameters of the path, and the JSON of the body or the query.
    """

    method: str
    path: str
    schema: str
    status: int
    answer: Callable[[MemoryServiceCalls, Mapping[str, str], object], Json]


ROUTES = (
    ServiceRoute(
        "POST", "/v1/stores", "service.store", 200,
        lambda calls, _path, request: post_store(calls, request),
    ),
    ServiceRoute(
        "POST", "/v1/stores/{id}/memories", "service.memory", 201,
        lambda calls, path, request: post_memory(calls, path["id"], request),
    ),
    ServiceRoute(
        "POST", "/v1/stores/{id}/search", "service.search", 200,
        lambda calls, path, request: post_search(calls, path["id"], request),
    ),
    ServiceRoute(
        "POST", "/v1/relationships", "service.relationship", 200,
        lambda calls, _path, request: post_relationship(calls, request),
    ),
    ServiceRoute(
        "GET", "/v1/relationships/{id}", "service.related", 200,
        lambda calls, path, request: get_related(calls, path["id"], request),
    ),
)  # fmt: skip
"""The routes of the five calls."""


def _read(request: object, readers: Readers, *, required: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of a request by the names of the call; null is the same as missing.

    Each field was parsed to the type that the call takes.
    """
    fields = Fields(request, noun=_NOUN)
    given = request if isinstance(request, Mapping) else {}
    if unknown := sorted(str(name) for name in given if name not in readers):
        takes = ", ".join(readers)
        problem = f"is unknown; the {_NOUN} takes {takes}."
        raise BadFieldError(field=f"{_NOUN}'s {unknown[0][:40]}", problem=problem)
    return {
        own: read(fields, name)
        for name, (own, read) in readers.items()
        if name in required or given.get(name) is not None
    }
