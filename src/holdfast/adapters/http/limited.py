"""Opens an address within a time limit that holds for the whole answer.

The timeout of a socket begins anew with every byte that arrives, so a server that sends one byte
now and then could keep a caller waiting, in the headers as in the text.
"""

from __future__ import annotations

import io
from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING, Any
from urllib import request

from holdfast.adapters.http.addresses import is_local

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    Left = Callable[[], float]

_LEAST_WAIT = 0.001


class _LimitedReader(io.RawIOBase):
    """Reads a socket; every read gets only the time that is left."""

    def __init__(self, sock: socket.socket, left: Left) -> None:
        self._socket = sock
        self._left = left
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401 - the base class takes any buffer
        """Read some bytes.

        Raises:
            TimeoutError: No time is left.
        """
        left = self._left()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(max(left, _LEAST_WAIT))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Close the socket's file too."""
        self._raw.close()
        super().close()


def opener(url: str, left: Left) -> request.OpenerDirector:
    """Return an opener whose answers end with the time that is left.

    It follows no redirects: the key is only for the configured address. A request to this machine
    uses no proxy, whatever the variables say: it must not leave it.
    """

    def answering(sock: socket.socket, *given: Any, **named: Any) -> HTTPResponse:  # noqa: ANN401 - passed on as http.client gives them
        answer = HTTPResponse(sock, *given, **named)
        answer.fp.close()
        answer.fp = io.BufferedReader(_LimitedReader(sock, left))
        return answer

    def limited(connect: Callable[..., HTTPConnection]) -> Callable[..., HTTPConnection]:
        def connection(*given: Any, **named: Any) -> HTTPConnection:  # noqa: ANN401 - the same
            made = connect(*given, **named)
            # Its type says that it is a class; a function that returns an answer does as well.
            vars(made)["response_class"] = answering
            return made

        return connection

    class LimitedHttp(request.HTTPHandler):
        def do_open(self, http_class: Any, req: Any, **named: Any) -> Any:  # noqa: ANN401 - as urllib calls it
            return super().do_open(limited(http_class), req, **named)

    class LimitedHttps(request.HTTPSHandler):
        def do_open(self, http_class: Any, req: Any, **named: Any) -> Any:  # noqa: ANN401 - as urllib calls it
            return super().do_open(limited(http_class), req, **named)

    made = request.OpenerDirector()
    made.add_handler(request.ProxyHandler({} if is_local(url) else None))
    for handler in (
        LimitedHttp,
        LimitedHttps,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
    ):
        made.add_handler(handler())
    return made
