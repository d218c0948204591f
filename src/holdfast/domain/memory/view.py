"""The view of a checkout: which branch points are hidden, and what supersedes what there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.branch_point import BranchPoint, RewriteHow
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersession:
    """A memory that supersedes another; at least one of them was written aside.

    ``point`` is the branch point of the newer one. ``is_linked`` means that a link states it;
    otherwise the two have the same key, and the newer one takes precedence on its own branch only.
    ``stands`` means that people accepted the newer one; ``is_stored`` that the stored status of
    the older one names it as successor.
    """

    newer: MemoryId
    older: MemoryId
    point: BranchPoint | None
    stands: bool
    is_linked: bool = True
    is_stored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a checkout sees of a repository's memories.

    ``unseen`` are branch points whose work is not part of the checkout. ``replaced`` maps a memory
    that is superseded here to its successor, although its stored status is accepted. ``restored``
    are memories whose stored successor does not reach this checkout. ``successors`` are
    replacements of commits that must be stored: once git has deleted the old commits, they can no
    longer be detected.
    """

    unseen: frozenset[BranchPoint] = frozenset()
    replaced: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    restored: frozenset[MemoryId] = frozenset()
    note: str = ""
    successors: Mapping[str, tuple[str, RewriteHow]] = field(default_factory=dict)

    @property
    def branches(self) -> tuple[str, ...]:
        """The names of the branches that do not reach this checkout."""
        return tuple(sorted({one.branch for one in self.unseen if one.branch is not None}))

    def everywhere(self) -> View:
        """Return the same view with nothing hidden, to show other branches on demand."""
        return replace(self, unseen=frozenset(), note="")

    def hides(self, memory: Memory) -> bool:
        """Tell whether a memory was written on a branch that does not reach this checkout."""
        return memory.branch_point is not None and memory.branch_point in self.unseen

    def seen(self, record: MemoryRecord) -> MemoryRecord:
        """Return a record with the status that it has in this checkout."""
        standing, newer = record.standing, self.replaced.get(record.memory.id)
        if standing.status is Status.SUPERSEDED and record.memory.id in self.restored:
            if newer is not None:
                return record.with_standing(replace(standing, superseded_by=newer))
            return record.with_standing(
                replace(
                    standing,
                    status=Status.ACCEPTED,
                    superseded_by=None,
                    decided_by=None,
                    decided_at=None,
                )
            )
        if standing.status is Status.ACCEPTED and newer is not None:
            superseded = replace(
                standing, status=Status.SUPERSEDED, superseded_by=newer, decided_at=None
            )
            return record.with_standing(superseded)
        return record


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """The context of a decision: the place, the checked-out commit, and the view."""

    place: Place
    point: BranchPoint | None = None
    view: View = View()

    def branch_point_for(self, parent: Memory) -> BranchPoint | None:
        """Return the branch point for a new wording of a memory.

        It is the current one. If the memory belongs to another place, or to a branch that does not
        reach this checkout, it is the memory's own.
        """
        is_here = parent.repo is not None and parent.repo == self.place.repo
        return self.point if is_here and not self.view.hides(parent) else parent.branch_point


def view_of(
    supersessions: Iterable[Supersession],
    *,
    unseen: frozenset[BranchPoint],
    branch: str | None,
    note: str = "",
) -> View:
    """Compute the view of a checkout of a branch from supersessions.

    A memory that does not reach the checkout supersedes nothing there. On its own branch a memory
    takes precedence over those of other branches with the same key, even later ones.
    """
    replaced: dict[MemoryId, MemoryId] = {}
    restored: set[MemoryId] = set()
    for one in supersessions:
        if one.point in unseen:
            restored |= {one.older} if one.is_stored else set()
            continue
        if one.stands and not one.is_stored and (one.is_linked or _is_own(one.point, branch)):
            # If two memories superseded each other, the later one is valid.
            if replaced.get(one.newer) == one.older:
                del replaced[one.newer]
            replaced[one.older] = one.newer
    return View(unseen=unseen, replaced=replaced, restored=frozenset(restored), note=note)


def _is_own(point: BranchPoint | None, branch: str | None) -> bool:
    return point is not None and point.is_aside and branch is not None and point.branch == branch
