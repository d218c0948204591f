"""Sends one request of any method to a server, and returns whatever it answers.

The caller learns whether a request that failed may have arrived: only then may it have had an
effect. Redirects are answers like others; they are not followed, so no header reaches another host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.adapters.http.retrying import TIMEKEEPER, Timekeeper
from holdfast.domain.errors import UnavailableError
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPResponse

_LARGEST_ANSWER = 64_000_000
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """A request: its method, address, body and headers, and the largest answer."""

    method: str
    url: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    largest: int = _LARGEST_ANSWER


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReply:
    """An answer of any status."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class NoReplyError(UnavailableError, code="no-reply"):
    """A server did not answer, or not completely; ``problem`` completes "it …"."""

    problem: str
    may_have_arrived: bool

    def __init__(self, *, problem: str, may_have_arrived: bool) -> None:
        super().__init__(f"It {problem}.", problem=problem, may_have_arrived=may_have_arrived)


def exchanged(call: HttpCall, seconds: float, *, times: Timekeeper = TIMEKEEPER) -> HttpReply:
    """Send the request once, and return the answer.

    Raises:
        NoReplyError: There was no answer, or only a part of one.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    from holdfast.adapters.http.limited import opener

    request = Request(call.url, data=call.body, headers=dict(call.headers), method=call.method)  # noqa: S310 - the address was checked when it was added
    until = times.now() + seconds
    limited = opener(call.url, lambda: until - times.now())
    try:
        try:
            with limited.open(request, timeout=seconds) as answer:
                return _read(answer, call)
        except HTTPError as error:
            with error:
                return _read(cast("HTTPResponse", error.fp), call)
    except TimeoutError as error:
        raise _late(seconds) from error
    except URLError as error:
        raise _unsent(error.reason, seconds) from error
    except (OSError, HTTPException, ValueError) as error:
        words = str(error) or type(error).__name__
        raise NoReplyError(problem=f"does not answer: {words}", may_have_arrived=True) from error


def _read(answer: HTTPResponse, call: HttpCall) -> HttpReply:
    found = bytearray()
    # A plain read waits until the chunk is full, however slowly the bytes arrive.
    while chunk := answer.read1(_CHUNK):
        found += chunk
        if len(found) > call.largest:
            problem = f"answers with more than {call.largest:,} bytes"
            raise NoReplyError(problem=problem, may_have_arrived=True)
    stated = answer.headers.get("Content-Length", "")
    if stated.isdigit() and len(found) < int(stated):
        raise NoReplyError(problem="answers with a truncated text", may_have_arrived=True)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return HttpReply(status=answer.status or 0, body=bytes(found), headers=headers)


def _late(seconds: float) -> NoReplyError:
    problem = f"does not answer: nothing came within {seconds:g} seconds"
    return NoReplyError(problem=problem, may_have_arrived=True)


def _unsent(reason: object, seconds: float) -> NoReplyError:
    """Return the error of a request that failed before its answer began."""
    from socket import gaierror
    from ssl import SSLError

    if isinstance(reason, TimeoutError):
        return _late(seconds)
    words = str(reason) or type(reason).__name__
    if isinstance(reason, SSLError):
        return NoReplyError(problem=f"cannot be trusted: {words}", may_have_arrived=False)
    is_refused = isinstance(reason, ConnectionRefusedError | gaierror)
    return NoReplyError(problem=f"does not answer: {words}", may_have_arrived=not is_refused)
