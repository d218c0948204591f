"""Parse times in the formats of other programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

_MILLISECONDS = 10**11


def moment_of(value: object, *, zone: tzinfo | None = UTC) -> datetime | None:
    """Return a time from ISO text, seconds or milliseconds; None if the value is not a time.

    A text without a zone is read in this zone; None means the zone of this machine.
    """
    try:
        match value:
            case str():
                read = datetime.fromisoformat(value.strip())
                return read if read.tzinfo else read.replace(tzinfo=zone).astimezone(zone)
            case bool():
                return None
            case int() | float():
                seconds = value / 1000 if value > _MILLISECONDS else value
                return datetime.fromtimestamp(seconds, tz=UTC)
            case _:
                return None
    except (ValueError, OverflowError, OSError):
        return None
