"""Sends JSON, with retries. The API key is sent only to the configured address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.http.retrying import (
    TIMEKEEPER,
    Patience,
    PostFailedError,
    Timekeeper,
    asked_pause,
    may_pass,
    retried,
)
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.error import HTTPError

__all__ = ["HttpPost", "Patience", "PostFailedError", "Timekeeper", "answered", "posted_once"]

_LARGEST_ANSWER = 200_000_000
_SAID = 8_000
_CHUNK = 1 << 16
_SHORTEST_KEY = 4
_MESSAGE_FIELDS = ("error", "message", "detail")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPost:
    """A request: its address, body and headers, its limits of time, and the largest answer."""

    url: str
    body: Mapping[str, object] | None
    patience: Patience
    headers: Mapping[str, str] = field(default_factory=dict)
    largest: int = _LARGEST_ANSWER
    method: str = "POST"


def answered(post: HttpPost, *, times: Timekeeper = TIMEKEEPER) -> bytes:
    """Send the request, and retry it after a pause if that may help.

    Raises:
        PostFailedError: There was no answer, or an error answer.
    """
    return retried(
        lambda seconds: posted_once(post, seconds, times=times), post.patience, times=times
    )


def posted_once(post: HttpPost, seconds: float, *, times: Timekeeper = TIMEKEEPER) -> bytes:
    """Send the request once.

    Raises:
        PostFailedError: There was no answer, or an error answer.
    """
    from http.client import HTTPException, IncompleteRead
    from urllib.error import HTTPError, URLError

    try:
        return _posted(post, seconds, times)
    except HTTPError as error:
        raise _refused(error, post) from error
    except TimeoutError as error:
        raise _late(seconds) from error
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _late(seconds) from error
        raise _silent(error.reason) from error
    except ValueError as error:
        raise PostFailedError(problem=f"does not answer: {error}") from error
    except IncompleteRead as error:
        raise PostFailedError(problem="answers with a truncated text", may_pass=True) from error
    except (OSError, HTTPException) as error:
        raise _silent(error) from error


def _late(seconds: float) -> PostFailedError:
    return PostFailedError(
        problem=f"does not answer: nothing came within {seconds:g} seconds", may_pass=True
    )


def _silent(reason: object) -> PostFailedError:
    words = str(reason) or type(reason).__name__
    return PostFailedError(problem=f"does not answer: {words}", may_pass=True)


def _posted(post: HttpPost, seconds: float, times: Timekeeper) -> bytes:
    from http.client import IncompleteRead
    from urllib.request import Request

    from holdfast.adapters.http.limited import opener

    headers = {"Content-Type": "application/json", "User-Agent": "holdfast", **post.headers}
    content = None if post.body is None else json.dumps(post.body).encode()
    request = Request(post.url, data=content, headers=headers, method=post.method)  # noqa: S310 - settings take http and https only
    until = times.now() + seconds
    found = bytearray()
    with opener(post.url, lambda: until - times.now()).open(request, timeout=seconds) as answer:
        while chunk := answer.read1(_CHUNK):
            found += chunk
            if len(found) > post.largest:
                raise PostFailedError(problem=f"answers with more than {post.largest:,} bytes")
        stated = answer.headers.get("Content-Length", "")
    if stated.isdigit() and len(found) < int(stated):
        # A read with a limit returns a cut answer without an error.
        raise IncompleteRead(bytes(found), int(stated) - len(found))
    return bytes(found)


def _refused(error: HTTPError, post: HttpPost) -> PostFailedError:
    return PostFailedError(
        problem=f"answers with HTTP {error.code}: {_words(error, post)}",
        status=error.code,
        may_pass=may_pass(error.code),
        after=asked_pause(error.headers.get("Retry-After", "")),
    )


def _words(error: HTTPError, post: HttpPost) -> str:
    """Return the server's error message in quotation marks, without keys."""
    from http.client import HTTPException

    from holdfast.domain.gates.foreign_words import quoted

    try:
        with error:
            said = error.read(_SAID).decode("utf-8", "replace")
    except (OSError, HTTPException):
        said = ""
    words = message_in(said)
    for value in post.headers.values():
        # The last word of a header for access is the key; some servers repeat it.
        key = value.rpartition(" ")[2]
        words = words.replace(key, "[key]") if len(key) >= _SHORTEST_KEY else words
    return quoted(words) if words else "no reason given"


def message_in(body: str) -> str:
    """Return the message in an error answer: a field of its JSON if there is one, else all of it.

    Most services answer with ``{"error": {"message": "…"}}``, or with one of its parts.
    """
    try:
        shape: object = json.loads(body)
    except (ValueError, RecursionError):
        return body.strip()
    for name in _MESSAGE_FIELDS:
        if isinstance(shape, dict) and name in shape:
            shape = shape[name]
    return shape.strip() if isinstance(shape, str) else body.strip()
