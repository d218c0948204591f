"""The memory service of a program whose store is a Holdfast server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast import HoldfastError, MemoryService
from holdfast.adapters.remote.remotes import RemoteFiles
from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.bootstrap.remote.service_calls import RemoteServiceCalls
from holdfast.domain.errors import BadFieldError, NoSuchError, SecretRefusedError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.remote_errors import (
    NotOnRemoteError,
    RemoteAnswerError,
    ServerAwayError,
    UnknownOutcomeError,
)
from holdfast.domain.service.memories import AddMemory, SearchMemories
from holdfast.domain.service.remotes import Remote
from holdfast.integrations.shelf import DocumentShelf
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, running
from tests.postgres_server import server
from tests.remote.test_misbehaving import (
    FOREIGN,
    Answer,
    Handler,
    answering,
    passed_on,
    proxied,
)
from tests.requirements import requirement
from tests.service_model import models

CAT, NOWHERE = "The cat slept on the mat.", "http://127.0.0.1:1"


@dataclass(frozen=True)
class Program:
    """A program with a home of its own, and a server that it knows under the name team."""

    home: Path
    url: str
    tenant: str


def knows(home: Path, url: str, token: str) -> None:
    RemoteFiles(home).add(Remote(name="team", url=url, is_default=False), token=token)


@pytest.fixture(params=["file", "postgres"])
def program(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "own"))
    url = "" if request.param == "file" else server().url()
    tenant = uuid4().hex if url else "default"
    home = Home(tmp_path / "served", ServerPlace(url, tenant) if url else IN_A_FILE)
    token = home.token(PrincipalKind.SERVICE)
    options = ServeOptions(home=str(home.folder), address=url)
    with running(options) as address:
        knows(tmp_path / "own", address, token)
        yield Program(tmp_path / "own", address, tenant)


def chosen(program: Program, way: str, monkeypatch: pytest.MonkeyPatch) -> MemoryService:
    """Open the service of the server in one of the ways to name it."""
    if way in {"argument", "remote"}:
        return MemoryService(program.url if way == "argument" else "team")
    if way == "default":
        RemoteFiles(program.home).use("team")
    else:
        monkeypatch.setenv("HOLDFAST_STORE", "team" if way == "name" else program.url)
    return MemoryService()


@requirement("service.over-a-remote")
@pytest.mark.parametrize("way", ["name", "address", "default", "argument", "remote"])
def test_the_five_calls_are_carried_out_by_the_server(
    program: Program, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    with chosen(program, way, monkeypatch) as service:
        store = service.get_or_create_store(program.tenant, "ada")
        cat = service.add_memory(
            store, CAT, "note", source="chat", importance=0, metadata={"turn": 4}, expires_at=soon
        )
        dog = service.add_memory(store, "The dog slept in the hall.")
        service.add_relationship(cat, dog, "contrasts", 0.9)
        [found] = service.search_memories(store, CAT, limit=1)
        [related] = service.get_related_memories(cat)

    assert (found.id, found.content, found.memory_type, found.source) == (cat, CAT, "note", "chat")
    assert (found.importance, found.metadata, found.expires_at) == (0, {"turn": 4}, soon)
    assert found.access_count == 1
    assert found.last_accessed is not None
    assert found.similarity is not None
    assert found["memory_id"] == found.memory_id
    assert found.memory_id.startswith("m_")
    assert (related.id, related.relationship_type, related.strength) == (dog, "contrasts", 0.9)
    assert not (program.home / "spaces").exists()
    assert not list(program.home.glob("*.db"))


@requirement("service.over-a-remote")
def test_a_word_is_a_remote_and_a_path_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    knows(tmp_path / "own", NOWHERE, "a-token-of-another-form")

    with MemoryService("team") as named, pytest.raises(ServerAwayError):
        named.get_or_create_store("acme", "ada")
    for store in ("other", "./team", Path("named"), "local"):
        with MemoryService(store) as service:
            service.get_or_create_store("acme", "ada")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["named", "other", "own", "team"]
    assert (tmp_path / "own" / "spaces").is_dir()


@requirement("service.over-a-remote")
def test_refusals_of_the_server_are_those_of_a_store(program: Program) -> None:
    with MemoryService(program.url, tenant=program.tenant) as service:
        store = service.get_or_create_store(program.tenant, "ada")
        with pytest.raises(NoSuchError):
            service.search_memories(str(uuid4()), CAT)
        with pytest.raises(NoSuchError):
            service.add_memory("nothing", CAT)
        with pytest.raises(BadFieldError):
            service.get_or_create_store("another", "ada")
        with pytest.raises(SecretRefusedError):
            service.add_memory(store, CAT, metadata={"password": "hunter2-and-more9"})
        with pytest.raises(SecretRefusedError):
            service.add_memory(store, "password: hunter2-and-more9")
    with pytest.raises(BadFieldError, match="token"):
        MemoryService(program.url, tenant="another")


@requirement("service.over-a-remote")
def test_a_server_that_is_away_keeps_nothing_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    knows(tmp_path, NOWHERE, "a-token-of-another-form")
    monkeypatch.setenv("HOLDFAST_STORE", "team")
    with (
        MemoryService(tenant="acme") as service,
        pytest.raises(ServerAwayError, match="team"),
    ):
        service.get_or_create_store("acme", "ada")
    assert not list(tmp_path.rglob("*.db"))


@requirement("service.over-a-remote")
def test_an_answer_of_another_form_is_said_to_be_one(tmp_path: Path) -> None:
    with answering(lambda at: at.send(200, b'{"memories": [{"id": 3}]}')) as (url, _):
        calls = RemoteServiceCalls(url, home=tmp_path)
        with pytest.raises(RemoteAnswerError):
            calls.search_memories(str(uuid4()), SearchMemories(query=CAT))


@requirement("service.over-a-remote")
def test_a_write_whose_answer_has_another_form_is_said_to_be_carried_out(tmp_path: Path) -> None:
    with answering(lambda at: at.send(201, b'{"name": 3}')) as (url, _):
        calls = RemoteServiceCalls(url, home=tmp_path)
        with pytest.raises(RemoteAnswerError, match="has carried the request out"):
            calls.add_memory(str(uuid4()), AddMemory(content=CAT))


@requirement("service.over-a-remote")
@pytest.mark.parametrize("answer", FOREIGN)
def test_after_an_answer_of_something_else_a_write_may_have_been_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    with answering(answer) as (url, _):
        knows(tmp_path, url, "token")
        with MemoryService(url) as service:
            with pytest.raises(UnknownOutcomeError, match="may have carried the request out"):
                service.add_memory(str(uuid4()), CAT)
            with pytest.raises(ServerAwayError, match="Holdfast server|redirect"):
                service.search_memories(str(uuid4()), CAT)


@requirement("service.over-a-remote")
def test_a_write_of_unknown_outcome_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    with answering(lambda at: at.send(502, b"")) as (url, _):
        knows(tmp_path, url, "token")
        with MemoryService(url) as service, pytest.raises(UnknownOutcomeError) as raised:
            service.add_memory(str(uuid4()), CAT)

    assert "idempotency_key" in raised.value.advice


@requirement("service.once")
def test_a_call_whose_answer_was_lost_is_repeated_with_its_key(
    program: Program,
) -> None:
    is_broken = [True]

    def between(at: Handler) -> None:
        if is_broken[0]:
            passed_on(at, program.url)
            at.say(404, b"<html>", {})
        else:
            proxied(program.url, is_old=False)(at)

    with MemoryService(program.url) as direct:
        store = direct.get_or_create_store(program.tenant, "ada")
    token = (program.home / "remotes" / "team" / "token").read_text()
    with answering(between) as (url, _):
        RemoteFiles(program.home).add(Remote(name="far", url=url, is_default=False), token=token)
        with MemoryService(url) as service:
            with pytest.raises(UnknownOutcomeError):
                service.add_memory(store, CAT, idempotency_key="chat-7")
            is_broken[0] = False
            again = service.add_memory(store, CAT, idempotency_key="chat-7")
            found = service.search_memories(store, CAT)

    assert [one.id for one in found] == [again]


@requirement("service.over-a-remote")
@pytest.mark.parametrize("way", ["name", "address", "default"])
def test_documents_of_a_framework_are_refused_and_not_kept_elsewhere(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    knows(tmp_path, NOWHERE, "token")
    if way == "default":
        RemoteFiles(tmp_path).use("team")
    else:
        monkeypatch.setenv("HOLDFAST_STORE", "team" if way == "name" else NOWHERE)
    with pytest.raises(NotOnRemoteError, match="a folder or a Postgres server") as refused:
        DocumentShelf("notes")
    assert isinstance(refused.value, HoldfastError)
    assert "postgresql://" in str(refused.value.advice)
    assert not list(tmp_path.rglob("*.db"))
