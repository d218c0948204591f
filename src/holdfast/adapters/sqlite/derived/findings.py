"""Builds the findings of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.health import HealthFinding, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

REPAIR = "Run 'holdfast doctor --repair': it keeps the damaged file and recovers the intact data."
REBUILD = "Run 'holdfast doctor --repair' to rebuild it; the memories themselves are intact."
_NAMED = 20


def fine(check: str, message: str) -> HealthFinding:
    """Return a finding that a check passed."""
    return HealthFinding(check=check, severity=Severity.OK, message=message)


def note(check: str, message: str, advice: str = "") -> HealthFinding:
    """Return a finding that is useful to know but not urgent."""
    return HealthFinding(check=check, severity=Severity.NOTE, message=message, advice=advice)


def warning(check: str, message: str, advice: str) -> HealthFinding:
    """Return a finding of a fault that affects no memory."""
    return HealthFinding(check=check, severity=Severity.WARNING, message=message, advice=advice)


def damage(check: str, message: str, advice: str = REPAIR) -> HealthFinding:
    """Return a finding that canonical data is damaged."""
    return HealthFinding(check=check, severity=Severity.DAMAGE, message=message, advice=advice)


def each(check: str, messages: Sequence[str], otherwise: str) -> list[HealthFinding]:
    """Return a damage finding for each message, summed up if many; else that the check passed."""
    if not messages:
        return [fine(check, otherwise)]
    said = [damage(check, message) for message in messages[:_NAMED]]
    rest = len(messages) - len(said)
    return said + ([damage(check, f"And {rest:,} more like these.")] if rest else [])
