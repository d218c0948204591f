"""Hits that are left out of an answer because their text is encrypted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.placeholder import WHY_NOT, is_sensitive
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.ranking import Scored

_NAMED = 5


def without_sensitive(scored: Sequence[Scored]) -> tuple[Scored, ...]:
    """Leave out the sensitive memories, which only their keys, tags and names can have found."""
    return tuple(
        replace(item, answers=False, why_not=item.why_not or WHY_NOT)
        if is_sensitive(item.record.memory)
        else item
        for item in scored
    )


def sensitive_note(scored: Sequence[Scored]) -> str:
    """Return a note about sensitive memories that match; empty if none does."""
    found = [item.record.memory.id for item in scored if item.why_not == WHY_NOT]
    if not found:
        return ""
    named = ", ".join(found[:_NAMED])
    more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    noun = "memory matches" if len(found) == 1 else "memories match"
    return f"not shown: {len(found):,} sensitive {noun} by key, tags or name ({named}{more})"
