"""The badge for a shell prompt: the open work for a person, or nothing."""

from __future__ import annotations


def badge(candidates: int, conflicts: int, drifted: int, warnings: int) -> str:
    """Return the one-line badge; empty if no work is open for a person."""
    parts = []
    if candidates:
        parts.append(f"{candidates} to review")
    if conflicts:
        parts.append(f"{conflicts} conflict{'s' if conflicts > 1 else ''}")
    if drifted:
        parts.append(f"{drifted} drifted")
    if warnings:
        parts.append("store needs a look: holdfast doctor")
    return f"◆ {' · '.join(parts)}" if parts else ""
