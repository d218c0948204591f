"""The five calls of the memory service over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

import httpx2
import pytest

from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.folders import folder_bytes
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.ids import StoreId, entropy_in
from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.postgres_server import server
from tests.requirements import requirement
from tests.service_model import models

CAT = "The cat slept on the mat."


@dataclass(frozen=True)
class Service:
    """A server with a service of one tenant, one of another, and an agent."""

    home: Home
    tenant: str
    ours: httpx2.Client
    theirs: httpx2.Client
    agent: httpx2.Client


@pytest.fixture(params=["file", "postgres"])
def service(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Service]:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    url = "" if request.param == "file" else server().url()
    tenant, other = ("default", "default") if not url else (uuid4().hex, uuid4().hex)
    places = [ServerPlace(url, one) if url else IN_A_FILE for one in (tenant, other)]
    homes = [Home(tmp_path / "home", place) for place in places]
    tokens = [home.token(PrincipalKind.SERVICE, name=uuid4().hex) for home in homes]
    agent = homes[0].token(PrincipalKind.AGENT)
    options = ServeOptions(home=str(tmp_path / "home"), address=url)
    with (
        running(options) as address,
        client(address, tokens[0]) as ours,
        client(address, tokens[1]) as theirs,
        client(address, agent) as third,
    ):
        yield Service(homes[0], tenant, ours, theirs, third)


@requirement("service.over-http")
def test_the_five_calls_work(service: Service) -> None:
    store = service.ours.post("/v1/stores", json={"tenantId": service.tenant, "userId": "ada"})
    assert store.status_code == 200, store.text
    place = f"/v1/stores/{store.json()['id']}"
    one, two = (
        service.ours.post(f"{place}/memories", json={"content": text, "importance": 0}).json()["id"]
        for text in (CAT, "The dog slept in the hall.")
    )
    found = service.ours.post(f"{place}/search", json={"query": CAT, "limit": 1}).json()
    assert [memory["id"] for memory in found["memories"]] == [one]
    assert found["memories"][0]["importance"] == 0
    related = {"sourceId": one, "targetId": two, "relationshipType": "contrasts"}
    assert service.ours.post("/v1/relationships", json=related).status_code == 200
    answer = service.ours.get(f"/v1/relationships/{one}", params={"limit": 3}).json()
    assert [memory["id"] for memory in answer["memories"]] == [two]


@requirement("service.over-http")
def test_a_caller_without_the_scope_is_refused(service: Service) -> None:
    wish = {"tenantId": service.tenant, "userId": "ada"}
    refused = service.agent.post("/v1/stores", json=wish)
    assert (refused.status_code, refused.json()["code"]) == (403, "may-not")
    assert "only a person or a service may add and relate" in refused.json()["detail"]
    assert "of the kind 'service'" in refused.json()["advice"]
    export = service.agent.get("/v1/export")
    assert "one of the kind 'service'" in export.json()["advice"]


@requirement("service.over-http")
def test_another_tenant_sees_nothing_and_bad_requests_are_named(service: Service) -> None:
    wish = {"tenantId": service.tenant, "userId": "ada"}
    store = service.ours.post("/v1/stores", json=wish).json()["id"]
    known = service.ours.post(f"/v1/stores/{store}/memories", json={"content": CAT}).json()["id"]
    if service.tenant != "default":
        assert service.theirs.post("/v1/stores", json=wish).status_code == 422
        assert service.theirs.get(f"/v1/relationships/{known}").status_code == 404
        refused = service.theirs.post(f"/v1/stores/{store}/search", json={"query": CAT})
        assert refused.status_code == 404
    for body in ({}, {"content": ""}, {"content": CAT, "importance": 2}, {"content": 3}):
        assert service.ours.post(f"/v1/stores/{store}/memories", json=body).status_code == 422
    nobody = service.ours.post(f"/v1/stores/{uuid4()}/memories", json={"content": CAT})
    assert nobody.status_code == 404


@requirement("service.over-http")
def test_a_token_of_one_store_opens_no_store(service: Service) -> None:
    wish = {"tenantId": service.tenant, "userId": "ada"}
    store = service.ours.post("/v1/stores", json=wish).json()["id"]
    service.ours.post(f"/v1/stores/{store}/memories", json={"content": CAT})
    own = service.home.token(PrincipalKind.SERVICE, space=SpaceId(store), name="own")
    person = service.home.token(PrincipalKind.PERSON, name="ada")
    for token in (own, person):
        with client(str(service.ours.base_url), token) as caller:
            refused = caller.post(f"/v1/stores/{store}/search", json={"query": CAT})
            assert (refused.status_code, refused.json()["code"]) == (403, "may-not")
        if token == own:
            assert "not made for the store of one user" in refused.json()["advice"]


@requirement("http.once")
def test_a_repeated_call_is_carried_out_once(service: Service) -> None:
    wish = {"tenantId": service.tenant, "userId": "ada"}
    key = {"Idempotency-Key": "k"}
    first, again = (service.ours.post("/v1/stores", json=wish, headers=key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    place = f"/v1/stores/{first.json()['id']}"

    def added(text: str) -> httpx2.Response:
        return service.ours.post(f"{place}/memories", json={"content": text}, headers=key)

    one, same, other = added(CAT), added(CAT), added("The dog slept in the hall.")
    assert (one.status_code, same.status_code) == (201, 201)
    assert one.json() == same.json()
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    found = service.ours.post(f"{place}/search", json={"query": CAT, "minSimilarity": 0})
    assert [memory["id"] for memory in found.json()["memories"]] == [one.json()["id"]]

    dog = service.ours.post(f"{place}/memories", json={"content": "The dog."}).json()["id"]
    relation = {"sourceId": one.json()["id"], "targetId": dog, "relationshipType": "contrasts"}
    for strength, status in ((0.9, 200), (0.9, 200), (0.1, 422)):
        told = {"Idempotency-Key": "r"}
        body = {**relation, "strength": strength}
        answer = service.ours.post("/v1/relationships", json=body, headers=told)
        assert answer.status_code == status, answer.text
    related = service.ours.get(f"/v1/relationships/{one.json()['id']}").json()["memories"]
    assert [memory["strength"] for memory in related] == [0.9]


@requirement("http.limits")
def test_a_call_that_has_begun_is_waited_for(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = {"tenantId": service.tenant, "userId": "ada"}

    def too_late(_: RequestDeadline) -> None:
        raise TimedOutError

    monkeypatch.setattr(RequestDeadline, "claim", too_late)
    late = service.ours.post("/v1/stores", json=wish)
    assert (late.status_code, late.json()["code"]) == (503, "request-timed-out")


@requirement("http.quota-of-stores")
@pytest.mark.parametrize("backend", ["file", "postgres"])
@pytest.mark.parametrize(("memories", "most_bytes"), [(2, 0), (0, 1)])
def test_the_stores_of_users_obey_the_quotas(
    backend: str, memories: int, most_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    url = "" if backend == "file" else server().url()
    tenant = uuid4().hex if url else "default"
    home = Home(tmp_path, ServerPlace(url, tenant) if url else IN_A_FILE)
    token = home.token(PrincipalKind.SERVICE)
    options = ServeOptions(
        home=str(tmp_path), address=url, most_memories=memories, most_bytes=most_bytes
    )
    with running(options) as address, client(address, token) as caller:
        store = caller.post("/v1/stores", json={"tenantId": tenant, "userId": "ada"}).json()["id"]
        answers = [
            caller.post(f"/v1/stores/{store}/memories", json={"content": f"Claim {number}."})
            for number in range(3)
        ]
        found = caller.post(
            f"/v1/stores/{store}/search", json={"query": "Claim", "minSimilarity": 0}
        ).json()["memories"]

    assert [one.status_code for one in answers] == [201] * memories + [429] * (3 - memories)
    assert answers[-1].json()["code"] == "quota-reached"
    assert len(found) == memories


@requirement("http.quota-of-bytes")
def test_a_call_beyond_the_quota_makes_no_database_for_a_new_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    token = Home(tmp_path).token(PrincipalKind.SERVICE)
    options = ServeOptions(home=str(tmp_path), address="", most_bytes=1)
    with running(options) as address, client(address, token) as caller:
        wish = {"tenantId": "default", "userId": "ada"}
        store = caller.post("/v1/stores", json=wish).json()["id"]
        before = folder_bytes(str(tmp_path))
        refused = caller.post(f"/v1/stores/{store}/memories", json={"content": CAT})
        found = caller.post(f"/v1/stores/{store}/search", json={"query": CAT, "minSimilarity": 0})
        blank = caller.post(f"/v1/stores/{store}/search", json={"query": ""})
        guessed = caller.get(f"/v1/relationships/{UUID(int=entropy_in(StoreId(store), 0))}")

    assert (refused.status_code, refused.json()["code"]) == (429, "quota-reached")
    assert (found.status_code, found.json()["memories"]) == (200, [])
    assert (blank.status_code, guessed.status_code) == (422, 404)
    assert folder_bytes(str(tmp_path)) == before
    assert not (tmp_path / "spaces" / store / "holdfast.db").exists()
