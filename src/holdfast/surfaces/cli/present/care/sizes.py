"""Sizes in bytes, as people read them."""

from __future__ import annotations

_UNITS = ("B", "KB", "MB", "GB", "TB")
_STEP = 1024


def size_text(count: float) -> str:
    """Return a size with the unit that fits it."""
    unit = 0
    while count >= _STEP and unit < len(_UNITS) - 1:
        count, unit = count / _STEP, unit + 1
    return f"{count:.0f} {_UNITS[unit]}" if unit == 0 else f"{count:.1f} {_UNITS[unit]}"
