"""Posts JSON, with retries. The API key is sent only to the configured address."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector

_TRIES = 4
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 20.0
_TOO_MANY, _SERVER_FAULT = 429, 500
_LARGEST_ANSWER = 200_000_000
_SAID = 200


class PostFailedError(UnavailableError, code="post-failed"):
    """An address did not answer, or refused; ``problem`` completes "it …"."""

    problem: str
    status: int | None

    def __init__(self, *, problem: str, status: int | None = None) -> None:
        super().__init__(f"It {problem}.", problem=problem, status=status)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPost:
    """A request: its address, body and headers, and its timeout."""

    url: str
    body: Mapping[str, object]
    timeout: float
    headers: Mapping[str, str] = field(default_factory=dict)
    tries: int = _TRIES


def answered(post: HttpPost, *, pause: Callable[[float], None] = time.sleep) -> bytes:
    """Send the request, and retry it after a pause if that may help.

    Raises:
        PostFailedError: There was no answer, or an error answer.
    """
    from urllib.error import HTTPError, URLError

    wait = _FIRST_PAUSE_SECONDS
    for tries_left in range(post.tries - 1, -1, -1):
        try:
            return _posted(post)
        except HTTPError as error:
            may_help = error.code == _TOO_MANY or error.code >= _SERVER_FAULT
            if not tries_left or not may_help:
                raise _refused(error) from error
            asked = error.headers.get("Retry-After", "")
            wait = max(wait, float(asked)) if asked.isdigit() else wait
        except TimeoutError as error:
            raise PostFailedError(
                problem=f"does not answer: nothing came within {post.timeout:g} seconds"
            ) from error
        except URLError as error:
            raise PostFailedError(problem=f"does not answer: {error.reason}") from error
        except (OSError, ValueError) as error:
            raise PostFailedError(problem=f"does not answer: {error}") from error
        pause(min(wait, _LONGEST_PAUSE_SECONDS))
        wait *= 2
    raise PostFailedError(problem="does not answer, however often it is asked")


def _posted(post: HttpPost) -> bytes:
    from urllib.request import Request

    headers = {"Content-Type": "application/json", "User-Agent": "holdfast", **post.headers}
    content = json.dumps(post.body).encode()
    request = Request(post.url, data=content, headers=headers, method="POST")  # noqa: S310 - settings take http and https only
    with _opener().open(request, timeout=post.timeout) as answer:
        found: bytes = answer.read(_LARGEST_ANSWER)
    return found


def _refused(error: HTTPError) -> PostFailedError:
    return PostFailedError(
        problem=f"answers with HTTP {error.code}: {_words(error)}", status=error.code
    )


def _opener() -> OpenerDirector:
    """Return an opener that follows no redirects: the key is only for the configured address."""
    from urllib import request

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


def _words(error: HTTPError) -> str:
    """Return the server's error message, on one line."""
    try:
        said = error.read(_SAID).decode("utf-8", "replace")
    except OSError:
        said = ""
    return " ".join(said.split()).rstrip(".") or "no reason given"
