"""What a check has to say, and how it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.health import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

REPAIR = "Run 'holdfast doctor --repair': it keeps the damaged file and rescues what is whole."
REBUILD = "Run 'holdfast doctor --repair' to make it anew; the memories themselves are whole."
_NAMED = 20


def fine(check: str, message: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(check=check, severity=Severity.OK, message=message)


def note(check: str, message: str, advice: str = "") -> Finding:
    """Say something that is worth knowing and needs no hurry."""
    return Finding(check=check, severity=Severity.NOTE, message=message, advice=advice)


def warning(check: str, message: str, advice: str) -> Finding:
    """Say that something should be put right though no memory is affected."""
    return Finding(check=check, severity=Severity.WARNING, message=message, advice=advice)


def damage(check: str, message: str, advice: str = REPAIR) -> Finding:
    """Say that the truth itself has suffered."""
    return Finding(check=check, severity=Severity.DAMAGE, message=message, advice=advice)


def each(check: str, messages: Sequence[str], otherwise: str) -> list[Finding]:
    """Return a finding of damage for each message, the many summed up; or that all is well."""
    if not messages:
        return [fine(check, otherwise)]
    said = [damage(check, message) for message in messages[:_NAMED]]
    rest = len(messages) - len(said)
    return said + ([damage(check, f"And {rest:,} more like these.")] if rest else [])
