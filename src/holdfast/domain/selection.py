"""Which memories are meant: one value instead of ten arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.choices import Scope, Status
from holdfast.domain.values import dataclass
from holdfast.domain.view import View

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from holdfast.domain.choices import Kind, Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.place import Place, SpaceId

_SPACED = str.maketrans(dict.fromkeys(',;?()[]{}"`“”„‘«»…—', " "))
_WORDLESS = frozenset({"", "-", "–", "a", "an", "the"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A filter; what is not said does not restrict.

    ``place`` keeps what reaches that place; ``recallable_at`` keeps what may be
    given to an agent at that moment; ``expired_at`` keeps what has ended by then.
    ``view`` is the checkout that a status is judged by: what does not reach it is left out.
    ``branch`` keeps what was written on that branch; ``as_of`` keeps what was accepted at that
    moment, though it may have been superseded since.
    """

    space: SpaceId | None = None
    place: Place | None = None
    scopes: frozenset[Scope] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    origins: frozenset[Origin] = frozenset()
    tags: frozenset[str] = frozenset()
    key: str | None = None
    label: str | None = None
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
        """Tell whether the record is meant: the reference every store must agree with."""
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
            and _is(standing.label, self.label)
            and (self.pinned is None or standing.pinned is self.pinned)
            and (self.recallable_at is None or record.may_be_recalled_at(self.recallable_at))
            and (self.as_of is None or record.was_accepted_at(self.as_of))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """How many, from where: ``beyond`` is the sequence of the last one already seen."""

    limit: int = 50
    beyond: int | None = None
    oldest_first: bool = False


def reaches(record: MemoryRecord, place: Place) -> bool:
    """Tell whether a memory's scope reaches a place; another space is never reached."""
    memory = record.memory
    reached = {
        Scope.GLOBAL: True,
        Scope.WORKSPACE: memory.workspace == place.workspace,
        Scope.REPO: memory.repo is not None and memory.repo == place.repo,
    }
    return memory.space == place.space and reached[memory.scope]


@lru_cache(maxsize=64)
def near_form(claim: str) -> str:
    """Return the claim as two people would both have written it: words only, no case, no articles.

    Only the marks of prose go. Numbers with their signs, names, symbols and negations
    stay, so claims that differ in one of them never meet.
    """
    plain = _plain(claim)
    words = [word.rstrip(".:!'").removeprefix("'") for word in plain.translate(_SPACED).split()]
    return " ".join([word for word in words if word not in _WORDLESS]) or plain.strip()


def near_start(claim: str, count: int) -> str:
    """Return the first words of that form; the others are not looked at."""
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
