"""The JSON of the memory service: what a route reads and writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.app import Holdfast
from holdfast.bootstrap.service.calls import ServiceCalls
from holdfast.bootstrap.service.folders import FolderServiceStores
from holdfast.bootstrap.service.open_stores import OpenStores
from holdfast.domain.errors import BadFieldError, NoSuchError, StoreUnreadableError
from holdfast.domain.service.ids import StoreOwner, read_owner
from holdfast.domain.workspace_errors import FolderUnusableError
from holdfast.ports.store.service_stores import ServiceStores
from holdfast.surfaces.wire.memory_service import (
    ROUTES,
    get_related,
    post_memory,
    post_relationship,
    post_search,
    post_store,
)
from holdfast.surfaces.wire.schema.published import described
from tests.cli.answers import problem
from tests.requirements import requirement
from tests.service_model import models

CAT = "The cat slept on the mat."
NOBODY = "00000000-0000-4000-8000-000000000000"
OWNER = read_owner("acme", "ada", "default")


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServiceCalls]:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    opened = ServiceCalls(home=tmp_path, address="")
    yield opened
    opened.close()


@requirement("service.json")
def test_the_five_calls_read_and_write_json_of_the_published_schemas(calls: ServiceCalls) -> None:
    owner = {"tenantId": "acme", "userId": "ada", "storeName": None}
    memory = {
        "content": CAT,
        "type": "preference",
        "source": "chat",
        "importance": 0,
        "metadata": {"turn": 4},
        "expiresAt": "2999-01-01T00:00:00Z",
    }
    search = {"query": CAT, "limit": 5.0, "minSimilarity": 0.7}

    store = post_store(calls, owner)
    one = post_memory(calls, str(store["id"]), memory)
    two = post_memory(calls, str(store["id"]), {"content": "Interest rates rose."})
    link = {"sourceId": one["id"], "targetId": two["id"], "relationshipType": "NEXT"}
    linked = post_relationship(calls, link)
    found = post_search(calls, str(store["id"]), search)
    related = get_related(calls, str(one["id"]), {})

    answers = {"store": store, "memory": one, "search": found, "relationship": linked}
    for name, answer in {**answers, "related": related}.items():
        assert problem(answer, f"answer.service.{name}") == ""
    requests = {"memory": memory, "search": search, "relationship": link, "related": {"limit": 5}}
    for name, request in {**requests, "store": {"tenantId": "a", "userId": "b"}}.items():
        assert problem(request, f"request.service.{name}") == ""
    listed = found["memories"]
    assert isinstance(listed, list)
    assert [row["id"] for row in listed] == [one["id"]]
    assert (listed[0]["importance"], listed[0]["expires_at"]) == (0, "2999-01-01T00:00:00+00:00")
    assert linked["strength"] == 0.5
    for limit in (1, 1.0, "1"):
        assert get_related(calls, str(one["id"]), {"limit": limit}) == related
    with pytest.raises(BadFieldError, match="must be a number"):
        get_related(calls, str(one["id"]), {"limit": "all"})


@requirement("service.json")
def test_a_route_of_each_call_has_its_schemas(calls: ServiceCalls) -> None:
    names: dict[str, str] = {}
    bodies: dict[str, object] = {
        "service.store": {"tenantId": "acme", "userId": "ada"},
        "service.memory": {"content": CAT},
        "service.search": {"query": CAT},
    }
    described_names = described()

    for route in ROUTES:
        assert {f"request.{route.schema}", f"answer.{route.schema}"} <= described_names.keys()
    for route in ROUTES[:3]:
        answer = route.answer(calls, names, bodies[route.schema])
        names = names or {"id": str(answer["id"])}
        assert problem(answer, f"answer.{route.schema}") == ""
    for route in ROUTES[3:]:
        with pytest.raises((NoSuchError, BadFieldError)):
            route.answer(calls, {"id": NOBODY}, {})


@requirement("service.bad-input-refused")
@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ([], "must be an object"),
        ({}, "content must be text"),
        ({"content": 5}, "content must be text"),
        ({"content": "x", "colour": 1}, "colour is unknown; the request takes content, type"),
        ({"content": "x", "importance": "1"}, "importance must be a number"),
        ({"content": "x", "importance": True}, "importance must be a number"),
        ({"content": "x", "metadata": []}, "metadata must be an object"),
        ({"content": "x", "expiresAt": "tomorrow"}, "no ISO 8601 time"),
        ({"content": "x", "expiresAt": "2030-01-01T00:00:00"}, "no ISO 8601 time"),
        ({"content": "x", "type": 1}, "type must be text"),
    ],
)
def test_a_bad_request_is_refused(calls: ServiceCalls, request_: object, words: str) -> None:
    store = str(post_store(calls, {"tenantId": "acme", "userId": "ada"})["id"])

    with pytest.raises(BadFieldError, match=words.replace("'", ".")):
        post_memory(calls, store, request_)


def test_a_search_for_half_a_memory_is_refused(calls: ServiceCalls) -> None:
    store = str(post_store(calls, {"tenantId": "acme", "userId": "ada"})["id"])

    with pytest.raises(BadFieldError, match="whole number"):
        post_search(calls, store, {"query": "x", "limit": 1.5})


def test_stores_that_nobody_uses_are_closed_and_opened_again(tmp_path: Path) -> None:
    stores: ServiceStores = FolderServiceStores(tmp_path)
    calls = ServiceCalls(home=tmp_path, address="")
    opened: list[str] = []

    def open_one(owner: StoreOwner) -> Holdfast:
        opened.append(owner.store_id)
        return calls._opened(owner)

    lent = OpenStores(open_one, most_idle=1)
    one, two = OWNER, read_owner("acme", "bob", "default")
    for owner in (one, two):
        stores.add(owner)

    with lent.using(one) as outer, lent.using(two), lent.using(one) as inner:
        assert inner is outer
    with lent.using(one):
        lent.close()
    assert len(opened) == 2
    with lent.using(two):
        pass
    assert len(opened) == 3


def test_a_store_that_cannot_be_opened_is_tried_again() -> None:
    def refuse(owner: StoreOwner) -> Holdfast:
        raise StoreUnreadableError(owner.store_id, "it is away.")

    lent = OpenStores(refuse, most_idle=1)

    for _ in range(2):
        with pytest.raises(StoreUnreadableError), lent.using(OWNER):
            pytest.fail("it was opened")
    lent.close()


def test_a_damaged_note_hides_a_store_until_its_owner_asks(tmp_path: Path) -> None:
    stores = FolderServiceStores(tmp_path)
    stores.add(OWNER)
    note = tmp_path / "spaces" / OWNER.store_id / "service.json"
    tenants = [OWNER.tenant]
    assert stores.owner_of(OWNER.store_id, tenants=tenants) == OWNER

    whole = note.read_text(encoding="utf-8")
    tenant = f'"{OWNER.tenant}"'
    parts = [whole.replace(tenant, one) for one in ("5", '"acme"', "null")]
    for damage in ("", "[]", "{}", whole.replace("default", "other"), *parts):
        note.write_text(damage, encoding="utf-8")
        assert stores.owner_of(OWNER.store_id, tenants=tenants) is None
        assert stores.beginning(OWNER.store_id[:8], tenants=tenants) == ()

    stores.add(OWNER)
    assert stores.owner_of(OWNER.store_id, tenants=tenants) == OWNER
    assert stores.owner_of(OWNER.store_id, tenants=[]) is None


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "spaces").write_text("a file", encoding="utf-8")
    calls = ServiceCalls(home=tmp_path, address="")

    with pytest.raises(FolderUnusableError, match=r"service\.json cannot be used"):
        calls.get_or_create_store("acme", "ada", "default")
    with pytest.raises(NoSuchError):
        calls.get_related_memories("nonsense", limit=5)
