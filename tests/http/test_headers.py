"""Headers of a request, and requests that end in the middle."""

from __future__ import annotations

import json
import logging
import socket
from time import sleep
from urllib.parse import urlsplit

import pytest

from tests.http.conftest import Served
from tests.patience import PAUSE
from tests.requirements import requirement

SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one
BODY: dict[str, object] = {
    "claim": "Headers are read once.",
    "evidence": ["https://example.com/why"],
}


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


PLACES = ("repo", "branch", "workspace")
WRITES: dict[str, dict[str, object]] = {
    "/v1/memories": BODY,
    "/v1/tasks": {"title": "Paint the fence"},
    "/v1/sessions": {"tool": "claude"},
    "/v1/runs": {"goal": "Paint the fence"},
    "/v1/recall": {"q": "What is read once?"},
}


def stored(served: Served, text: str) -> list[str]:
    files = [path for path in served.home.folder.rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("path", WRITES)
@requirement("gate.every-field")
def test_the_place_of_a_request_is_screened(served: Served, path: str, name: str) -> None:
    refused = served.agent.post(path, json=WRITES[path], params={name: SECRET})
    hidden = served.agent.post(path, json=WRITES[path], params={name: "a\u202e\x1b[31mb"})

    assert (refused.status_code, refused.json()["code"]) == (422, "secret-refused")
    assert SECRET not in refused.text
    assert hidden.status_code < 300, hidden.text
    assert stored(served, SECRET) + stored(served, "a\u202e") + stored(served, "\x1b[31mb") == []


@pytest.mark.parametrize("name", PLACES)
@requirement("gate.every-field")
def test_the_place_of_an_mcp_client_is_screened(served: Served, name: str) -> None:
    said = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}

    answer = served.agent.post("/mcp", json=said, params={name: SECRET}, headers=accepts)

    assert answer.status_code == 422, answer.text
    assert "secret-refused" in answer.text
    assert SECRET not in answer.text


@requirement("http.versions")
@pytest.mark.parametrize("value", ['"a", "b"', 'W/"a"', '""'])
def test_a_version_that_is_none_of_ours_is_not_the_current_one(served: Served, value: str) -> None:
    name = served.person.post("/v1/memories", json=BODY).json()["memory"]["id"]

    answer = served.person.put(f"/v1/memories/{name}/pin", json={}, headers={"If-Match": value})

    assert (answer.status_code, answer.json()["code"]) == (412, "version-changed")


@requirement("http.problems")
@pytest.mark.parametrize("value", ["", "x", ","])
def test_a_version_that_is_none_is_refused(served: Served, value: str) -> None:
    name = served.person.post("/v1/memories", json=BODY).json()["memory"]["id"]

    answer = served.person.put(f"/v1/memories/{name}/pin", json={}, headers={"If-Match": value})

    assert (answer.status_code, answer.json()["code"]) == (422, "bad-field")


MALFORMED = {
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two lengths": b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    "no HTTP": b"hello\r\n\r\n",
    "a header without a name": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
}


@pytest.mark.parametrize("name", MALFORMED)
@requirement("http.problems")
def test_what_is_no_http_is_answered_and_logged_like_every_refusal(
    served: Served, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    where = urlsplit(str(served.agent.base_url))
    with socket.create_connection((where.hostname or "", where.port or 0)) as used:
        used.sendall(MALFORMED[name])
        answer = b"".join(iter(lambda: used.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json" in head.lower()
    shape = json.loads(body)
    assert (shape["status"], shape["code"], shape["title"]) == (
        400,
        "not-http",
        "Malformed request",
    )
    assert served.agent.get("/healthz").status_code == 200
    logged = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert "not-http" in {line.get("code") for line in logged}


@requirement("http.quiet-log")
def test_whatever_a_library_warns_of_is_json_without_its_words(
    served: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket"}
    assert served.agent.get("/healthz", headers=upgrade).status_code == 200

    logging.getLogger("mcp.server").warning("Rejecting request for session %s", "a-session")

    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    [told] = [line for line in lines if line["event"] != "request"]
    assert (told["event"], told["logger"], told["level"]) == ("library", "mcp.server", "warning")
    assert "a-session" not in told.values()


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
