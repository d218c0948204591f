"""Errors of the HTTP door: what is wrong with a request before its route is asked."""

from __future__ import annotations

from holdfast.domain.errors import ConflictError, InvalidError, NotFoundError, UnavailableError


class HostNotAllowedError(ConflictError, code="host-not-allowed"):
    """The request names a host that this server does not answer for."""


class OriginNotAllowedError(ConflictError, code="origin-not-allowed"):
    """The request comes from a web page that this server does not answer."""


class NotHttpError(InvalidError, code="not-http"):
    """The request is not valid HTTP, so it was not read."""


class UrlTooLongError(InvalidError, code="url-too-long"):
    """The URL of the request is too long."""


class HeadersTooLargeError(InvalidError, code="headers-too-large"):
    """The headers of the request are too large."""


class BodyTooLargeError(InvalidError, code="body-too-large"):
    """The body of the request is too large."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The body of the request is larger than {most:,} bytes.", most=most)


class BodyNotJsonError(InvalidError, code="not-json"):
    """The body of the request is not JSON."""


class ContentTypeError(InvalidError, code="content-type"):
    """A body must be JSON in UTF-8, with Content-Type: application/json and no Content-Encoding."""


class NoSuchRouteError(NotFoundError, code="no-such-route"):
    """This server has no such path."""

    hint: str = "GET /v1/openapi.json lists the routes."


class MethodNotAllowedError(InvalidError, code="method-not-allowed"):
    """This path does not take that method."""


class RateLimitedError(UnavailableError, code="rate-limited"):
    """The caller sends requests faster than this server allows."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "The caller sends requests faster than this server allows.", seconds=seconds
        )


class ServerBusyError(UnavailableError, code="server-busy"):
    """All workers of the server are in use."""
