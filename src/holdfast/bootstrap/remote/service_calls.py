"""The calls of the memory service, carried out by a Holdfast server over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.remote.requests import request_to
from holdfast.bootstrap.plugs.addresses import DEFAULT_TENANT
from holdfast.bootstrap.remote.asking import given, plain, quoted
from holdfast.bootstrap.remote.opening import open_server
from holdfast.domain.choices import EvidenceType, Origin, Scope
from holdfast.domain.errors import BadFieldError, InvalidError, NotFoundError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Memory, MemoryRecord, Usage
from holdfast.domain.remote_errors import RemoteAnswerError
from holdfast.domain.service.ids import (
    memory_id_of,
    read_memory,
    read_store_id,
    read_tenant,
    refuse_other_tenant,
)
from holdfast.domain.service.memories import ServiceMemory, kind_of, reason_of, source_of
from holdfast.domain.service.tokens import IN_A_FILE, read_token
from holdfast.usecases.screening import SecretPolicy, clean_metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TypeVar
    from uuid import UUID

    from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories

    Json = dict[str, object]
    Value = TypeVar("Value")

_NOT_ITS_OWN = "is not the one of the token."


class RemoteServiceCalls:
    """The memory service of a server; the token of the remote says which tenant it serves.

    Nothing waits in an outbox and nothing is answered from a cache: a call returns the id that the
    server gave, or fails.
    """

    def __init__(
        self, address: str, *, home: Path | None = None, tenant: str | None = None
    ) -> None:
        self._server = open_server(address, home=home)
        self._tenant = None if tenant is None else self._bound_to(read_tenant(tenant))

    def get_or_create_store(self, tenant: str, user: str, store_name: str) -> str:
        """Return the id of the store of an owner; the server adds the store if there is none.

        Raises:
            BadFieldError: A name is blank or too long, or the tenant is not the one that the
                service is bound to.
        """
        refuse_other_tenant(read_tenant(tenant), bound_to=self._tenant)
        body: Json = {
            "tenantId": tenant,
            "userId": user,
            "storeName": plain(store_name, "store name"),
        }
        return self._written("/v1/stores", body, lambda answer: answer.text("id"))

    def add_memory(self, store: str, wish: AddMemory, *, key: str | None = None) -> str:
        """Add a memory to a store, and return its id; with the same key again, add nothing.

        Raises:
            SecretRefusedError: A text contains a secret; it does not leave this machine.
        """
        body = given(
            content=plain(wish.content, "content"),
            type=plain(wish.memory_type, "type"),
            source=None if wish.source is None else plain(wish.source, "source"),
            importance=wish.importance,
            metadata=clean_metadata(wish.metadata, secrets=SecretPolicy.REFUSE),
            expiresAt=time_text(wish.expires_at),
        )
        path = f"/v1/stores/{read_store_id(store)}/memories"
        return self._written(path, body, lambda answer: answer.text("id"), key=key)

    def search_memories(self, store: str, wish: SearchMemories) -> Sequence[ServiceMemory]:
        """Return the memories of a store that are similar enough to a question."""
        body: Json = {
            "query": wish.query,
            "limit": wish.limit,
            "minSimilarity": wish.min_similarity,
        }
        path = f"/v1/stores/{read_store_id(store)}/search"
        found = self._server.ask(request_to("POST", path, body=body))
        return self._understood(found, _memories)

    def add_relationship(self, wish: Relate) -> None:
        """State how one memory is related to another of the same store."""
        body: Json = {
            "sourceId": read_memory(wish.source),
            "targetId": read_memory(wish.target),
            "relationshipType": plain(wish.relationship_type, "type of the relationship"),
            "strength": wish.strength,
        }
        self._written("/v1/relationships", body, lambda _answer: None)

    def get_related_memories(self, memory: str, *, limit: int) -> Sequence[ServiceMemory]:
        """Return the memories that a memory is related to, strongest first."""
        path = f"/v1/relationships/{quoted(read_memory(memory))}"
        found = self._server.ask(request_to("GET", path, query={"limit": limit}))
        return self._understood(found, _memories)

    def close(self) -> None:
        """Do nothing: no connection stays open."""

    def _bound_to(self, tenant: UUID) -> UUID:
        """Return the tenant that the service is bound to.

        Raises:
            BadFieldError: The token is one of another tenant.
        """
        token = read_token(self._server.access.token)
        if token is not None:
            named = DEFAULT_TENANT if token.tenant == IN_A_FILE else token.tenant
            if read_tenant(named) != tenant:
                raise BadFieldError(field="tenant", problem=_NOT_ITS_OWN)
        return tenant

    def _written(
        self, path: str, body: Json, read: Callable[[Fields], Value], *, key: str | None = None
    ) -> Value:
        request = request_to("POST", path, body=body)
        return self._understood(
            self._server.write(request, may_wait=False, key=key), read, is_done=True
        )

    def _understood(
        self, body: Json, read: Callable[[Fields], Value], *, is_done: bool = False
    ) -> Value:
        try:
            return read(Fields(body, noun="answer"))
        except (InvalidError, NotFoundError) as error:
            server = self._server.access.shown
            raise RemoteAnswerError(server=server, problem=str(error), is_done=is_done) from error


def _memories(answer: Fields) -> Sequence[ServiceMemory]:
    return tuple(_memory(Fields(one, noun="memory")) for one in answer.items("memories"))


def _memory(one: Fields) -> ServiceMemory:
    """Return a memory as the service of the server stored it."""
    source, metadata = one.maybe_text("source"), Fields(one.raw("metadata"), noun="metadata").shape
    kind, more = kind_of(one.text("memory_type"))
    memory = Memory(
        id=MemoryId(one.maybe_text("memory_id") or memory_id_of(one.text("id"))),
        claim=one.text("content"),
        kind=kind,
        scope=Scope.GLOBAL,
        created_at=one.moment("created_at"),
        evidence=(Evidence(type=EvidenceType.STATEMENT, reference=reason_of(source, metadata)),),
        origin=Origin.TOOL,
        trust=Origin.TOOL,
        source=source_of(source),
        importance=one.number("importance"),
        expires_at=one.maybe_moment("expires_at"),
        metadata={**metadata, **more},
    )
    usage = Usage(
        access_count=one.whole("access_count"), last_accessed=one.maybe_moment("last_accessed")
    )
    return ServiceMemory(
        record=MemoryRecord(sequence=0, memory=memory, usage=usage),
        similarity=None if one.raw("similarity") is None else float(one.number("similarity")),
        relationship_type=one.maybe_text("relationship_type"),
        strength=None if one.raw("strength") is None else float(one.number("strength")),
    )
