"""What a comparison of texts returns: which later text amends which earlier one, and how."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.values import dataclass


class AmendmentKind(StrEnum):
    """How a later text differs from the earlier one; no word of either, so it may be stored."""

    NUMBER = "gives another number"
    DATE = "gives another date"
    VALUE = "gives another value"
    OPPOSITE = "says the opposite"
    GIVEN_UP = "gives up what this one says"
    RULE = "changes the rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """Two texts, each by the place of its source and its own place there, and what differs.

    ``differs`` is None if the later source, which amends another one, says the same as this one:
    the earlier text still holds, and the later one is the newest word about it. ``is_said`` tells
    that the later text itself says that something changes.
    """

    older: tuple[int, int]
    newer: tuple[int, int]
    differs: AmendmentKind | None
    is_said: bool
