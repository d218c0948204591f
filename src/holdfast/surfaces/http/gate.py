"""The gate: which hosts, origins and sizes of requests pass, whatever the bind address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.http.options import LOOPBACK_NAMES
from holdfast.surfaces.http.refusals import (
    HeadersTooLargeError,
    HostNotAllowedError,
    OriginNotAllowedError,
    UrlTooLongError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Scope

    from holdfast.surfaces.http.options import ServeOptions

LONGEST_URL = 16_384
LARGEST_HEADERS = 16_384
_PORTS = (":443", ":80")
_WHOLE_PAGE = ["document"]
_FOREIGN_SITES = {"cross-site", "same-site"}


class Gate:
    """Refuses requests before anything of them is read.

    A web page can send requests to a server on the reader's machine, also under a name that leads
    there (DNS rebinding). It cannot choose the headers Host and Origin, so these decide.
    """

    def __init__(self, options: ServeOptions) -> None:
        self._hosts = {name.lower() for name in (*LOOPBACK_NAMES, *options.hosts)}
        # A client leaves the usual port of a scheme out of the header Host.
        self._without_port = {name.removesuffix(port) for name in self._hosts for port in _PORTS}
        self._origins = {name.lower().rstrip("/") for name in options.origins}

    def refuse(self, scope: Scope, *, is_page: bool = False, is_link: bool = False) -> None:
        """Return if the request may pass; the forms of a page come from the page's own origin.

        ``is_link`` marks the address with the key of a link. A file of the person leads there, and
        browsers call a file another site; without the key, it opens nothing.

        Raises:
            UrlTooLongError, HeadersTooLargeError: It is too large.
            HostNotAllowedError: Its host is not one of this server's.
            OriginNotAllowedError: A web page of another origin sent it.
        """
        headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_URL:
            raise UrlTooLongError
        if sum(len(name) + len(value) for name, value in headers) > LARGEST_HEADERS:
            raise HeadersTooLargeError
        hosts = _values(headers, b"host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            raise HostNotAllowedError
        origins = _values(headers, b"origin")
        if is_page:
            own = {f"{scheme}://{hosts[0]}" for scheme in ("http", "https")}
            origins = [origin for origin in origins if origin not in own]
        if any(origin.rstrip("/") not in self._origins for origin in origins):
            raise OriginNotAllowedError
        if (
            is_link
            and scope["method"] == "GET"
            and _values(headers, b"sec-fetch-dest") == _WHOLE_PAGE
        ):
            return
        if not origins and _FOREIGN_SITES & set(_values(headers, b"sec-fetch-site")):
            raise OriginNotAllowedError

    def _is_own(self, host: str) -> bool:
        """Return whether a host is allowed, with or without a port."""
        name, colon, port = host.rpartition(":")
        bare = name if colon and port.isdigit() else host
        return host in self._without_port or host in self._hosts or bare in self._hosts


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    return [value.decode("latin-1").strip().lower() for name, value in headers if name == wanted]
