"""A tenant that is deleted, and added again, while a server runs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from holdfast import MemoryService
from holdfast.adapters.postgres.care.tenants import remove_tenant
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.bootstrap.plugs.addresses import ServerPlace
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.selection import Selection
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement
from tests.service_model import models

CLAIM = {"claim": "Tokens rotate hourly.", "because": "Seen."}


def delete(tenant: UUID) -> None:
    remove_tenant(read_address(server().url(READY, OWNER)), tenant, str(tenant))


@requirement("tenant.added-again")
def test_a_server_knows_the_new_tokens_of_a_tenant_that_was_added_again(tmp_path: Path) -> None:
    tenant = uuid4()
    home = Home(tmp_path, ServerPlace(server().url(), str(tenant)))
    old = home.token(PrincipalKind.PERSON)
    with running(ServeOptions(home=str(tmp_path), address=server().url())) as url:
        with client(url, old) as caller:
            assert caller.post("/v1/memories", json=CLAIM).status_code == 201
            delete(tenant)
            assert caller.get("/v1/memories").status_code == 401
        new = home.token(PrincipalKind.PERSON)
        with client(url, new) as caller:
            empty = caller.get("/v1/memories")
            kept = caller.post("/v1/memories", json=CLAIM)
            found = caller.post("/v1/recall", json={"q": "how often do tokens rotate"})
        with client(url, old) as caller:
            refused = caller.get("/v1/memories")

    assert (empty.status_code, empty.json()["total"]) == (200, 0)
    assert (kept.status_code, len(found.json()["items"])) == (201, 1)
    assert refused.status_code == 401


@requirement("tenant.added-again")
def test_a_server_without_tokens_serves_a_tenant_that_was_added_again(tmp_path: Path) -> None:
    tenant = uuid4()
    home = Home(tmp_path, ServerPlace(server().url(), str(tenant)))
    home.token()
    options = ServeOptions(
        home=str(tmp_path), address=server().url(), asks_for_tokens=False, tenant=str(tenant)
    )
    question = {"q": "how often do tokens rotate"}
    with running(options) as url, client(url) as caller:
        before = caller.post("/v1/recall", json=question)
        delete(tenant)
        gone = caller.post("/v1/recall", json=question)
        home.token()
        after = caller.post("/v1/recall", json=question)

    assert (before.status_code, gone.status_code, after.status_code) == (200, 404, 200)
    assert gone.json()["code"] == "no-such-store"


@requirement("tenant.added-again")
def test_a_program_that_reads_the_store_of_a_deleted_tenant_is_told(tmp_path: Path) -> None:
    tenant = uuid4()
    with closing(PostgresStore.open(server().url(), PostgresOptions(tenant=tenant))) as store:
        delete(tenant)
        with store.reading() as tx, pytest.raises(NoSuchStoreError):
            tx.memories.count(Selection())


@requirement("tenant.added-again")
def test_an_open_memory_service_has_no_store_of_a_deleted_tenant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    tenant, claim = uuid4(), "The cat slept on the mat."
    with MemoryService(server().url()) as service:
        store = service.get_or_create_store(tenant, "ada")
        cat = service.add_memory(store, claim)
        delete(tenant)
        for attempt in (
            lambda: service.search_memories(store, claim),
            lambda: service.add_memory(store, claim),
            lambda: service.get_related_memories(cat),
            lambda: service.add_relationship(cat, cat, "about"),
        ):
            with pytest.raises(NoSuchError):
                attempt()
        with MemoryService(server().url()) as other:
            assert other.get_or_create_store(tenant, "ada") == store
        assert service.get_or_create_store(tenant, "ada") == store
        assert service.search_memories(store, claim) == []
        again = service.add_memory(store, claim)
        assert [one.id for one in service.search_memories(store, claim)] == [again]


@requirement("http.tokens")
@pytest.mark.parametrize("spelled", ["{}", "{{{}}}", "{}-"])
def test_a_token_that_spells_its_tenant_in_another_way_is_not_taken(
    spelled: str, tmp_path: Path
) -> None:
    tenant = uuid4()
    token = Home(tmp_path, ServerPlace(server().url(), str(tenant))).token()
    other = token.replace(tenant.hex, spelled.format(tenant.hex.upper()))
    options = ServeOptions(home=str(tmp_path), address=server().url())
    with running(options) as url, client(url, token) as own, client(url, other) as caller:
        answers = [one.get("/v1/memories").status_code for one in (own, caller)]

    assert tenant.hex in token
    assert answers == [200, 401]
