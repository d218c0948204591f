"""The log of the server: one JSON line per request, without content.

A line never contains a claim, a question, a parameter or a token.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from secrets import token_hex
from time import time_ns
from typing import TYPE_CHECKING

from holdfast.bootstrap.service.tracing import RequestSpan
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from typing import TextIO

_TRACE = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?P<trace>(?!0{32})[0-9a-f]{32})-(?P<parent>(?!0{16})[0-9a-f]{16})-[0-9a-f]{2}"
)
_ID_BYTES, _TRACE_BYTES = 8, 16
_NANOSECONDS = 1_000_000_000

# A caller may write any word here; a log and a counter take only known ones.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass(slots=True, kw_only=True)
class Visit:
    """A request as the log and the metrics see it."""

    request_id: str
    method: str
    trace: str | None = None
    parent: str = ""
    route: str = "none"
    token_id: str | None = None
    code: str | None = None
    reason: str | None = None
    """Why no store could recognise the caller; the caller itself is not told."""


def visit_of(method: str, traceparent: str) -> Visit:
    """Return the visit of a new request; a valid traceparent names the trace that it belongs to."""
    found = _TRACE.fullmatch(traceparent)
    return Visit(
        request_id=token_hex(_ID_BYTES),
        method=method if method in _METHODS else "other",
        trace=None if found is None else found["trace"],
        parent="" if found is None else found["parent"],
    )


def span_of(visit: Visit, *, status: int, seconds: float) -> RequestSpan:
    """Return the span of a request; one without a trace begins a trace of its own."""
    ended = time_ns()
    return RequestSpan(
        trace=visit.trace or token_hex(_TRACE_BYTES),
        span=visit.request_id,
        parent=visit.parent,
        method=visit.method,
        route=visit.route,
        status=status,
        begun=ended - int(seconds * _NANOSECONDS),
        ended=ended,
    )


# Every request has a line of its own, so these of uvicorn would be second ones.
_OF_REQUESTS = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "No supported WebSocket library detected.",
)


def log_no_plain_lines() -> None:
    """Let libraries write to the log as everything else does: in JSON, and without content."""
    logging.getLogger("uvicorn.error").addFilter(_is_no_request)
    logging.getLogger().addHandler(_LIBRARIES)


def _is_no_request(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_OF_REQUESTS)


class _LibraryLines(logging.Handler):
    """Writes a line for what a library warns of."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write which library warns, and where; its words may quote a request."""
        Journal().library(record)


_LIBRARIES = _LibraryLines(logging.WARNING)


class Journal:
    """Writes the log to stderr, one line at a time."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file

    def request(self, visit: Visit, *, status: int, seconds: float) -> None:
        """Write the line of a request."""
        self._write(
            {
                "event": "request",
                "request": visit.request_id,
                "method": visit.method,
                "route": visit.route,
                "status": status,
                "ms": round(seconds * 1_000, 2),
                "token": visit.token_id,
                "code": visit.code,
                "reason": visit.reason,
                "trace": visit.trace,
            }
        )

    def bug(self, visit: Visit, error: BaseException) -> None:
        """Write the line of a bug: the kind of error and its place, not its message."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = ""
        if trace is not None:
            file = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
            place = f"{file}:{trace.tb_lineno}"
        self._write(
            {
                "event": "bug",
                "request": visit.request_id,
                "route": visit.route,
                "error": type(error).__name__,
                "place": place,
            }
        )

    def library(self, record: logging.LogRecord) -> None:
        """Write the line of a library: its name, how bad it is, and the place in its code."""
        kind = record.exc_info[0] if record.exc_info else None
        self._write(
            {
                "event": "library",
                "logger": record.name,
                "level": record.levelname.lower(),
                "error": None if kind is None else kind.__name__,
                "place": f"{record.filename}:{record.lineno}",
            }
        )

    def _write(self, line: dict[str, object]) -> None:
        said = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **line}
        text = json.dumps({name: one for name, one in said.items() if one is not None})
        # One write: print writes the end of a line by itself, and another thread may come between.
        file = self._file or sys.stderr
        file.write(f"{text}\n")
        file.flush()
