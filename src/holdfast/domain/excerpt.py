"""A short excerpt of a diff that shows both sides: what was there, and what is there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def both_sides(lines: Sequence[str], most: int) -> list[str]:
    """Return at most so many lines of a diff in their order, removed and added ones alike.

    Where one side is short the other one gets its room; lines that did not change come last.
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
