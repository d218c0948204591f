"""The results of checks and repairs of the store."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.values import dataclass


class Severity(StrEnum):
    """How bad a finding is, least first."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    DAMAGE = "damage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding of a check: the problem, its severity, and what to do about it."""

    check: str
    severity: Severity
    message: str
    advice: str = ""


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
