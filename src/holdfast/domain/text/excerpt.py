"""A short excerpt of a diff that contains both removed and added lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def both_sides(lines: Sequence[str], most: int) -> list[str]:
    """Return at most ``most`` lines of a diff in order, with both removed and added ones.

    If one side is short, the other side gets its room; unchanged lines come last.
    """
    if len(lines) <= most:
        return list(lines)
    removed = [at for at, line in enumerate(lines) if line.startswith("-")]
    added = [at for at, line in enumerate(lines) if line.startswith("+")]
    others = [at for at, line in enumerate(lines) if not line.startswith(("-", "+"))]
    room = max(most // 2, most - len(removed))
    kept = added[:room]
    kept += removed[: most - len(kept)]
    kept += others[: most - len(kept)]
    return [lines[at] for at in sorted(kept)]
