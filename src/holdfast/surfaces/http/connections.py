"""Bounds what connections may take: the times of requests and answers, and open connections.

uvicorn waits without end for the rest of headers or of a body, and for a client that does not read
its answer. So a client without a token could hold every connection that the process may open.
"""

from __future__ import annotations

import resource
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from holdfast.surfaces.http.journal import Journal, visit_of
from holdfast.surfaces.http.problems import problem
from holdfast.surfaces.http.refusals import NotHttpError

HEADER_SECONDS = 20.0
"""The longest time from the first byte of a request, or a new connection, to its last header."""
BODY_GRACE = 5.0
"""How many seconds a body may arrive after its request was given up; the refusal is read first."""
READ_SECONDS = 120.0
"""The longest time in which a client reads nothing of its answer; chosen by hand.

A slow line needs more than a minute for what the system has buffered already.
"""
_FILES_FOR_OTHERS = 192
_FEWEST = 32
_MOST_FILES = 65_536


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


def bounded_connection(seconds: float) -> type[H11Protocol]:
    """Return what makes the connections of a server whose requests may take so many seconds."""
    return cast("type[H11Protocol]", partial(BoundedConnection, seconds=seconds))


class BoundedConnection(H11Protocol):
    """A connection that is closed if a request does not arrive, or its answer is not read."""

    _headers_due: _Timer | None = None
    _body_due: _Timer | None = None
    _reading_due: _Timer | None = None

    def __init__(self, *parts: Any, seconds: float, **named: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*parts, **named)
        self._seconds = seconds

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
        self._note_read()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data; while the headers or the body of a request are incomplete, the time runs."""
        super().data_received(data)
        self._note_arrival()

    def pause_writing(self) -> None:
        """Wait until the client reads; from now on, the time runs."""
        super().pause_writing()
        self._note_read()
        self._reading_due = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with the answer: the client reads it."""
        self._note_read()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Go on with the next request, which may have begun to arrive before the answer."""
        super().on_response_complete()
        if self.conn.trailing_data[0] or self.conn.their_state is h11.SEND_BODY:
            self._note_arrival()

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

    def _note_arrival(self) -> None:
        state = self.conn.their_state
        if state is h11.IDLE:
            if self._headers_due is None:
                self._stop_waiting()
                self._expect_headers()
        elif state is not h11.SEND_BODY:
            self._stop_waiting()
        elif self._body_due is None:
            self._stop_waiting()
            # The body of a request that was answered already is read too, and thrown away.
            until = self._seconds + BODY_GRACE
            self._body_due = self.loop.call_later(until, self.transport.abort)

    def _expect_headers(self) -> None:
        self._headers_due = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        for timer in (self._headers_due, self._body_due):
            if timer is not None:
                timer.cancel()
        self._headers_due = self._body_due = None

    def _note_read(self) -> None:
        if self._reading_due is not None:
            self._reading_due.cancel()
            self._reading_due = None
