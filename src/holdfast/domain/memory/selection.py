"""Filters for memories: one value instead of ten arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NewType, TypeVar

from holdfast.domain.choices import Scope, Status
from holdfast.domain.memory.view import View
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime
    from typing import Self

    from holdfast.domain.choices import Kind, Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place, SpaceId

_SPACED = str.maketrans(dict.fromkeys(',;?()[]{}"`“”„‘«»…—', " "))
_WORDLESS = frozenset({"", "-", "–", "a", "an", "the"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter; fields that are not set do not restrict it.

    ``place`` selects memories that reach that place. ``recallable_at`` selects those that may be
    given to an agent at that moment, ``expired_at`` those that have expired by then. ``view`` is
    the checkout that determines a status; memories that do not reach it are excluded. ``branch``
    selects memories written on that branch. ``as_of`` selects those accepted at that moment, even
    if they were superseded since.
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
            and _is(memory.branch, self.branch)
            and _is(record.standing.superseded_by, self.superseded_by)
            and not self.view.hides(memory)
        )

    def _takes_standing(self, record: MemoryRecord) -> bool:
        standing = record.standing
        return (
            _in(standing.status, self.statuses)
            and _in(standing.label, self.labels)
            and (self.pinned is None or standing.pinned is self.pinned)
            and (self.recallable_at is None or record.may_be_recalled_at(self.recallable_at))
            and (self.as_of is None or record.was_accepted_at(self.as_of))
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
