"""Decisions of people about memories, recorded so that they can be shown and undone."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import DecisionId, MemoryId
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import Standing


class Action(StrEnum):
    """The sort of decision."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    RESOLVE = "resolve"
    REVERT = "revert"
    DEPRECATE = "deprecate"
    TRUST = "trust"
    CONSOLIDATE = "consolidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingChange:
    """A memory's standing before and after a decision; before is None if it was created then."""

    memory_id: MemoryId
    before: Standing | None
    after: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A piece of evidence that was removed from a memory, or added to it."""

    memory_id: MemoryId
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of one person, with everything needed to undo it."""

    id: DecisionId
    at: datetime
    by: str
    action: Action
    changes: tuple[StandingChange, ...] = ()
    linked: tuple[Link, ...] = ()
    unlinked: tuple[Link, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    strengthened: tuple[Withdrawn, ...] = ()
    undone_at: datetime | None = None

    @property
    def memories(self) -> tuple[MemoryId, ...]:
        """Every memory the decision affected, each once."""
        changed = [change.memory_id for change in self.changes]
        linked = [end for link in (*self.linked, *self.unlinked) for end in (link.src, link.dst)]
        reasons = [one.memory_id for one in (*self.withdrawn, *self.strengthened)]
        return tuple(dict.fromkeys([*changed, *linked, *reasons]))

    def without(self, memory_id: MemoryId) -> Decision:
        """Return the decision without any trace of a forgotten memory."""
        return replace(
            self,
            changes=tuple(one for one in self.changes if one.memory_id != memory_id),
            linked=_elsewhere(self.linked, memory_id),
            unlinked=_elsewhere(self.unlinked, memory_id),
            withdrawn=tuple(one for one in self.withdrawn if one.memory_id != memory_id),
            strengthened=tuple(one for one in self.strengthened if one.memory_id != memory_id),
        )


def _elsewhere(links: tuple[Link, ...], memory_id: MemoryId) -> tuple[Link, ...]:
    return tuple(link for link in links if memory_id not in {link.src, link.dst})
