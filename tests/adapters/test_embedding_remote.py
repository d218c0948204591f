from __future__ import annotations

import json
import struct
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from holdfast.adapters.embedding.card import RemoteFailedError, RemoteSizeError
from holdfast.adapters.embedding.remote import RemoteEmbedder, open_remote
from tests.patience import PATIENCE
from tests.requirements import requirement

Answer = tuple[int, dict[str, str], bytes]
Behaviour = Callable[[dict[str, Any]], Answer]


def good(body: dict[str, Any]) -> Answer:
    """Answer as the standard says, in any order: (length, 1, 0), not of length one."""
    data = [
        {"index": number, "embedding": [len(text), 1.0, 0.0]}
        for number, text in enumerate(body["input"])
    ]
    return 200, {}, json.dumps({"data": data[::-1]}).encode()


class Server:
    """A server that does what it is told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.behaviours: list[Behaviour] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""


@contextmanager
def running(server: Server) -> Generator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.bodies.append({"path": self.path, **body})
            server.headers.append(dict(self.headers))
            behaviour = server.behaviours.pop(0) if server.behaviours else good
            status, headers, content = behaviour(body)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(BrokenPipeError):  # whoever asked may have gone
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=httpd.serve_forever)
    thread.start()
    server.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with running(Server()) as one:
        yield one


def remote(server: Server, *, pauses: list[float] | None = None, **other: Any) -> RemoteEmbedder:
    waits = [] if pauses is None else pauses
    settings: dict[str, Any] = {"model": "small", "key": "", "dimension": 3, "timeout": PATIENCE}
    return RemoteEmbedder(url=server.url, pause=waits.append, **{**settings, **other})


def refusing(status: int, **headers: str) -> Behaviour:
    return lambda _body: (status, headers, b"not now")


def saying(content: object) -> Behaviour:
    return lambda _body: (200, {}, json.dumps(content).encode())


def test_texts_are_sent_in_batches_and_come_back_in_order(server: Server) -> None:
    embedder = remote(server)

    found = embedder.embed([f"{'x' * number}" for number in range(1, 151)])

    assert [len(body["input"]) for body in server.bodies] == [64, 64, 22]
    assert {body["path"] for body in server.bodies} == {"/v1/embeddings"}
    assert {body["model"] for body in server.bodies} == {"small"}
    for number, [vector] in enumerate(found, start=1):
        x, y, z = struct.unpack("<3f", vector.values)
        assert x == pytest.approx(number * y, rel=1e-4)
        assert x * x + y * y + z * z == pytest.approx(1)


def test_its_name_says_model_and_host(server: Server) -> None:
    embedder = remote(server)

    assert embedder.model.name == f"remote:small@{server.url.split('/')[2]}"
    assert embedder.model.dimension == 3
    assert server.bodies == []


def test_a_password_in_the_address_is_in_no_name() -> None:
    embedder = RemoteEmbedder(
        url="https://ada:hunter2@example.org/v1", model="m", key="", dimension=3, timeout=1
    )

    assert embedder.model.name == "remote:m@example.org"


def test_the_key_comes_from_the_variable_that_is_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_KEY", "word")
    embedder = open_remote(
        url=server.url, model="m", key_env="OUR_KEY", dimension=3, timeout=PATIENCE
    )

    embedder.ask("one")
    embedder.ask("one")

    assert [one["Authorization"] for one in server.headers] == ["Bearer word"]


def test_an_embedder_told_to_wait_waits_longer_each_time(server: Server) -> None:
    server.behaviours = [
        refusing(429),
        refusing(503),
        refusing(429, **{"Retry-After": "7"}),
    ]
    pauses: list[float] = []

    vector = remote(server, pauses=pauses).ask("one")

    assert vector.model.dimension == 3
    assert pauses == [0.5, 1.0, 7.0]


def test_an_embedder_that_goes_on_failing_is_given_up(server: Server) -> None:
    server.behaviours = [refusing(500)] * 9

    with pytest.raises(RemoteFailedError, match="HTTP 500: not now"):
        remote(server).ask("one")

    assert len(server.bodies) == 4


@requirement("model.key-stays-with-its-address")
def test_a_key_is_not_carried_to_another_address(server: Server) -> None:
    with running(Server()) as elsewhere:
        server.behaviours = [refusing(302, Location=f"{elsewhere.url}/embeddings")]

        with pytest.raises(RemoteFailedError, match="HTTP 302"):
            remote(server, key="word").ask("one")

        assert elsewhere.bodies == []


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_plain_no_is_not_asked_again(server: Server, status: int) -> None:
    server.behaviours = [refusing(status)] * 9

    with pytest.raises(RemoteFailedError, match=f"HTTP {status}"):
        remote(server).embed(["one"])

    assert len(server.bodies) == 1


@requirement("model.remote-nonsense-not-believed")
@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {"data": None},
        {"data": []},
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": "text"}]},
        {"data": [{"index": 0, "embedding": [1, None, 3]}]},
        {"data": [{"index": 0, "embedding": [1e400, 1, 1]}]},
        {"data": [{"index": 0, "embedding": [float("nan"), 1, 1]}]},
        {"data": [{"index": 0, "embedding": [0, 0, 0]}]},
        {"data": [{"index": 1, "embedding": [1, 2, 3]}]},
        {"data": [{"index": n, "embedding": [1, 2, 3]} for n in range(2)]},
        {"error": {"message": "quota"}},
    ],
)
def test_nonsense_is_not_believed(server: Server, content: object) -> None:
    server.behaviours = [saying(content)]

    with pytest.raises(RemoteFailedError, match=r"answers with .*embedding\.url"):
        remote(server).ask("one")


@requirement("model.remote-nonsense-not-believed")
@pytest.mark.parametrize("content", [b"", b"<html>", b"\xff\xfe", b'{"data": [{"index'])
def test_what_is_no_json_is_not_believed(server: Server, content: bytes) -> None:
    server.behaviours = [lambda _body: (200, {}, content)]

    with pytest.raises(RemoteFailedError, match="no list of embeddings"):
        remote(server).ask("one")


@requirement("model.remote-nonsense-not-believed")
def test_vectors_of_another_size_are_refused_with_the_way_out(server: Server) -> None:
    with pytest.raises(RemoteSizeError, match=r"set embedding\.dimension to 3"):
        remote(server, dimension=4).ask("one")


def test_a_server_that_says_nothing_is_given_up(server: Server) -> None:
    done = Event()

    def silent(body: dict[str, Any]) -> Answer:
        done.wait(PATIENCE)
        return good(body)

    server.behaviours = [silent]
    try:
        with pytest.raises(RemoteFailedError, match="does not answer"):
            remote(server, timeout=0.2).ask("one")
    finally:
        done.set()


def test_a_server_that_is_not_there_is_said(server: Server) -> None:
    gone = Server()
    with running(gone):
        pass

    with pytest.raises(RemoteFailedError, match="does not answer"):
        remote(gone).ask("one")
    assert server.bodies == []


def test_without_an_address_nothing_is_asked() -> None:
    with pytest.raises(RemoteFailedError, match=r"embedding\.url is not set"):
        open_remote(url="", model="m", key_env="K", dimension=3, timeout=1)
