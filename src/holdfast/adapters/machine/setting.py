"""One setting of a person."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its default, its meaning, and its valid values."""

    name: str
    default: str
    meaning: str
    accepts: Callable[[str], bool]
    takes: str
