"""A server on this machine that speaks the protocols of OpenAI and of Bedrock, and misbehaves."""

from __future__ import annotations

import base64
import json
import math
import socket
import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import unquote

from tests.patience import PATIENCE

Behaviour = Callable[["Handler", dict[str, Any]], None]
DIMENSION = 8


def vector_of(text: str, dimension: int) -> list[float]:
    """Return a direction made of the words of a text: like texts have like directions."""
    row = [0.01] * dimension
    for word in text.lower().replace(".", "").replace("?", "").split():
        stem = word.removesuffix("ing").removesuffix("s")[:4]
        row[int(sha256(stem.encode()).hexdigest(), 16) % dimension] += 1.0
    return row


@dataclass
class EmbeddingServer:
    """What the server does next, and all it was sent; it answers well unless told otherwise."""

    dimension: int = DIMENSION
    url: str = ""
    behaviours: list[Behaviour] = field(default_factory=list)
    always: Behaviour | None = None
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    done: Event = field(default_factory=Event)

    @property
    def base(self) -> str:
        """The address without a path, as for Bedrock."""
        return self.url.removesuffix("/v1")

    @property
    def texts(self) -> list[str]:
        """Every text that was sent."""
        found: list[str] = []
        for body in self.bodies:
            found += body.get("input", [body.get("inputText")])
        return found

    def next_behaviour(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Behaviour:
        """Record a request, and return what to do about it."""
        with self.lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.bodies.append(body)
            return self.behaviours.pop(0) if self.behaviours else (self.always or answer_well)


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server_state: EmbeddingServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state = self.server_state
        path = unquote(self.path)
        with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked may have gone
            state.next_behaviour(path, dict(self.headers), body)(self, body)

    def send(self, status: int, content: bytes, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Length": str(len(content)), **named}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@contextmanager
def serving(server: EmbeddingServer | None = None) -> Generator[EmbeddingServer]:
    """Run the server for a while."""
    state = server or EmbeddingServer()
    handler = type("OwnHandler", (Handler,), {"server_state": state})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    try:
        yield state
    finally:
        state.done.set()
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def answer_well(handler: Handler, body: dict[str, Any]) -> None:
    """Answer as the protocol says; OpenAI's vectors come in reverse order, with their index."""
    state = handler.server_state
    if "inputText" in body:
        size = int(body.get("dimensions", state.dimension))
        content = {
            "embedding": vector_of(body["inputText"], size),
            "inputTextTokenCount": len(body["inputText"].split()),
        }
    else:
        size = int(body.get("dimensions", state.dimension))
        rows = [vector_of(text, size) for text in body["input"]]
        data = [
            {"object": "embedding", "index": number, "embedding": _form(row, body)}
            for number, row in enumerate(rows)
        ]
        words = sum(len(text.split()) for text in body["input"])
        usage = {"prompt_tokens": words, "total_tokens": words}
        content = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
    handler.send(200, json.dumps(content).encode(), Content_Type="application/json")


def _form(row: list[float], body: dict[str, Any]) -> object:
    if body.get("encoding_format") != "base64":
        return row
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()


def refuse(status: int, content: bytes = b"not now", **headers: str) -> Behaviour:
    """Refuse a request."""
    return lambda handler, _body: handler.send(status, content, **headers)


def say(content: object) -> Behaviour:
    """Answer with any JSON."""
    return lambda handler, _body: handler.send(200, json.dumps(content).encode())


def say_bytes(content: bytes) -> Behaviour:
    """Answer with any bytes."""
    return lambda handler, _body: handler.send(200, content)


def truncate(handler: Handler, body: dict[str, Any]) -> None:
    """State a length, send half of it and close the connection."""
    content = json.dumps({"data": [], "embedding": [1.0] * 99, "of": len(body)}).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[: len(content) // 2])
    handler.close_connection = True


def reset(handler: Handler, _body: dict[str, Any]) -> None:
    """Reset the connection instead of an answer."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def stay_silent(handler: Handler, _body: dict[str, Any]) -> None:
    """Say nothing until the test is over."""
    handler.server_state.done.wait(PATIENCE)


def send_slowly(handler: Handler, _body: dict[str, Any]) -> None:
    """Send one byte after another: each of them arrives in time, and the answer never does."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.server_state.done.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def flood(handler: Handler, _body: dict[str, Any]) -> None:
    """Send an answer without an end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * (1 << 20))


def length(row: list[float]) -> float:
    """Return the length of a vector."""
    return math.sqrt(sum(value * value for value in row))
