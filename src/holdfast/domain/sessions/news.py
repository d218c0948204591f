"""A short report for a session about memories that changed since its last report."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import OVER
from holdfast.domain.text.fencing import fenced, quoted
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Selection

_LEAD = "Memory changed since this session began:"
_SHOWN_CLAIM = 400
_SHOWN_OLD_CLAIM = 120


class How(StrEnum):
    """How a memory changed for a session, in the words of the report."""

    NEW = "new"
    ENDED = "no longer holds"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsItem:
    """One memory that changed for the session; a forgotten one has no record."""

    memory_id: MemoryId
    how: How
    record: MemoryRecord | None = None

    @property
    def line(self) -> str:
        """The change as one line."""
        if self.record is None:
            return f"- {self.how.value} [{self.memory_id}]; do not rely on it any more"
        memory, standing = self.record.memory, self.record.standing
        if self.how is How.NEW:
            return f"+ {memory.kind.value} [{memory.id}] {_short(memory.claim, _SHOWN_CLAIM)}"
        newer = f" by {standing.superseded_by}" if standing.superseded_by else ""
        ended = f"- {self.how.value} [{memory.id}] ({standing.status.value}{newer})"
        return f"{ended}: {_short(memory.claim, _SHOWN_OLD_CLAIM)}"


def change_of(
    memory_id: MemoryId,
    record: MemoryRecord | None,
    *,
    told: Collection[str],
    within: Selection,
) -> NewsItem | None:
    """Return how a memory's change affects a session; None if it does not.

    A memory that the session never received cannot end for it, and one that it received is not
    new.
    """
    if record is None:
        known = memory_id in told
        return NewsItem(memory_id=memory_id, how=How.FORGOTTEN) if known else None
    if within.takes(record):
        return (
            None if memory_id in told else NewsItem(memory_id=memory_id, how=How.NEW, record=record)
        )
    here = within.view.seen(record)
    if memory_id in told and here.standing.status in OVER:
        return NewsItem(memory_id=memory_id, how=How.ENDED, record=here)
    return None


def news_text(
    changes: Sequence[NewsItem],
    *,
    nonce: str,
    fits: Callable[[str], bool],
) -> tuple[str, tuple[NewsItem, ...]]:
    """Return the changes as text, as many as fit, and the changes it contains."""
    for count in range(len(changes), 0, -1):
        said = tuple(changes[:count])
        rest = len(changes) - count
        lines = [
            _LEAD,
            *quoted((one.line for one in said), nonce=nonce),
            *([f"and {rest} more; recall finds them"] if rest else []),
        ]
        text = fenced("\n".join(lines), nonce=nonce)
        if fits(text):
            return text, said
    return "", ()


def _short(claim: str, most: int) -> str:
    flat = " ".join(claim.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
