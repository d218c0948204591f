"""The headers of every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)

# A proxy before us may read another length and let a second request hide in the body (RFC 9112,
# 6.3), so nothing more is read from such a connection.
_TWO_LENGTHS = frozenset({b"content-length", b"transfer-encoding"})
_CLOSING = ((b"connection", b"close"),)


def own_headers(
    headers: Mapping[bytes, bytes], request_id: bytes
) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of every answer; one to a request with two lengths ends the connection."""
    # A proxy may replace X-Request-Id; a client recognises the server by the other one.
    named = ((b"x-request-id", request_id), (b"holdfast-request", request_id))
    return (*_HEADERS, *named, *(_CLOSING if headers.keys() >= _TWO_LENGTHS else ()))
