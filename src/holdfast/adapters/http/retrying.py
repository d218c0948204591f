"""Repeats a request to a server: exponential backoff with jitter, within limits of time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from holdfast.domain.errors import UnavailableError
from holdfast.domain.values import dataclass

_TRIES = 4
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 60.0
_TOO_EARLY, _TOO_MANY, _SERVER_FAULT = 425, 429, 500
_REQUEST_TIMEOUT = 408
Answer = TypeVar("Answer")


class PostFailedError(UnavailableError, code="post-failed"):
    """An address did not answer, or refused; ``problem`` completes "it …"."""

    problem: str
    status: int | None
    may_pass: bool
    after: float | None

    def __init__(
        self,
        *,
        problem: str,
        status: int | None = None,
        may_pass: bool = False,
        after: float | None = None,
    ) -> None:
        super().__init__(
            f"It {problem}.", problem=problem, status=status, may_pass=may_pass, after=after
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """The limits of one request: seconds of a try, number of tries, and seconds of them all."""

    timeout: float
    tries: int = _TRIES
    deadline: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeper:
    """The clock, the pause and the random numbers of retries."""

    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


TIMEKEEPER = Timekeeper()


def retried(
    attempt: Callable[[float], Answer], patience: Patience, *, times: Timekeeper = TIMEKEEPER
) -> Answer:
    """Return the answer of the first attempt that succeeds; an attempt gets its time limit.

    An attempt is repeated if its error says that this may help. The pause doubles each time and is
    shortened by chance, so that many clients do not return together; it is never shorter than the
    server asked for. If the pause does not fit into the limits, the last error is raised at once.

    Raises:
        PostFailedError: There was no answer, or an error answer.
    """
    begun, pause = times.now(), _FIRST_PAUSE_SECONDS
    for tries_left in range(patience.tries - 1, -1, -1):
        left = _left(patience, times.now() - begun)
        try:
            return attempt(min(patience.timeout, left))
        except PostFailedError as error:
            wait = max(pause * (1 + times.chance()) / 2, error.after or 0.0)
            is_too_long = wait > min(_LONGEST_PAUSE_SECONDS, _left(patience, times.now() - begun))
            if not tries_left or not error.may_pass or is_too_long:
                raise
        times.pause(wait)
        pause *= 2
    raise PostFailedError(problem="was not asked: no try is allowed")


def _left(patience: Patience, spent: float) -> float:
    """Return the seconds that are left for a request; a tenth of a second at least."""
    if patience.deadline is None:
        return float("inf")
    return max(0.1, patience.deadline - spent)


def may_pass(status: int) -> bool:
    """Return whether the same request may succeed later."""
    return status in {_REQUEST_TIMEOUT, _TOO_EARLY, _TOO_MANY} or status >= _SERVER_FAULT


def asked_pause(header: str, *, now: Callable[[], float] = time.time) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or the date of a retry."""
    from email.utils import parsedate_to_datetime

    asked = header.strip()
    if asked.isascii() and asked.isdigit():
        return float(asked[:9])
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - now())
    except (ValueError, TypeError, OverflowError):
        return None
