"""Bounds what connections may take: the time of a request's headers, and open connections.

uvicorn waits without end for the rest of headers, so a client without a token could hold every
connection that the process may open.
"""

from __future__ import annotations

import logging
import resource
from contextlib import suppress
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from holdfast.surfaces.http.journal import Journal, visit_of
from holdfast.surfaces.http.problems import problem
from holdfast.surfaces.http.refusals import NotHttpError

HEADER_SECONDS = 20.0
"""The longest time from the first byte of a request, or a new connection, to its last header."""
_FILES_FOR_OTHERS = 192
_FEWEST = 32
_MOST_FILES = 65_536
_INVALID = "Invalid HTTP request received."


def log_no_plain_lines() -> None:
    """Leave uvicorn's line about what is no HTTP request out: the log has a line of its own."""
    logging.getLogger("uvicorn.error").addFilter(_is_of_others)


def _is_of_others(record: logging.LogRecord) -> bool:
    return record.msg != _INVALID


def raise_file_limit() -> None:
    """Let this process open as many files as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems name no limit and still refuse a number; then the soft one stays.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> int:
    """Return how many connections this process accepts; the other files are for the stores."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = _MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return max(_FEWEST, files - _FILES_FOR_OTHERS)


class _Timer(Protocol):
    """What the event loop returns for a call at a later time."""

    def cancel(self) -> None: ...


class BoundedConnection(H11Protocol):
    """A connection that is closed if the headers of a request do not arrive in time."""

    _headers_due: _Timer | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 - of the event loop
        """Accept the connection, unless there are too many already."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
            return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data; while the headers of a request are incomplete, the time runs."""
        super().data_received(data)
        self._note_headers()

    def on_response_complete(self) -> None:
        """Go on with the next request, which may have begun to arrive before the answer."""
        super().on_response_complete()
        if self.conn.trailing_data[0]:
            self._note_headers()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP request as every other refusal is answered, log it, and close."""
        refused = problem(NotHttpError())
        headers = [*refused.raw_headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=refused.status_code, headers=headers),
            h11.Data(data=bytes(refused.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        visit = visit_of("", "")
        visit.code = NotHttpError.code
        Journal().request(visit, status=refused.status_code, seconds=0)

    def _note_headers(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._headers_due is None:
            self._expect_headers()

    def _expect_headers(self) -> None:
        self._headers_due = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None
