"""The badge for a shell prompt: the open work for a person, or nothing."""

from __future__ import annotations


def badge(candidates: int, conflicts: int, drifted: int, warnings: int, *, look: str) -> str:
    """Return the one-line badge; empty if no work is open for a person.

    ``look`` is how the readers of this surface look at a store that has warnings.
    """
    parts = []
    if candidates:
        parts.append(f"{candidates} to review")
    if conflicts:
        parts.append(f"{conflicts} conflict{'s' if conflicts > 1 else ''}")
    if drifted:
        parts.append(f"{drifted} drifted")
    if warnings:
        parts.append(f"store needs a look: {look}")
    return f"◆ {' · '.join(parts)}" if parts else ""
