"""The calls of the memory service: each finds its store, opens it, and performs one verb there."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.settings import data_folder
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.embedders import embedder, older_embedders
from holdfast.bootstrap.opening.wiring import settings, token_counter
from holdfast.bootstrap.plugs.addresses import server_address
from holdfast.bootstrap.plugs.folder_ports import look_around
from holdfast.bootstrap.plugs.scanning import chosen_index, outside_store
from holdfast.bootstrap.service.known_owners import KnownOwners
from holdfast.bootstrap.service.open_stores import OpenStores
from holdfast.bootstrap.service.own_attempt import own_attempt
from holdfast.bootstrap.service.removed import refuse_removed
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.ids import (
    MEMORY_NOUN,
    STORE_NOUN,
    given_name,
    hint_in,
    read_memory,
    read_owner,
    read_store_id,
    read_tenant,
    refuse_other_tenant,
    uuid_of,
)
from holdfast.domain.service.memories import SERVICE
from holdfast.domain.service.replies import Reply
from holdfast.domain.service_errors import QuotaReachedError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.screening import screened
from holdfast.usecases.service.once import Attempt, carried_out
from holdfast.usecases.service.quota import NO_QUOTA, Quota

if TYPE_CHECKING:
    from holdfast.domain.service.ids import StoreOwner
    from holdfast.domain.service.memories import (
        AddMemory,
        Relate,
        SearchMemories,
        ServiceMemory,
    )
    from holdfast.ports.store.service_stores import ServiceStores
    from holdfast.ports.store.store import Store

Done = TypeVar("Done")
_CONNECTIONS = 16
_WAIT_SECONDS = 10.0
_OK = 200


class ServiceCalls:
    """The memory service of an installation: stores in files below ``home``, or on a server.

    ``tenant`` binds it to one tenant: stores and memories of every other one do not exist for it.
    Without it, those of all tenants exist that it was asked for a store of.
    """

    def __init__(
        self,
        *,
        home: Path | None = None,
        address: str | None = None,
        tenant: str | None = None,
    ) -> None:
        self._home = home or data_folder()
        self.quota = NO_QUOTA
        self.attempt: Attempt | None = None
        self.tenant = None if tenant is None else read_tenant(tenant)
        self._stores = _stores(self._home, server_address(address))
        self.owners = KnownOwners(self._stores, bound_to=self.tenant)
        self._embedder, self._older_embedders = embedder(home), older_embedders(home)
        self._open = OpenStores(self._opened, most_idle=self._stores.most_open)

    def of_tenant(
        self, tenant: str, *, quota: Quota = NO_QUOTA, attempt: Attempt | None = None
    ) -> ServiceCalls:
        """Return the same service bound to one tenant, as a request of this tenant needs it.

        A request whose attempt has a key is carried out once in its store.
        Both share their open stores and connections, so only one of them is to be closed.

        Raises:
            BadFieldError: The tenant is blank or too long.
        """
        bound = copy(self)
        bound.tenant = read_tenant(tenant)
        bound.owners = KnownOwners(self._stores, bound_to=bound.tenant)
        bound.quota, bound.attempt = quota, attempt
        return bound

    def get_or_create_store(self, tenant: str, user: str, store_name: str) -> str:
        """Return the id of the store of an owner; add the store if there is none.

        Raises:
            BadFieldError: A name is blank or too long, or the tenant is not the one that the
                service is bound to.
        """
        owner = read_owner(tenant, user, screened(store_name, what="store name"))
        refuse_other_tenant(owner.tenant, bound_to=self.tenant)
        self._stores.add(owner, tenant_name=given_name(tenant))
        self.owners.note(owner)
        return owner.store_id

    def add_memory(self, store: str, wish: AddMemory, *, key: str | None = None) -> str:
        """Add a memory to a store, and return its id; with the same key again, add nothing.

        Raises:
            NoSuchError: There is no such store.
            KeyReusedError: The key was used in this store for another memory.
        """
        attempt = self.attempt if key is None else own_attempt(key, wish)

        def added(at: Holdfast) -> str:
            return uuid_of(at.service.add_memory(wish, quota=self.quota).memory.id)

        return self._in_store(store, lambda owner: self._once(owner, added, attempt))

    def search_memories(self, store: str, wish: SearchMemories) -> Sequence[ServiceMemory]:
        """Return the memories of a store that are similar enough to a question.

        Raises:
            NoSuchError: There is no such store.
        """

        def found(owner: StoreOwner) -> Sequence[ServiceMemory]:
            with self._read(owner) as holdfast:
                memories = holdfast.service.search_memories(wish)
                if not memories:
                    refuse_removed(holdfast.store)
                return memories

        return self._in_store(store, found)

    def add_relationship(self, wish: Relate) -> None:
        """State how one memory is related to another of the same store.

        Raises:
            NoSuchError: One of them does not exist, or they are in different stores.
        """
        source, target = read_memory(wish.source), read_memory(wish.target)

        def stated(at: Holdfast) -> str:
            at.service.add_relationship(wish)
            return ""

        self._once(self._holder(source, beside=target), stated, self.attempt)

    def get_related_memories(self, memory: str, *, limit: int) -> Sequence[ServiceMemory]:
        """Return the memories that a memory is related to, strongest first.

        Raises:
            NoSuchError: There is no such memory.
        """
        with self._open.using(self._holder(read_memory(memory))) as holdfast:
            return holdfast.service.related_memories(memory, limit=limit)

    @contextmanager
    def opened(self, store: str) -> Generator[Holdfast, None, None]:
        """Hold a store open for the block, for a program that needs more than the five calls.

        Raises:
            NoSuchError: There is no such store.
        """
        with self._open.using(self._owner(store)) as holdfast:
            yield holdfast

    def close(self) -> None:
        """Close all stores; a second call does nothing."""
        self._open.close()
        self._stores.close()

    def _once(
        self, owner: StoreOwner, work: Callable[[Holdfast], str], attempt: Attempt | None
    ) -> str:
        """Return the result of work in a store, or the one that is stored for the same key.

        Raises:
            KeyReusedError: The key was used in this store for another request.
            QuotaReachedError: The store is new, and the tenant has reached its quota of bytes.
        """
        self._refuse_new_database(owner)
        with self._open.using(owner) as holdfast:
            if attempt is None or attempt.key is None:
                return work(holdfast)

            def inside(store: Store) -> Reply:
                result = work(replace(holdfast, store=store))
                return Reply(key="", request_hash="", status=_OK, body=result, at=holdfast.now())

            reply = carried_out(attempt, inside, store=holdfast.store, clock=holdfast.clock)
            return reply.body or ""

    def _refuse_new_database(self, owner: StoreOwner) -> None:
        """Return if the store of an owner is made, or may be.

        The quota is checked again inside the unit of work; a database that was made would stay.
        """
        most = self.quota.most_bytes
        if most and not self._stores.is_made(owner):
            from holdfast.bootstrap.service.folders import folder_bytes

            if folder_bytes(str(self._home)) >= most:
                raise QuotaReachedError(what="bytes", most=most)

    @contextmanager
    def _read(self, owner: StoreOwner) -> Generator[Holdfast, None, None]:
        """Hold a store for a call that only reads: it makes no database where there is none."""
        if self._stores.is_made(owner):
            with self._open.using(owner) as holdfast:
                yield holdfast
        else:
            yield self._around(owner, InMemoryStore(space=SpaceId(owner.store_id)))

    def _in_store(self, store: str, work: Callable[[StoreOwner], Done]) -> Done:
        """Return the result of work in a store, by its owner.

        A store that is open here may have been removed since, and added again.

        Raises:
            NoSuchError: There is no such store.
        """
        owner = self._owner(store)
        try:
            return work(owner)
        except NoSuchStoreError:
            self.owners.forget(owner.store_id)
            self._open.forget(owner.store_id)
            return work(self._owner(store))

    def _owner(self, store: str) -> StoreOwner:
        store_id = read_store_id(store)
        owner = self.owners.owner_of(store_id)
        if owner is None:
            raise NoSuchError(noun=STORE_NOUN, reference=store_id)
        return owner

    def _holder(self, memory: str, *, beside: str | None = None) -> StoreOwner:
        """Return the owner of the store that has a memory; ``beside`` is another memory in it.

        The ids of both may tell the store. A memory that the service did not add tells none, so
        the stores that were used last are tried, too.
        """
        for owner in self._candidates(memory, beside):
            with self._read(owner) as holdfast:
                if holdfast.service.holds(memory):
                    return owner
        raise NoSuchError(noun=MEMORY_NOUN, reference=memory)

    def _candidates(self, memory: str, beside: str | None) -> Iterator[StoreOwner]:
        told = [one for one in (memory, beside) if one is not None]
        looks = [*(self.owners.beginning(hint_in(one)) for one in told), self.owners.latest()]
        tried: set[StoreOwner] = set()
        for owner in chain.from_iterable(looks):
            if owner not in tried:
                tried.add(owner)
                yield owner

    def _opened(self, owner: StoreOwner) -> Holdfast:
        return self._around(owner, self._stores.open(owner))

    def _around(self, owner: StoreOwner, store: Store) -> Holdfast:
        space = SpaceId(owner.store_id)
        return Holdfast(
            principal=Principal.of(PrincipalKind.SERVICE, space=space, name=SERVICE),
            store=store,
            clock=MachineClock(),
            counter=token_counter("estimate"),
            surroundings=look_around(space=space, home=self._home, folder=self._home).surroundings,
            heuristics=ENGLISH,
            embedder=self._embedder,
            older_embedders=self._older_embedders,
        )


def _stores(home: Path, address: str) -> ServiceStores:
    if not address:
        from holdfast.bootstrap.service.folders import FolderServiceStores

        return FolderServiceStores(home)
    from holdfast.bootstrap.plugs.server import server_service_stores

    return server_service_stores(
        address,
        connections=_CONNECTIONS,
        wait_seconds=_WAIT_SECONDS,
        outside=outside_store(lambda: chosen_index(settings(home))),
    )
