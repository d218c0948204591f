"""Spans go to a collector, if one is named; a collector that is away disturbs nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.requirements import requirement

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector(BaseHTTPRequestHandler):
    """Keeps what it is sent."""

    bodies: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.bodies.append((self.path, body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Write nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    kept: list[tuple[str, bytes]] = []
    handler = type("OneCollector", (Collector,), {"bodies": kept})
    with HTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}", kept
        listening.shutdown()
        thread.join()


@requirement("http.measured")
def test_a_collector_gets_a_span_of_each_request(
    tmp_path: Path, collector: tuple[str, list[tuple[str, bytes]]]
) -> None:
    url, kept = collector
    token = Home(tmp_path).token()
    options = ServeOptions(home=str(tmp_path), address="", collector=f"{url}/")
    with running(options) as base, client(base, token) as caller:
        question = {"q": "where is the walrus"}
        caller.post("/v1/recall", json=question, headers={"traceparent": TRACE})
        caller.get("/healthz", headers={"traceparent": "nonsense"})

    bodies = [json.loads(body) for _, body in kept]
    spans = [span for body in bodies for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    assert {path for path, _ in kept} == {"/v1/traces"}
    assert [span["name"] for span in spans] == ["POST /v1/recall", "GET /healthz"]
    assert spans[0]["traceId"] == "0af7651916cd43dd8448eb211c80319c"
    assert spans[0]["parentSpanId"] == "b7ad6b7169203331"
    assert (len(spans[1]["traceId"]), spans[1]["parentSpanId"]) == (32, "")
    assert int(spans[0]["startTimeUnixNano"]) <= int(spans[0]["endTimeUnixNano"])
    assert "walrus" not in json.dumps(bodies)


@requirement("http.measured")
def test_a_collector_that_is_away_disturbs_nobody(tmp_path: Path) -> None:
    token = Home(tmp_path).token()
    options = ServeOptions(home=str(tmp_path), address="", collector="http://127.0.0.1:1")
    with running(options) as base, client(base, token) as caller:
        assert caller.get("/v1/status").status_code == 200
