"""How long a claim is valid: read, computed and said in words."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    BadLifetimeError,
)

if TYPE_CHECKING:
    from datetime import datetime


GRACE = timedelta(days=30)
_LONGEST = timedelta(days=36_525)
_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}


def read_lifetime(text: str) -> timedelta | None:
    """Return the duration of ``30d``, ``12h`` …; ``never`` gives None: the claim does not expire.

    Raises:
        BadLifetimeError: It is not a lifetime, is not positive, or is over a century.
    """
    words = text.strip().lower()
    if words == "never":
        return None
    found = re.fullmatch(r"([0-9]{1,5})\s*([smhdwy])", words)
    if found is None:
        raise BadLifetimeError(text)
    lifetime = int(found[1]) * _UNITS[found[2]]
    if not timedelta(0) < lifetime <= _LONGEST:
        raise BadLifetimeError(text)
    return lifetime


def check_lifetime(lifetime: timedelta) -> timedelta:
    """Return a duration that can be a lifetime or an age.

    Raises:
        BadLifetimeError: It is not positive, or is over a century.
    """
    if not timedelta(0) < lifetime <= _LONGEST:
        raise BadLifetimeError(str(lifetime))
    return lifetime


def end_of_lifetime(keep_for: timedelta | None, *, since: datetime) -> datetime | None:
    """Return when a claim expires that is valid for this long; None if it does not expire.

    Raises:
        BadLifetimeError: The lifetime is not positive, or is over a century.
    """
    return None if keep_for is None else since + check_lifetime(keep_for)


def has_expired(expires_at: datetime | None, *, at: datetime) -> bool:
    """Tell whether the claim has expired; at the expiry instant itself it has."""
    return expires_at is not None and at >= expires_at


def may_be_removed(expires_at: datetime | None, *, at: datetime, grace: timedelta = GRACE) -> bool:
    """Tell whether the grace period after expiry is over; before that, nothing is removed."""
    return expires_at is not None and at >= expires_at + grace


def in_words(lifetime: timedelta) -> str:
    """Return a duration in words: ``30 days``, ``5 hours``, ``2 minutes``."""
    seconds = int(lifetime.total_seconds())
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = round(seconds / size)
            return f"{count:,} {name}{'s' if count != 1 else ''}"
    return f"{seconds} second{'s' if seconds != 1 else ''}"
