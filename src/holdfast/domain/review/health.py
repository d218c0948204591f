"""The results of checks and repairs of the store."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection


class Severity(StrEnum):
    """How bad a finding is, least first."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    DAMAGE = "damage"


class Ability(StrEnum):
    """Upkeep that only some stores can do from here; a server leaves it to whoever runs it."""

    REPAIR = "repair"
    REBUILD = "rebuild"
    SCRUB = "scrub"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFinding:
    """One finding of a check: the problem, its severity, and what to do about it."""

    check: str
    severity: Severity
    message: str
    advice: str = ""


_WITHOUT = {
    Ability.REPAIR: "This store cannot be repaired from here; its administrator can restore a"
    " backup.",
    Ability.REBUILD: "This store updates its derived data by itself; nothing was rebuilt.",
    Ability.SCRUB: "This store keeps its files elsewhere: what was forgotten is gone from every"
    " answer, but its bytes may stay in those files until its administrator cleans them.",
}


def not_offered(abilities: Collection[Ability]) -> tuple[HealthFinding, ...]:
    """Return a note about each sort of upkeep that a store cannot do."""
    return tuple(
        HealthFinding(check=one.value, severity=Severity.NOTE, message=_WITHOUT[one])
        for one in Ability
        if one not in abilities
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFacts:
    """Facts that the store reports about itself."""

    location: str
    backend: str
    schema: int
    engine: str
    bytes_on_disk: int
    events: int
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """The result of a repair.

    ``missing`` is the number of memories that had been written and could not be rescued;
    ``changes_missing`` is the number of recent changes that are no longer in the log.
    """

    actions: tuple[str, ...]
    kept_damaged_file: str | None = None
    rescued: int = 0
    lost: tuple[str, ...] = ()
    missing: int = 0
    changes_missing: int = 0

    @property
    def is_complete(self) -> bool:
        """Tell whether everything that had been written was restored."""
        return not (self.lost or self.missing or self.changes_missing)
