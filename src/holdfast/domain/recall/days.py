"""Days as points in time: what was known at the end of a day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_FORM = "%Y-%m-%d"
_LENGTH = len("2026-01-31")
_LIKE_A_DAY = re.compile(r"[0-9]{4}-[0-9]{1,2}(?:-[0-9]{1,2})?")


def is_like_a_day(word: str) -> bool:
    """Return whether a word seems to mean a day or a month, such as 2024-1-31 or 2024-02."""
    return _LIKE_A_DAY.fullmatch(word) is not None


def end_of_day(word: str) -> datetime | None:
    """Return the moment at which a day such as 2026-01-31 is over (UTC); None if it is no day."""
    if len(word) != _LENGTH:
        return None
    try:
        return datetime.strptime(word, _FORM).replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None
