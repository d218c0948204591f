"""The memory service: stores of users, memories found by meaning, and how they are related."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from holdfast.domain.errors import BadFieldError
from holdfast.domain.service.idempotency import read_key
from holdfast.domain.service.memories import (
    AddMemory,
    Relate,
    SearchMemories,
    ServiceMemory,
)
from holdfast.domain.service.similarity import NEAR_ENOUGH
from holdfast.surfaces.python.advice import ClosedError, advising, with_advice_as
from holdfast.surfaces.python.expecting import (
    FACTS,
    NUMBER,
    TEXT,
    WHOLE,
    Expected,
    expect,
    expect_given,
    place_of,
)
from holdfast.surfaces.python.memories import HasId, shortened
from holdfast.surfaces.wire.memory_service import RELATED_LIMIT, memory_json

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from holdfast.bootstrap.remote.service_calls import RemoteServiceCalls
    from holdfast.bootstrap.service.calls import ServiceCalls
    from holdfast.bootstrap.service.places import ServicePlace

_STORE = Expected("an address or a path", lambda value: isinstance(value, str | os.PathLike))
_MOMENT = Expected("a datetime", lambda value: isinstance(value, datetime))
_NEEDS_STORE = "the documents of a framework need a folder or a Postgres server"


class StoredMemory(HasId):
    """A memory that the service returns.

    >>> user = service.get_or_create_store("acme", "ada")
    >>> _ = service.add_memory(user, "Ada prefers tea.", type="preference", importance=0)
    >>> [found] = service.search_memories(user, "Ada prefers tea.")
    >>> print(found.content, found.memory_type, found.importance, found.access_count)
    Ada prefers tea. preference 0.0 1
    >>> found.similarity > 0.99
    True
    """

    __slots__ = ("_found",)

    def __init__(self, found: ServiceMemory) -> None:
        self._found = found

    @property
    def id(self) -> str:
        """The UUID."""
        return self._found.id

    @property
    def content(self) -> str:
        """The text."""
        return self._found.record.memory.claim

    @property
    def memory_type(self) -> str:
        """The type, ``fact`` unless another one was given."""
        return self._found.memory_type

    @property
    def source(self) -> str | None:
        """The source that was given; None if none was."""
        return self._found.source

    @property
    def importance(self) -> float:
        """The importance, from 0 to 1."""
        return float(self._found.record.memory.importance)

    @property
    def metadata(self) -> Mapping[str, object]:
        """The metadata that were given."""
        return self._found.metadata

    @property
    def access_count(self) -> int:
        """How often searches and recalls returned it, the last one included."""
        return self._found.record.usage.access_count

    @property
    def last_accessed(self) -> datetime | None:
        """When a search returned it last; None before the first one."""
        return self._found.record.usage.last_accessed

    @property
    def expires_at(self) -> datetime | None:
        """When it expires; None if it does not."""
        return self._found.record.memory.expires_at

    @property
    def created_at(self) -> datetime:
        """When it was added."""
        return self._found.record.memory.created_at

    @property
    def memory_id(self) -> str:
        """The id that the same memory has everywhere else in Holdfast (``m_…``)."""
        return self._found.record.memory.id

    @property
    def similarity(self) -> float | None:
        """The similarity to the question of a search; None for a related memory."""
        return self._found.similarity

    @property
    def relationship_type(self) -> str | None:
        """How a related memory is related; None for one that a search found."""
        return self._found.relationship_type

    @property
    def strength(self) -> float | None:
        """How strongly a related memory is related; None for one that a search found."""
        return self._found.strength

    def __getitem__(self, name: str) -> object:
        """Return a field by the name that it has in JSON: ``found["content"]``."""
        return self.as_dict()[name]

    def as_dict(self) -> dict[str, object]:
        """Return the fields by the names that they have in JSON."""
        return memory_json(self._found)

    def __repr__(self) -> str:
        """Return the id and the beginning of the text."""
        return f"<holdfast.StoredMemory {self.id} {shortened(self.content)}>"


@with_advice_as("MemoryService")
class MemoryService:
    """Memories of the users of a service, found by meaning.

    ``store`` is the address of a database server, postgresql://…, that of a Holdfast server,
    https://…, or the folder of a store in files. A word that is the name of a remote means that
    remote, and ``local`` the usual folder; write ``./team`` for a folder. Without ``store``,
    HOLDFAST_STORE names a server or a remote, else it is the default remote, else the usual folder.

    ``tenant`` binds the service to one tenant: nothing of another one exists for it. Without it the
    service knows the tenants that it was asked for a store of; over HTTP it knows the tenant of the
    token. All methods can be called from several threads.

    >>> with holdfast.MemoryService() as service:
    ...     user = service.get_or_create_store("acme", "ada")
    ...     tea = service.add_memory(user, "Ada drinks green tea.", source="chat")
    ...     found = service.search_memories(user, "Ada drinks green tea.")
    >>> found[0].id == tea
    True
    """

    def __init__(
        self, store: str | os.PathLike[str] | None = None, *, tenant: str | UUID | None = None
    ) -> None:
        self._is_closed = False
        self._calls = service_calls(store, tenant)

    def get_or_create_store(
        self, tenant: str | UUID, user: str | UUID, store_name: str = "default"
    ) -> str:
        """Return the id of a user's store; add the store if there is none.

        A tenant and a user are named by a UUID, or by a name that stands for one.

        >>> service.get_or_create_store("acme", "ada") == service.get_or_create_store("acme", "ada")
        True
        """
        verb = "get_or_create_store"
        expect(verb, TEXT, store_name=store_name)
        names = _name(verb, tenant=tenant), _name(verb, user=user)
        return self._calls.get_or_create_store(*names, store_name)

    def add_memory(  # noqa: PLR0913, PLR0917 - the parameters of the service's interface
        self,
        store: str | UUID,
        content: str,
        type: str = "fact",  # noqa: A002 - the same
        source: str | None = None,
        importance: float = 0.5,
        metadata: Mapping[str, object] | None = None,
        expires_at: datetime | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> str:
        """Add a memory to a store, and return its id; the next search can find it.

        A text with a secret is refused, and nothing is written. With the same idempotency key
        within a day, the same call adds nothing and returns the same id: so a call whose outcome is
        not known can be repeated.

        >>> user = service.get_or_create_store("acme", "ada")
        >>> tea = service.add_memory(user, "Ada drinks tea.", idempotency_key="chat-7")
        >>> tea == service.add_memory(user, "Ada drinks tea.", idempotency_key="chat-7")
        True
        """
        name = _name("add_memory", store=store)
        expect("add_memory", TEXT, content=content, type=type)
        expect_given("add_memory", TEXT, source=source)
        expect("add_memory", NUMBER, importance=importance)
        expect_given("add_memory", FACTS, metadata=metadata)
        expect_given("add_memory", TEXT, idempotency_key=idempotency_key)
        wish = AddMemory(
            content=content,
            memory_type=type,
            source=source,
            importance=_number(importance),
            metadata=metadata or {},
            expires_at=_moment(expires_at),
        )
        key = None if idempotency_key is None else read_key(idempotency_key)
        return self._calls.add_memory(name, wish, key=key)

    def search_memories(
        self, store: str | UUID, query: str, limit: int = 5, min_similarity: float = NEAR_ENOUGH
    ) -> list[StoredMemory]:
        """Return the memories of a store that are similar to a question, most similar first.

        Each one that is returned is counted: see ``access_count``. Expired memories are not found.
        The similarity has one scale for every model: 0 for unrelated texts, 1 for equal ones.

        >>> user = service.get_or_create_store("acme", "ada")
        >>> _ = service.add_memory(user, "Ada drinks green tea.")
        >>> [one.content for one in service.search_memories(user, "What does Ada drink?")]
        ['Ada drinks green tea.']
        """
        name = _name("search_memories", store=store)
        expect("search_memories", TEXT, query=query)
        expect("search_memories", WHOLE, limit=limit)
        expect("search_memories", NUMBER, min_similarity=min_similarity)
        least = _number(min_similarity)
        wish = SearchMemories(query=query, limit=limit, min_similarity=least)
        return [StoredMemory(found) for found in self._calls.search_memories(name, wish)]

    def add_relationship(
        self,
        source: str | UUID | HasId,
        target: str | UUID | HasId,
        relationship_type: str,
        strength: float = 0.5,
    ) -> None:
        """State how a memory is related to another of the same store; again replaces the strength.

        >>> user = service.get_or_create_store("acme", "ada")
        >>> tea = service.add_memory(user, "Ada drinks tea.")
        >>> cup = service.add_memory(user, "Ada has a blue cup.")
        >>> service.add_relationship(tea, cup, "needs", 0.9)
        """
        verb = "add_relationship"
        expect(verb, TEXT, relationship_type=relationship_type)
        expect(verb, NUMBER, strength=strength)
        wish = Relate(
            source=_name(verb, source=source),
            target=_name(verb, target=target),
            relationship_type=relationship_type,
            strength=_number(strength),
        )
        self._calls.add_relationship(wish)

    def get_related_memories(
        self, memory: str | UUID | HasId, limit: int = RELATED_LIMIT
    ) -> list[StoredMemory]:
        """Return the memories that a memory was said to be related to, strongest first.

        >>> user = service.get_or_create_store("acme", "ada")
        >>> tea = service.add_memory(user, "Ada drinks tea.")
        >>> cup = service.add_memory(user, "Ada has a blue cup.")
        >>> service.add_relationship(tea, cup, "needs", 0.9)
        >>> [(one.relationship_type, one.strength) for one in service.get_related_memories(tea)]
        [('needs', 0.9)]
        """
        name = _name("get_related_memories", memory=memory)
        expect("get_related_memories", WHOLE, limit=limit)
        related = self._calls.get_related_memories(name, limit=limit)
        return [StoredMemory(found) for found in related]

    @property
    def is_closed(self) -> bool:
        """Whether the service was closed.

        >>> service.is_closed
        False
        """
        return self._is_closed

    def close(self) -> None:
        """Close the stores; closing them twice changes nothing.

        >>> service.close()
        >>> service.is_closed
        True
        """
        self._is_closed = True
        self._calls.close()

    def __enter__(self) -> Self:
        """Return the service itself; leaving the block closes it."""
        if self.is_closed:
            raise ClosedError
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the stores."""
        self.close()


@advising
def service_calls(
    store: str | os.PathLike[str] | None, given: str | UUID | None = None
) -> ServiceCalls | RemoteServiceCalls:
    """Return the calls of a service: on a folder, on a database server, or over HTTP."""
    from holdfast.bootstrap.remote.service_calls import RemoteServiceCalls

    place, tenant = _place_of(store, given)
    if place.is_remote:
        return RemoteServiceCalls(place.text, tenant=tenant)
    return place.calls(tenant)


@advising
def opened_calls(
    store: str | os.PathLike[str] | None, given: str | UUID | None = None
) -> ServiceCalls:
    """Return the calls of a service that opens its stores itself.

    Raises:
        NotOnRemoteError: The stores are behind a Holdfast server.
    """
    from holdfast.bootstrap.plugs.addresses import remote_name
    from holdfast.domain.remote_errors import NotOnRemoteError

    place, tenant = _place_of(store, given)
    if place.is_remote:
        raise NotOnRemoteError(server=remote_name(place.text), what=_NEEDS_STORE)
    return place.calls(tenant)


def _place_of(
    store: str | os.PathLike[str] | None, given: str | UUID | None
) -> tuple[ServicePlace, str | None]:
    """Return the address or the folder of the stores, and the tenant."""
    from holdfast.bootstrap.service.places import ServicePlace

    expect_given("MemoryService", _STORE, store=store)
    if store and "://" not in str(store):
        place_of("MemoryService", store=store)
    tenant = None if given is None else _name("MemoryService", tenant=given)
    return ServicePlace.named(store), tenant


def _name(verb: str, **given: object) -> str:
    """Return the text of one argument that may be a UUID, or something that has an id."""
    ((name, value),) = given.items()
    text = value.id if isinstance(value, HasId) else value
    text = str(text) if isinstance(text, UUID) else text
    expect(verb, TEXT, **{name: text})
    return str(text)


def _number(given: float) -> float:
    """Return a number as a float; one that is too large for it is infinite."""
    try:
        return float(given)
    except OverflowError:
        return math.inf


def _moment(given: datetime | None) -> datetime | None:
    if given is None:
        return None
    expect("add_memory", _MOMENT, expires_at=given)
    if given.tzinfo is None:
        raise BadFieldError(field="expiry", problem="has no time zone.")
    try:
        moment = given.astimezone(UTC)
    except OverflowError:
        raise BadFieldError(field="expiry", problem="is outside the calendar.") from None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
