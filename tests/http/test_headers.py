"""Headers of a request, and requests that end in the middle."""

from __future__ import annotations

import socket
from time import sleep
from urllib.parse import urlsplit

import pytest

from tests.http.conftest import Served
from tests.patience import PAUSE
from tests.requirements import requirement

SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one
BODY = {"claim": "Headers are read once.", "evidence": ["https://example.com/why"]}


@requirement("gate.every-field")
def test_a_secret_key_names_an_answer_and_is_not_stored(served: Served) -> None:
    said = {"Idempotency-Key": SECRET}
    first = served.agent.post("/v1/memories", json=BODY, headers=said)
    again = served.agent.post("/v1/memories", json=BODY, headers=said)
    other = served.agent.post("/v1/memories", json={**BODY, "claim": "No."}, headers=said)

    assert first.status_code == 201, first.text
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert other.json()["code"] == "idempotency-key-reused"
    files = [path for path in served.home.folder.rglob("*") if path.is_file()]
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("name", ["Idempotency-Key", "Content-Type", "Content-Encoding"])
@requirement("http.problems")
def test_a_header_that_counts_once_is_refused_twice(served: Served, name: str) -> None:
    values = {"Idempotency-Key": "a", "Content-Type": "application/json"}
    twice = [(name, values.get(name, "identity")), (name, "text/plain")]
    plain = [] if name == "Content-Type" else [("Content-Type", "application/json")]
    content = b'{"claim": "Twice.", "evidence": ["https://example.com/why"]}'

    answer = served.agent.post("/v1/memories", content=content, headers=[*plain, *twice])

    assert (answer.status_code, answer.json()["code"]) == (422, "bad-field")
    assert f"header {name} is given twice" in answer.json()["detail"]


@requirement("gate.every-field")
def test_a_secret_is_no_name_of_a_worker(served: Served) -> None:
    answers = [
        served.agent.post("/v1/tasks", json={"title": "t", "worker": SECRET}),
        served.person.post("/v1/tasks", json={"title": "t", "worker": SECRET}),
    ]

    assert [one.json()["code"] for one in answers] == ["secret-refused"] * 2


CUT = {
    "a client that leaves": b"Content-Length: 100\r\n\r\n{",
    "a chunk without a size": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{",
}


@pytest.mark.parametrize("rest", CUT)
@requirement("http.measured")
def test_a_body_that_breaks_off_is_no_fault_of_the_server(served: Served, rest: str) -> None:
    address, token = urlsplit(served.url), str(served.person.headers["authorization"])
    head = "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    before = counted(served, 499)
    with socket.create_connection((address.hostname, address.port)) as half:
        half.sendall(f"{head}Authorization: {token}\r\n".encode() + CUT[rest])
        sleep(PAUSE)

    while counted(served, 499) == before and not counted(served, 500):
        sleep(PAUSE)
    assert (counted(served, 499), counted(served, 500)) == (before + 1, 0)


def counted(served: Served, status: int) -> int:
    """Return how many requests ended with a status."""
    lines = served.person.get("/metrics").text.splitlines()
    found = [one for one in lines if f'status="{status}"' in one and "_total" in one]
    return sum(int(float(one.rpartition(" ")[2])) for one in found)
