"""The memory service on every backend: the same calls, the same answers, the same refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

import holdfast
from holdfast import AsyncMemoryService, ClosedError, HoldfastError, MemoryService
from holdfast.bootstrap.plugs.addresses import tenant_of
from holdfast.bootstrap.service import known_owners
from holdfast.bootstrap.service.calls import ServiceCalls
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.errors import (
    BadFieldError,
    NoSuchError,
    SecretRefusedError,
    UnstorableTextError,
)
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.service.ids import memory_id_of, read_owner, uuid_of
from holdfast.domain.service.memories import AddMemory
from holdfast.domain.service_errors import KeyReusedError
from holdfast.surfaces.python.expecting import WrongTypeError
from tests.postgres_server import server
from tests.requirements import requirement
from tests.service_model import models

BACKENDS = ("sqlite", "postgres")
CAT, RATES = "The cat slept on the mat.", "Interest rates rose by half a percent in march."
NOBODY = "00000000-0000-4000-8000-000000000000"
LAST = datetime.max.replace(tzinfo=timezone(timedelta(hours=-5)))


@pytest.fixture(params=BACKENDS)
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the stores are: a folder, or a server."""
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    return str(tmp_path / "home") if request.param == "sqlite" else server().url()


@pytest.fixture
def tenant() -> str:
    return str(uuid4())


@pytest.fixture
def service(place: str) -> Iterator[MemoryService]:
    with MemoryService(place) as opened:
        yield opened


@pytest.fixture
def store(service: MemoryService, tenant: str) -> str:
    return service.get_or_create_store(tenant, "ada")


def loosely(value: object) -> Any:
    """Return a value that a type checker would refuse."""
    return value


def the_same_space(place: str, tenant: str, store: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open a store of the service at the ordinary door, as a person would."""
    monkeypatch.setenv("HOLDFAST_TENANT", tenant)
    address = place if place.startswith("postgresql://") else ""
    return holdfast.open(space=store, store=address, name="ada")


@requirement("service.once")
def test_a_memory_that_is_added_again_with_its_key_is_stored_once(
    service: MemoryService, tenant: str, store: str, place: str
) -> None:
    add = partial(service.add_memory, store, CAT, metadata={"b": 1, "a": [2]})
    first = add(idempotency_key="chat-7")
    with MemoryService(place, tenant=tenant) as other:
        again = other.add_memory(store, CAT, metadata={"a": [2], "b": 1}, idempotency_key="chat-7")
    another, without = add(idempotency_key="chat-8"), add()
    with pytest.raises(KeyReusedError):
        service.add_memory(store, RATES, idempotency_key="chat-7")
    with pytest.raises(BadFieldError, match="idempotency key"):
        add(idempotency_key="")
    with pytest.raises(WrongTypeError):
        add(idempotency_key=loosely(7))

    assert first == again
    assert len({first, another, without}) == len(service.search_memories(store, CAT, limit=9)) == 3


@requirement("service.once")
def test_the_awaited_call_takes_a_key_too(place: str, tenant: str) -> None:
    async def twice() -> list[str]:
        async with AsyncMemoryService(place) as service:
            store = await service.get_or_create_store(tenant, "ada")
            add = partial(service.add_memory, store, CAT, idempotency_key="chat-7")
            return [*await asyncio.gather(add(), add())]

    assert len(set(asyncio.run(twice()))) == 1


@requirement("service.ids-are-uuids")
def test_an_owner_has_one_store(service: MemoryService, tenant: str) -> None:
    store = service.get_or_create_store(tenant, "ada")

    assert service.get_or_create_store(tenant, "ada") == store == str(UUID(store))
    assert service.get_or_create_store(UUID(tenant), "ada") == store
    others = {
        service.get_or_create_store(tenant, "ada", "work"),
        service.get_or_create_store(tenant, "bob"),
        service.get_or_create_store(str(uuid4()), "ada"),
    }
    assert len({store, *others}) == 4


@requirement("service.found-at-once")
def test_a_memory_is_found_by_the_next_search(service: MemoryService, store: str) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    facts = {"n": [1, {"a": None}]}
    known = service.add_memory(store, CAT, "preference", "chat", 0, facts, later)
    service.add_memory(store, RATES)

    (found,) = service.search_memories(store, CAT, limit=1)

    assert (found.id, found.content, found.memory_type) == (known, CAT, "preference")
    assert (found.source, found.importance, found.access_count) == ("chat", 0.0, 1)
    assert found.metadata == facts
    assert found.expires_at == later.replace(microsecond=later.microsecond // 1000 * 1000)
    assert found.created_at < later
    assert found.similarity == pytest.approx(1.0, abs=0.01)
    assert found.last_accessed is not None
    assert (found.relationship_type, found.strength) == (None, None)
    assert json.loads(json.dumps(found.as_dict()))["similarity"] == found.similarity
    assert (found["content"], known in repr(found)) == (CAT, True)


@requirement("service.ids-are-uuids")
def test_other_doors_find_a_memory_by_its_uuid(
    service: MemoryService, place: str, tenant: str, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = service.add_memory(store, CAT)
    (found,) = service.search_memories(store, CAT)
    assert found["memory_id"] == found.memory_id

    with the_same_space(place, tenant, store, monkeypatch) as memory:
        assert memory.get(known).id == found.memory_id
        assert memory.explain(known.upper()).memory.id == found.memory_id
        for nobody in (NOBODY, known[:-1], f"{known[:-1]}!"):
            with pytest.raises(NoSuchError):
                memory.get(nobody)
        memory.forget(known)
        with pytest.raises(HoldfastError, match="forgotten"):
            memory.get(known)


@requirement("service.found-at-once")
def test_defaults_are_those_of_the_interface(service: MemoryService, store: str) -> None:
    service.add_memory(store, CAT)

    (found,) = service.search_memories(store, CAT)

    assert (found.memory_type, found.source, found.importance) == ("fact", None, 0.5)
    assert (found.metadata, found.expires_at) == ({}, None)


def test_the_same_text_twice_is_two_memories(service: MemoryService, store: str) -> None:
    one, other = service.add_memory(store, CAT), service.add_memory(store, CAT)

    assert {found.id for found in service.search_memories(store, CAT)} == {one, other}


def test_only_what_is_similar_enough_is_returned_and_counted(
    service: MemoryService, store: str
) -> None:
    cat, rates = service.add_memory(store, CAT), service.add_memory(store, RATES)
    every = service.search_memories(store, CAT, min_similarity=-1)
    between = sum(one.similarity or 0.0 for one in every) / 2

    found = service.search_memories(store, CAT, min_similarity=between)

    assert [one.id for one in every] == [cat, rates]
    assert [(one.id, one.access_count) for one in found] == [(cat, 2)]
    assert service.search_memories(store, "?", min_similarity=1) == []
    counts = {one.id: one.access_count for one in service.search_memories(store, CAT, 9, -1)}
    assert counts == {cat: 3, rates: 2}


@requirement("service.ids-are-uuids")
def test_an_id_leads_back_to_the_same_memory(service: MemoryService, store: str) -> None:
    known = service.add_memory(store, CAT)

    (found,) = service.search_memories(store, CAT)

    assert UUID(known).version == 7
    assert memory_id_of(known) == found.memory_id
    assert uuid_of(memory_id_of(known)) == known


def test_relationships_are_followed_strongest_first(service: MemoryService, store: str) -> None:
    one, two, three = (service.add_memory(store, f"{CAT} {n}") for n in range(3))
    service.add_relationship(one, two, "Goes_with")
    service.add_relationship(one, three, "CAUSED_BY", 0.7)
    service.add_relationship(one, two, "Goes_with", 0.9)
    service.add_relationship(one, two, "supersedes", 0)

    found = service.get_related_memories(one)

    assert [(one.id, one.relationship_type, one.strength) for one in found] == [
        (two, "Goes_with", 0.9),
        (three, "CAUSED_BY", 0.7),
        (two, "supersedes", 0.0),
    ]
    assert [one.access_count for one in found] == [0, 0, 0]
    assert [one.id for one in service.get_related_memories(one, 1)] == [two]
    assert service.get_related_memories(found[0]) == []


@requirement("service.stays-in-its-stores")
def test_ids_from_before_work_for_their_tenant_and_exist_for_no_other(
    place: str, tenant: str
) -> None:
    with MemoryService(place) as first:
        store = first.get_or_create_store(tenant, "ada")
        one, two = first.add_memory(store, CAT), first.add_memory(store, RATES)

    with MemoryService(place, tenant=tenant) as own:
        own.add_relationship(one, two, "x")
        assert [found.id for found in own.get_related_memories(one)] == [two]
        assert [found.id for found in own.search_memories(store, CAT, 1)] == [one]
        with pytest.raises(BadFieldError, match="tenant is not the one"):
            own.get_or_create_store("another", "ada")
    for others in (MemoryService(place), MemoryService(place, tenant="another")):
        with others:
            attempts: list[Callable[[], object]] = [
                partial(others.add_memory, store, "x"),
                partial(others.search_memories, store, CAT),
                partial(others.get_related_memories, one),
                partial(others.add_relationship, one, two, "x"),
            ]
            for attempt in attempts:
                with pytest.raises(NoSuchError) as foreign:
                    attempt()
                assert "No " in foreign.value.message
                assert "tenant=" in foreign.value.advice


@requirement("service.stays-in-its-stores")
def test_a_relationship_stays_in_one_store(service: MemoryService, store: str, tenant: str) -> None:
    bob = service.get_or_create_store(tenant, "bob")
    one, other = service.add_memory(store, CAT), service.add_memory(bob, CAT)

    for ends in ((one, other), (other, one), (one, NOBODY), (NOBODY, one)):
        with pytest.raises(NoSuchError):
            service.add_relationship(*ends, "x")

    with pytest.raises(BadFieldError, match="itself"):
        service.add_relationship(one, one, "x")
    assert service.get_related_memories(one) == service.get_related_memories(other) == []


Refusal = tuple[Callable[[Any, str], object], type[Exception], str]
REFUSED: list[Refusal] = [
    (lambda s, i: s.add_memory(i, "  "), BadFieldError, "content is blank"),
    (lambda s, i: s.add_memory(i, "x" * 70_000), HoldfastError, "70,000 bytes"),
    (lambda s, i: s.add_memory(i, "a\0b"), HoldfastError, "cannot be stored"),
    (lambda s, i: s.add_memory(i, 5), WrongTypeError, "content must be text"),
    (lambda s, i: s.add_memory(5, "x"), WrongTypeError, "store must be text"),
    (lambda s, i: s.add_memory(i, "x", type=""), BadFieldError, "type is blank"),
    (lambda s, i: s.add_memory(i, "x", type="y" * 51), BadFieldError, "51 characters"),
    (lambda s, i: s.add_memory(i, "x", type="a\nb"), BadFieldError, "one line"),
    (lambda s, i: s.add_memory(i, "x", source=" "), BadFieldError, "source is blank"),
    (lambda s, i: s.add_memory(i, "x", importance=1.1), BadFieldError, "between 0 and 1"),
    (lambda s, i: s.add_memory(i, "x", importance=-1), BadFieldError, "between 0 and 1"),
    (lambda s, i: s.add_memory(i, "x", importance=float("nan")), BadFieldError, "between"),
    (lambda s, i: s.add_memory(i, "x", importance=True), WrongTypeError, "a number"),
    (lambda s, i: s.add_memory(i, "x", metadata=[1]), WrongTypeError, "a dictionary"),
    (lambda s, i: s.add_memory(i, "x", metadata={"a": {1}}), BadFieldError, "not JSON"),
    (lambda s, i: s.add_memory(i, "x", metadata={1: 2}), BadFieldError, "not text"),
    (lambda s, i: s.add_memory(i, "x", metadata={"holdfast.x": 1}), BadFieldError, "name of"),
    (lambda s, i: s.add_memory(i, "x", metadata={"a": "b" * 20_000}), HoldfastError, "16 KiB"),
    (lambda s, i: s.add_memory(i, "x", expires_at="soon"), WrongTypeError, "a datetime"),
    (lambda s, i: s.add_memory(i, "x", expires_at=datetime(2030, 1, 1)), BadFieldError, "zone"),  # noqa: DTZ001 - that is refused
    (lambda s, i: s.add_memory(i, "x", expires_at=datetime.now(UTC)), BadFieldError, "future"),
    (lambda s, i: s.add_memory(i, "x", expires_at=LAST), BadFieldError, "outside the calendar"),
    (lambda s, i: s.add_memory(i, "password: hunter2-and-more9"), SecretRefusedError, "secret"),
    (lambda s, i: s.add_memory(NOBODY, "x"), NoSuchError, "No memory store has the id"),
    (lambda s, i: s.add_memory("nonsense", "x"), NoSuchError, "nonsense"),
    (lambda s, i: s.search_memories(i, " "), BadFieldError, "query is blank"),
    (lambda s, i: s.search_memories(i, "x" * 9_000), BadFieldError, "9,000 characters"),
    (lambda s, i: s.search_memories(i, "x", 0), BadFieldError, "between 1 and 1,000"),
    (lambda s, i: s.search_memories(i, "x", -1), BadFieldError, "between 1 and 1,000"),
    (lambda s, i: s.search_memories(i, "x", 10**9), BadFieldError, "between 1 and 1,000"),
    (lambda s, i: s.search_memories(i, "x", "5"), WrongTypeError, "a whole number"),
    (lambda s, i: s.search_memories(i, "x", 5, 1.01), BadFieldError, "between -1 and 1"),
    (lambda s, i: s.search_memories(NOBODY, "x"), NoSuchError, NOBODY),
    (lambda s, i: s.add_relationship(i, i, "x", 2), BadFieldError, "strength"),
    (lambda s, i: s.add_relationship(i, i, "x", "2"), WrongTypeError, "a number"),
    (lambda s, i: s.add_relationship(i, i, " "), BadFieldError, "is blank"),
    (lambda s, i: s.add_relationship("x", i, "x"), NoSuchError, "No stored memory"),
    (lambda s, i: s.add_relationship(None, i, "x"), WrongTypeError, "source must be text"),
    (lambda s, i: s.get_related_memories(NOBODY), NoSuchError, NOBODY),
    (lambda s, i: s.get_or_create_store("", "ada"), BadFieldError, "tenant is blank"),
    (lambda s, i: s.get_or_create_store("a", "b" * 101), BadFieldError, "user has 101"),
    (lambda s, i: s.get_or_create_store("a", "b", "c\nd"), BadFieldError, "store name must"),
    (lambda s, i: s.get_or_create_store("a", None), WrongTypeError, "user must be text"),
    (lambda s, i: s.add_memory(i, "x", source=0), WrongTypeError, "source must be text"),
    (lambda s, i: s.add_memory(i, "x", importance=10**400), BadFieldError, "between 0 and 1"),
    (lambda s, i: s.search_memories(i, "\ud800"), UnstorableTextError, "query cannot"),
    (lambda s, i: s.search_memories(i, "a\0b"), UnstorableTextError, "query cannot"),
    (lambda s, i: s.search_memories("urn:" * 99, "a"), NoSuchError, "urn:urn:"),
]  # fmt: skip


@requirement("service.bad-input-refused")
def test_bad_input_is_refused_and_nothing_is_written(service: Any, store: str) -> None:
    known = service.add_memory(store, CAT)

    for number, (call, error, words) in enumerate(REFUSED):
        with pytest.raises(error) as refused:
            call(service, store)
        assert words in str(refused.value), number

    found = service.search_memories(store, CAT, 9, -1)
    assert [(one.id, one.access_count) for one in found] == [(known, 1)]
    with pytest.raises(BadFieldError):
        service.get_related_memories(known, 0)
    with pytest.raises(WrongTypeError, match="tenant must be text"):
        MemoryService(tenant=loosely(0))


@requirement("service.people-decide")
def test_a_memory_of_a_service_is_an_ordinary_memory(
    service: MemoryService, store: str, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = service.add_memory(store, CAT, source="chat", metadata={"turn": 4})

    with the_same_space(place, tenant, store, monkeypatch) as hf:
        (memory,) = hf.list()
        (hit,) = hf.recall("where was the cat sleeping")
        lines = "\n".join(hf.export())
        explained = hf.explain(memory)

    assert uuid_of(memory.id) == known == uuid_of(hit.memory.id)
    assert (memory.status, memory.origin) == ("accepted", "tool")
    assert memory.source == "memory-service:chat"
    assert [str(one) for one in memory.evidence] == [
        'statement: A service added it; source: chat; metadata: {"turn":4}'
    ]
    assert memory.id in lines
    assert explained.memory.id == memory.id


@requirement("service.people-decide")
def test_a_claim_that_a_person_turned_down_is_not_accepted_again(
    service: MemoryService, store: str, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add_memory(store, CAT)
    with the_same_space(place, tenant, store, monkeypatch) as hf:
        hf.edit(hf.list()[0], "The cat slept on the chair.")

    service.add_memory(store, f"{CAT} ".strip())

    contents = [one.content for one in service.search_memories(store, CAT, 9, -1)]
    assert contents == ["The cat slept on the chair."]
    with the_same_space(place, tenant, store, monkeypatch) as hf:
        assert [one.text for one in hf.review()] == [CAT]


@requirement("service.found-at-once")
def test_what_a_person_adds_is_found_too_and_can_be_related(
    service: MemoryService, store: str, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = service.add_memory(store, RATES)
    with the_same_space(place, tenant, store, monkeypatch) as hf:
        hf.remember(CAT, because="I saw it.", kind="observation", scope="global")

    (found,) = service.search_memories(store, CAT, 1)

    assert (found.content, found.memory_type, found.source) == (CAT, "observation", "python")
    service.add_relationship(found, own, "x")
    service.add_relationship(own, found, "y")
    assert [one.id for one in service.get_related_memories(found)] == [own]


def test_a_space_that_a_person_opened_first_becomes_the_store(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = f"tenant-{uuid4()}"
    owner = read_owner(tenant, "ada", "default")
    with the_same_space(place, tenant, owner.store_id, monkeypatch) as hf:
        hf.remember(CAT, because="I saw it.", scope="global")

    with MemoryService(place) as service:
        store = service.get_or_create_store(tenant, "ada")
        service.add_memory(store, RATES, type="news")
        found = service.search_memories(store, CAT, 9, -1)

    assert (store, [one.content for one in found]) == (owner.store_id, [CAT, RATES])
    assert tenant_of(tenant) == owner.tenant


def test_a_copy_of_a_store_keeps_types_relationships_and_ids(
    service: MemoryService, store: str, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = service.add_memory(store, CAT, "preference"), service.add_memory(store, RATES)
    service.add_relationship(one, two, "LEADS_TO", 0.4)
    with the_same_space(place, tenant, store, monkeypatch) as hf:
        lines = list(hf.export())

    with the_same_space(place, str(uuid4()), str(uuid4()), monkeypatch) as hf:
        hf.import_(lines)
        (kind, memory), *rest = hf.related(memory_id_of(one))
        (copied,) = [found for found in hf.list() if uuid_of(found.id) == one]

    assert (kind, uuid_of(memory.id), rest) == ("service:LEADS_TO", two, [])
    assert copied.metadata == {"holdfast.type": "preference"}


@requirement("service.stays-in-its-stores")
def test_a_service_cannot_use_an_ordinary_space(
    place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = str(uuid4())
    with the_same_space(place, tenant, space, monkeypatch) as hf:
        hf.remember(CAT, because="I saw it.", scope="global")

    with MemoryService(place, tenant=tenant) as service, pytest.raises(NoSuchError):
        service.add_memory(space, RATES)


def test_a_service_that_an_agent_runs_is_still_a_service(
    service: MemoryService, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    service.add_memory(store, CAT)

    assert len(service.search_memories(store, CAT)) == 1


def test_without_a_model_memories_are_kept_and_found_once_there_is_one(
    place: str, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as bare:
        bare.setenv("HOLDFAST_MODELS", str(tmp_path / "none"))
        with MemoryService(place) as service:
            store = service.get_or_create_store(tenant, "ada")
            known = service.add_memory(store, CAT)
            with pytest.raises(NoModelError):
                service.search_memories(store, CAT)

    with MemoryService(place, tenant=tenant) as service:
        assert [one.id for one in service.search_memories(store, CAT)] == [known]


def test_a_closed_service_says_so(place: str) -> None:
    service = MemoryService(place)
    service.close()
    service.close()

    with pytest.raises(ClosedError):
        service.get_or_create_store("a", "b")
    with pytest.raises(ClosedError), service:
        pass


@pytest.mark.parametrize("odd", ["mysql://example.org", "", "  "])
def test_another_address_is_refused(odd: str) -> None:
    with pytest.raises(BadStoreAddressError, match="https://, or be the path"):
        MemoryService(odd)


def test_owners_used_long_ago_are_looked_up_again(
    service: MemoryService, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_owners, "_MOST_OWNERS", 1)
    monkeypatch.setattr(known_owners, "_MOST_TENANTS", 1)
    first = service.get_or_create_store(tenant, "ada")
    known = service.add_memory(first, CAT)
    service.get_or_create_store(tenant, "bob")

    assert [one.id for one in service.search_memories(first, CAT)] == [known]
    service.get_or_create_store(str(uuid4()), "eve")
    with pytest.raises(NoSuchError):
        service.search_memories(first, CAT)


def test_the_calls_can_be_awaited(place: str, tenant: str) -> None:
    async def calls() -> list[object]:
        async with AsyncMemoryService(place) as service:
            store = await service.get_or_create_store(tenant, "ada")
            several = [service.add_memory(store, f"{CAT} {n}") for n in range(4)]
            one, two, *_ = await asyncio.gather(*several)
            await service.add_relationship(one, two, "x", 0.2)
            related = await service.get_related_memories(one)
            found = await service.search_memories(store, CAT, 9, -1)
            return [len(found), [memory.id for memory in related] == [two], service.is_closed]

    assert asyncio.run(calls()) == [4, True, False]


def test_a_cancelled_call_is_done_as_a_whole_or_not_at_all(place: str, tenant: str) -> None:
    async def cancelled() -> tuple[str, int]:
        async with AsyncMemoryService(place) as service:
            store = await service.get_or_create_store(tenant, "ada")
            tasks = [asyncio.create_task(service.add_memory(store, f"{n}")) for n in range(20)]
            await tasks[0]
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        with pytest.raises(ClosedError):
            await service.search_memories(store, "1")
        with pytest.raises(ClosedError):
            await service.__aenter__()
        return store, sum(isinstance(one, str) for one in ended)

    store, answered = asyncio.run(cancelled())

    with MemoryService(place, tenant=tenant) as service:
        found = service.search_memories(store, "1", 100, -1)
        assert answered <= len(found) <= 20
        assert service.add_memory(store, CAT)


def test_an_unused_asynchronous_service_opens_nothing(place: str) -> None:
    async def nothing() -> bool:
        service = AsyncMemoryService(place)
        await service.close()
        return service.is_closed

    assert asyncio.run(nothing())


@requirement("service.stays-in-its-stores")
def test_one_service_can_be_bound_to_the_tenant_of_each_request(place: str, tenant: str) -> None:
    calls = ServiceCalls(home=Path(place), address="") if "://" not in place else ServiceCalls(
        address=place
    )  # fmt: skip
    own, other = calls.of_tenant(tenant), calls.of_tenant("another")
    store = own.get_or_create_store(tenant, "ada", "default")
    memory = own.add_memory(store, AddMemory(content=CAT))

    assert own.get_related_memories(memory, limit=5) == ()
    for stranger in (other, calls):
        with pytest.raises(NoSuchError):
            stranger.get_related_memories(memory, limit=5)
        with pytest.raises(NoSuchError):
            stranger.add_memory(store, AddMemory(content=CAT))
    calls.close()


def test_the_calls_take_their_place_from_the_environment(
    place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", place if "://" in place else "")
    calls = ServiceCalls(tenant=tenant)

    store = calls.get_or_create_store(tenant, "ada", "default")

    calls.close()
    with MemoryService(place, tenant=tenant) as service:
        assert service.search_memories(store, CAT) == []
