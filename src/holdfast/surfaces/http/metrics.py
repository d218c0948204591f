"""What the server counts, in the text format of Prometheus."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the latency histogram, in seconds."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_UNAVAILABLE = 503


class Metrics:
    """Counts requests by route and status, their durations, and failures of stores."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._below: Counter[tuple[str, float]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._durations: Counter[str] = Counter()
        self._in_flight = 0
        self._failures = 0

    def begin(self) -> None:
        """Count a request that begins."""
        with self._lock:
            self._in_flight += 1

    def end(self, *, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that ended."""
        with self._lock:
            self._in_flight -= 1
            self._requests[route, method, status] += 1
            self._durations[route] += 1
            self._seconds[route] += seconds
            for bound in BUCKETS:
                self._below[route, bound] += seconds <= bound
            self._failures += status == _UNAVAILABLE

    def text(self) -> str:
        """Return all counts."""
        with self._lock:
            return "\n".join([*self._lines(), ""])

    def _lines(self) -> Iterator[str]:
        yield "# HELP holdfast_http_requests_total Requests by route, method and status."
        yield "# TYPE holdfast_http_requests_total counter"
        for (route, method, status), many in sorted(self._requests.items()):
            labels = f'route="{route}",method="{method}",status="{status}"'
            yield f"holdfast_http_requests_total{{{labels}}} {many}"
        yield "# HELP holdfast_http_request_duration_seconds How long requests took."
        yield "# TYPE holdfast_http_request_duration_seconds histogram"
        for route, many in sorted(self._durations.items()):
            name = "holdfast_http_request_duration_seconds"
            for bound in BUCKETS:
                below = self._below[route, bound]
                yield f'{name}_bucket{{route="{route}",le="{bound:g}"}} {below}'
            yield f'{name}_bucket{{route="{route}",le="+Inf"}} {many}'
            yield f'{name}_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'{name}_count{{route="{route}"}} {many}'
        yield "# HELP holdfast_http_requests_in_flight Requests that are being answered."
        yield "# TYPE holdfast_http_requests_in_flight gauge"
        yield f"holdfast_http_requests_in_flight {self._in_flight}"
        yield "# HELP holdfast_store_errors_total Requests that failed because of a store."
        yield "# TYPE holdfast_store_errors_total counter"
        yield f"holdfast_store_errors_total {self._failures}"
