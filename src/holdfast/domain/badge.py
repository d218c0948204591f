"""The line for a prompt: what waits for a person, or nothing."""


def badge(candidates: int, conflicts: int, drifted: int, warnings: int, *, look: str) -> str:
    """Return the one-line badge; empty when nothing waits for a person.

    ``look`` is how the caller's readers look at the store where it has warnings.
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
