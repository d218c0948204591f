"""``holdfast serve`` as a process of its own, and requests to it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

_PATIENCE = 120.0


@dataclass(frozen=True, slots=True)
class Serving:
    """A running server: its process, and its URL."""

    process: subprocess.Popen[str]
    url: str

    @classmethod
    def start(cls, environment: Mapping[str, str], *options: str) -> Serving:
        """Start a server at a free port, and wait until it listens."""
        process = subprocess.Popen(
            [sys.executable, "-m", "holdfast", "serve", "--port", "0", *options],
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if process.stdout is None or not (line := process.stdout.readline()):
            sys.exit(f"holdfast serve ended with {process.wait()}")
        return cls(process, line.split()[-1])

    def kill(self) -> None:
        """Kill the server as a power cut would."""
        self.process.kill()
        self._close()

    def end(self) -> None:
        """Tell the server to end, and wait until it has."""
        self.process.terminate()
        self._close()

    def _close(self) -> None:
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def caller(self, token: str) -> Caller:
        """Return a caller that shows a token."""
        return Caller(HTTPConnection(urlsplit(self.url).netloc, timeout=_PATIENCE), token)


@dataclass(frozen=True, slots=True)
class Caller:
    """A connection on which requests with one token are sent."""

    connection: HTTPConnection
    token: str

    def send(
        self, method: str, path: str, body: Mapping[str, object] | None = None, *, key: str = ""
    ) -> tuple[int, Any]:
        """Return the status and the answer of a request."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        sent = None if body is None else json.dumps(body)
        self.connection.request(method, path, body=sent, headers=headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())
