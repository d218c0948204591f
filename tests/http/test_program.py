"""The program itself: it says where it listens, ends gracefully, and loses nothing when killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from holdfast.bootstrap.plugs.addresses import ServerPlace
from holdfast.domain.errors import UnavailableError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.values import replace
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.serving import serve
from tests.http.conftest import Home, client, running
from tests.patience import PATIENCE, PAUSE
from tests.postgres_server import EMPTY, OWNER, server
from tests.requirements import requirement


@contextmanager
def program(home: Home, *options: str) -> Generator[tuple[subprocess.Popen[str], str], None, None]:
    """Run 'holdfast serve', and yield the process and its URL."""
    environment = {**os.environ, "HOLDFAST_HOME": str(home.folder), "HOLDFAST_MODELS": "/none"}
    environment.pop("PYTHONUNBUFFERED", None)  # the program itself must write the line at once
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "serve", "--port", "0", *options],
        env={**environment, "HOLDFAST_STORE": home.place.address or ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("Holdfast listens at http://127.0.0.1:"), line
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@requirement("http.graceful-end")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_is_told_to_end_finishes_what_runs(tmp_path: Path, workers: str) -> None:
    home = Home(tmp_path)
    token = home.token(PrincipalKind.PERSON)
    memory = home.machine().open()
    answers: list[httpx2.Response] = []

    def send(url: str) -> None:
        claim = {"claim": "It was finished.", "because": "Seen."}
        with client(url, token) as caller:
            answers.append(caller.post("/v1/memories", json=claim))

    with program(home, "--workers", workers) as (process, url):
        with client(url, token) as caller:
            assert caller.get("/v1/status").status_code == 200
        sending = threading.Thread(target=send, args=(url,))
        with memory.store.writing(memory.now()):
            sending.start()
            with client(url) as watcher:
                while "in_flight 2" not in watcher.get("/metrics").text and workers == "1":
                    time.sleep(PAUSE)
            if workers == "1":
                process.send_signal(signal.SIGTERM)
        sending.join()
        process.send_signal(signal.SIGTERM)

        assert process.wait(PATIENCE) == 0
    memory.close()
    assert [answer.status_code for answer in answers] == [201]


@requirement("http.once")
def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    token = home.token()
    said = [(f"key-{number}", {"goal": f"goal {number}"}) for number in range(40)]
    answered: dict[str, str] = {}
    for stop in (7, 23, 99):
        with program(home) as (process, url), client(url, token) as caller:
            for place, (key, body) in enumerate(said):
                if place == stop:
                    # The next request is under way when the server dies.
                    threading.Timer(0.001 * stop, process.kill).start()
                try:
                    answer = caller.post("/v1/runs", json=body, headers={"Idempotency-Key": key})
                except httpx2.TransportError:
                    break
                name = answer.json()["run"]["id"]
                assert answered.setdefault(key, name) == name
    memory = home.machine().open()
    goals = [run.goal for run in memory.runs.latest(limit=200, everywhere=True)]
    memory.close()

    assert sorted(goals) == sorted(str(body["goal"]) for _, body in said)
    assert len(answered) == len(said)


@requirement("http.many-spaces")
def test_one_server_serves_many_tenants_of_a_database(tmp_path: Path) -> None:
    url = server().url()
    homes = [
        Home(tmp_path / str(number), ServerPlace(address=url, tenant=str(uuid4())))
        for number in range(3)
    ]
    tokens = [home.token(PrincipalKind.PERSON) for home in homes]
    other = homes[0].token(PrincipalKind.PERSON, space=SpaceId("team"))
    crossed = ".".join(
        [*tokens[0].split(".")[:2], *tokens[1].split(".")[2:4], *tokens[0].split(".")[4:]]
    )
    options = ServeOptions(home=str(tmp_path), address=url, threads=2)
    names = []
    with running(options) as base:
        for number, token in enumerate([*tokens, other]):
            with client(base, token) as caller:
                claim = {"claim": f"Owl {number} hunts.", "because": "Seen."}
                said = {"Idempotency-Key": "same"}
                kept = caller.post("/v1/memories", json=claim, headers=said)
                again = caller.post("/v1/memories", json=claim, headers=said)
                assert (kept.status_code, again.content) == (201, kept.content)
                names.append(kept.json()["id"])
                listed = caller.get("/v1/memories").json()
                assert [one["id"] for one in listed["memories"]] == names[-1:]
                assert [caller.get(f"/v1/memories/{name}").status_code for name in names] == [
                    *[404] * number,
                    200,
                ]
        for token in tokens:  # a server adds a point at each look; nobody sees another's
            with client(base, token) as caller:
                assert len(caller.get("/v1/health").json()["history"]) == 1
        with client(base, crossed) as foreign:
            assert foreign.get("/v1/memories").status_code == 401
            assert foreign.get("/readyz").json() == {"status": "ready"}


@requirement("http.measured")
def test_a_server_whose_database_is_away_is_not_ready(tmp_path: Path) -> None:
    address = f"postgresql://nobody@/none?host={tmp_path}"
    options = ServeOptions(home=str(tmp_path), address=address)
    with running(options) as base, client(base) as caller:
        ready, healthy = caller.get("/readyz"), caller.get("/healthz")

    assert (ready.status_code, ready.json()["code"]) == (503, "server-unreachable")
    assert healthy.status_code == 200
    assert str(tmp_path) not in json.dumps(healthy.json())


def _unusable(name: str) -> str:
    """Return an address whose role or schema Holdfast refuses, by what is wrong with it."""
    found = server()
    if name == "superuser":
        return found.url(role="postgres")
    if name == "no database":
        return found.url("no_such_database")
    if name == "no role":
        return found.url(role="nobody_here")
    return found.url(role=OWNER) if name == "owner" else found.url(EMPTY)


@requirement("http.usable-database")
@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        ("superuser", "role-too-strong", "is a superuser"),
        ("owner", "role-too-strong", "owns tables of the store"),
        ("empty", "not-migrated", "has no schema of Holdfast"),
        ("no database", "server-refused", "the user or the database does not exist"),
        ("no role", "server-refused", "the user or the database does not exist"),
    ],
)
def test_a_database_that_no_request_could_use_is_refused(
    tmp_path: Path, wrong: str, code: str, said: str
) -> None:
    options = ServeOptions(home=str(tmp_path), address=_unusable(wrong), port=0)
    with running(options) as base, client(base) as caller:
        ready = caller.get("/readyz")
    with pytest.raises(UnavailableError, match=said):
        serve(options, tell=print)
    with pytest.raises(UnavailableError, match=said):
        serve(replace(options, workers=2), tell=print)

    assert (ready.status_code, ready.json()["code"]) == (503, code)


@requirement("http.usable-database")
def test_a_server_starts_while_its_database_is_away(tmp_path: Path) -> None:
    away = ServerPlace(address=f"postgresql://nobody@/none?host={tmp_path}", tenant="acme")
    with program(Home(tmp_path / "home", away)) as (_, url), client(url) as caller:
        assert caller.get("/readyz").status_code == 503
