"""A server on this machine that speaks both protocols of models, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


class Model:
    """What the server answers next, and all it was sent."""

    def __init__(self) -> None:
        self.answers: list[Callable[[], Answer]] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = ""

    @property
    def heard(self) -> str:
        """Everything that was sent, as one text."""
        return json.dumps(self.bodies, ensure_ascii=False)

    def says(self, text: str) -> None:
        """Answer the next request with a message, in the protocol it came in."""
        self.answers.append(lambda: (200, {}, self._message(text)))

    def proposes(self, *memories: dict[str, object]) -> None:
        """Answer the next request with memories."""
        self.says(json.dumps({"memories": list(memories)}))

    def refuses(self, status: int, **headers: str) -> None:
        """Refuse the next request."""
        self.answers.append(lambda: (status, headers, b"not you"))

    def mumbles(self, content: bytes) -> None:
        """Answer the next request with any bytes."""
        self.answers.append(lambda: (200, {}, content))

    def _message(self, text: str) -> bytes:
        if self.paths[-1].endswith("/messages"):
            return json.dumps({"content": [{"type": "text", "text": text}]}).encode()
        return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


@contextmanager
def speaking() -> Generator[Model]:
    """Run the server for a while."""
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.paths.append(self.path)
            model.bodies.append(body)
            model.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, headers, content = model.answers.pop(0)()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            with suppress(BrokenPipeError):  # whoever asked may have gone
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    model.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    try:
        yield model
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
