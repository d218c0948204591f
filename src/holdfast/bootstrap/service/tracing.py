"""Sends the spans of requests to a collector, as OTLP over HTTP in JSON.

A span has the route, the method and the status of a request, and nothing of its content.
"""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from typing import NamedTuple

from holdfast.adapters.http.posting import HttpPost, Patience, PostFailedError, answered

_PATH = "/v1/traces"
_MOST_WAITING = 2_048
_MOST_AT_ONCE = 256
_POST_SECONDS = 5.0
_END_SECONDS = 6.0
_SERVER_KIND = 2
_SERVER_ERROR, _ERROR_STATUS = 500, 2


class RequestSpan(NamedTuple):
    """One request in a trace; the times are nanoseconds since 1970."""

    trace: str
    span: str
    parent: str
    method: str
    route: str
    status: int
    begun: int
    ended: int


class TraceExporter:
    """Sends spans from a thread of its own; a collector that is away costs no request anything."""

    def __init__(self, endpoint: str) -> None:
        self._url = endpoint.rstrip("/") + _PATH
        self._waiting: queue.Queue[RequestSpan | None] = queue.Queue(_MOST_WAITING)
        self._thread = threading.Thread(target=self._send, name="holdfast-traces", daemon=True)
        self._thread.start()

    def add(self, span: RequestSpan) -> None:
        """Send a span soon; it is dropped if too many wait."""
        with suppress(queue.Full):
            self._waiting.put_nowait(span)

    def close(self) -> None:
        """Send what waits, for some seconds at most."""
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(_END_SECONDS)

    def _send(self) -> None:
        while True:
            spans = self._taken()
            kept = [one for one in spans if one is not None]
            if kept:
                patience = Patience(timeout=_POST_SECONDS, tries=1)
                post = HttpPost(url=self._url, body=_body(kept), patience=patience)
                with suppress(PostFailedError):
                    answered(post)
            if len(kept) < len(spans):
                return

    def _taken(self) -> list[RequestSpan | None]:
        """Wait for a span, and return it with the others that wait."""
        found = [self._waiting.get()]
        with suppress(queue.Empty):
            while len(found) < _MOST_AT_ONCE and found[-1] is not None:
                found.append(self._waiting.get_nowait())
        return found


def _body(spans: list[RequestSpan]) -> dict[str, object]:
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": [_attribute("service.name", "holdfast")]},
                "scopeSpans": [
                    {"scope": {"name": "holdfast"}, "spans": [_span(one) for one in spans]}
                ],
            }
        ]
    }


def _span(one: RequestSpan) -> dict[str, object]:
    return {
        "traceId": one.trace,
        "spanId": one.span,
        "parentSpanId": one.parent,
        "name": f"{one.method} {one.route}",
        "kind": _SERVER_KIND,
        "startTimeUnixNano": str(one.begun),
        "endTimeUnixNano": str(one.ended),
        "attributes": [
            _attribute("http.request.method", one.method),
            _attribute("http.route", one.route),
            {"key": "http.response.status_code", "value": {"intValue": str(one.status)}},
        ],
        "status": {"code": _ERROR_STATUS} if one.status >= _SERVER_ERROR else {},
    }


def _attribute(key: str, value: str) -> dict[str, object]:
    return {"key": key, "value": {"stringValue": value}}
