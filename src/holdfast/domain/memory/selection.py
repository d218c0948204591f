"""Filters for memories: one value instead of ten arguments.

The view of a checkout: which branch points are hidden, and what supersedes what there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NewType, TypeVar

from holdfast.domain.choices import Scope, Status
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime
    from typing import Self

    from holdfast.domain.choices import Kind, Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import BranchPoint, RewriteHow
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import Place, SpaceId


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
    longer be detected. ``renamed`` maps branches that git renamed to their names now.
    """

    unseen: frozenset[BranchPoint] = frozenset()
    replaced: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    restored: frozenset[MemoryId] = frozenset()
    note: str = ""
    successors: Mapping[str, tuple[str, RewriteHow]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def branches(self) -> tuple[str, ...]:
        """The names now of the branches that do not reach this checkout."""
        names = {one.branch for one in self.unseen if one.branch is not None}
        return tuple(sorted({self.renamed.get(name, name) for name in names}))

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


_SPACED = str.maketrans(dict.fromkeys(',;?()[]{}"`“”„‘«»…—', " "))
_WORDLESS = frozenset({"", "-", "–", "a", "an", "the"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter; fields that are not set do not restrict it.

    ``place`` selects memories that reach that place. ``recallable_at`` selects those that may be
    given to an agent at that moment, ``expired_at`` those that have expired by then. ``view`` is
    the checkout that determines a status; memories that do not reach it are excluded. ``branch``
    selects memories written on that branch, also under an earlier name. ``as_of`` selects those
    accepted at that moment, even if they were superseded since. ``own`` names what an agent noted
    or proposed itself, which ``recallable_at`` selects too until it expires or a person decides
    about it.
    """

    space: SpaceId | None = None
    place: Place | None = None
    scopes: frozenset[Scope] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    origins: frozenset[Origin] = frozenset()
    tags: frozenset[str] = frozenset()
    key: str | None = None
    labels: frozenset[str] = frozenset()
    source: str | None = None
    near_claim: str | None = None
    superseded_by: MemoryId | None = None
    pinned: bool | None = None
    recallable_at: datetime | None = None
    expired_at: datetime | None = None
    view: View = View()
    branch: str | None = None
    as_of: datetime | None = None
    own: frozenset[MemoryId] = frozenset()

    @property
    def branches(self) -> frozenset[str]:
        """The branch that is selected, and its earlier names; empty if none is."""
        if self.branch is None:
            return frozenset()
        earlier = (old for old, now in self.view.renamed.items() if now == self.branch)
        return frozenset((self.branch, *earlier))

    def takes(self, record: MemoryRecord) -> bool:
        """Tell whether the filter selects the record: the reference for every store."""
        return self._takes_memory(record) and self._takes_standing(self.view.seen(record))

    def _takes_memory(self, record: MemoryRecord) -> bool:
        memory = record.memory
        return (
            (self.space is None or memory.space == self.space)
            and (self.place is None or reaches(record, self.place))
            and _in(memory.scope, self.scopes)
            and _in(memory.kind, self.kinds)
            and _in(memory.origin, self.origins)
            and self.tags <= set(memory.tags)
            and _is(memory.key, self.key)
            and _is(memory.source, self.source)
            and (self.near_claim is None or near_form(memory.claim) == near_form(self.near_claim))
            and (self.expired_at is None or not memory.is_live_at(self.expired_at))
            and (self.branch is None or memory.branch in self.branches)
            and _is(record.standing.superseded_by, self.superseded_by)
            and not self.view.hides(memory)
        )

    def _takes_standing(self, record: MemoryRecord) -> bool:
        standing = record.standing
        return (
            _in(standing.status, self.statuses)
            and _in(standing.label, self.labels)
            and (self.pinned is None or standing.pinned is self.pinned)
            and (self.recallable_at is None or self._may_recall(record, self.recallable_at))
            and (self.as_of is None or record.was_accepted_at(self.as_of))
        )

    def _may_recall(self, record: MemoryRecord, moment: datetime) -> bool:
        return record.may_be_recalled_at(moment) or (
            record.standing.status in {Status.NOTED, Status.CANDIDATE}
            and record.memory.id in self.own
            and record.memory.is_live_at(moment)
        )


Cursor = NewType("Cursor", str)
"""Where a slice ended. Only the store that made a cursor can read it."""

Item_co = TypeVar("Item_co", covariant=True)


class Slice(tuple[Item_co, ...]):
    """Some of many, in order; ``beyond`` is the cursor from which to go on, none after nothing."""

    beyond: Cursor | None

    def __new__(cls, items: Iterable[Item_co] = (), *, beyond: Cursor | None = None) -> Self:
        """Make a slice of the items."""
        made = super().__new__(cls, items)
        made.beyond = beyond
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """How many, from where: ``beyond`` is the cursor of the slice before."""

    limit: int = 50
    beyond: Cursor | None = None
    oldest_first: bool = False


def reaches(record: MemoryRecord, place: Place) -> bool:
    """Tell whether a memory's scope reaches a place; it never reaches another space."""
    memory = record.memory
    reached = {
        Scope.GLOBAL: True,
        Scope.WORKSPACE: memory.workspace == place.workspace,
        Scope.REPO: memory.repo is not None and memory.repo == place.repo,
    }
    return memory.space == place.space and reached[memory.scope]


# A sync of thousands of entries asks seven times for each claim.
@lru_cache(maxsize=8192)
def near_form(claim: str) -> str:
    """Return a coarse form of a claim for searching: words without case, articles and brackets.

    Claims with the same coarse form may be the same statement; ``statement_form`` decides. Stores
    keep hashes of this form, so it must never change.
    """
    plain = _plain(claim)
    words = [word.rstrip(".:!'").removeprefix("'") for word in plain.translate(_SPACED).split()]
    return " ".join([word for word in words if word not in _WORDLESS]) or plain.strip()


def near_start(claim: str, count: int) -> str:
    """Return the first words of the normal form, without reading the rest."""
    plain = _plain(claim)
    words: list[str] = []
    for word in plain.translate(_SPACED).split():
        bare = word.rstrip(".:!'").removeprefix("'")
        if bare not in _WORDLESS:
            words.append(bare)
            if len(words) == count:
                break
    return " ".join(words or plain.split()[:count])


def _plain(claim: str) -> str:
    return claim.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _in(value: object, wanted: Collection[object]) -> bool:
    return not wanted or value in wanted


def _is(value: object, wanted: object) -> bool:
    return wanted is None or value == wanted
