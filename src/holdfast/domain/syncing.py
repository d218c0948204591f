"""What to do with an entry, from three sights of it: last time, in the file, in the store."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.domain.entry import Flaw
    from holdfast.domain.ids import MemoryId

FEW_REMOVALS = 8
REMOVED_SHARE = 0.3


class Step(StrEnum):
    """What happens to one entry, in a word that people read."""

    AGREED = "in line"
    WRITTEN = "written"
    RESTORED = "restored"
    RELABELLED = "relabelled"
    TAKEN = "taken in"
    PROPOSED = "proposed"
    WAITING = "waiting"
    CONFLICT = "conflict"
    DEPRECATED = "deprecated"
    REMOVAL_PENDING = "removal pending"
    REMOVAL_PROPOSED = "removal proposed"
    REMOVAL_REFUSED = "removal refused"
    REFUSED = "refused"
    LEFT = "left for sync"
    FORGOTTEN = "forgotten"
    ELSEWHERE = "elsewhere"
    BEHIND = "behind"


QUIET = frozenset({Step.AGREED, Step.ELSEWHERE, Step.BEHIND})
"""What nobody needs to hear of: there is nothing to do, here."""

OPEN = frozenset(
    {
        *(Step.CONFLICT, Step.REMOVAL_REFUSED, Step.REMOVAL_PROPOSED),
        *(Step.REFUSED, Step.LEFT, Step.FORGOTTEN),
    }
)
"""What a person has to decide."""

_WAITING = frozenset({*OPEN, Step.PROPOSED, Step.WAITING})

UNSETTLED = frozenset(
    {
        *OPEN,
        Step.WRITTEN,
        Step.RESTORED,
        Step.RELABELLED,
        Step.TAKEN,
        Step.DEPRECATED,
        Step.REMOVAL_PENDING,
    }
)
"""What says that the pages and the store are not in line, whoever looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sights:
    """The digests of one entry: agreed on last, in the file, in the store, and of old.

    ``since`` are versions that the store had after the one that was agreed on, ``replaced`` what
    our own writes lately took the place of in the file. ``is_committed`` says that the last
    commit has the entry as the file has it.
    """

    base: str | None
    file: str
    store: str
    earlier: Collection[str] = ()
    since: Collection[str] = ()
    replaced: Collection[str] = ()
    is_committed: bool = False


def three_way(seen: Sights) -> Step:
    """Decide by who changed the entry: nobody, the store, the file, or both.

    ``TAKEN`` means that the file's text is new; who wrote it decides whether it is accepted.
    """
    if seen.file == seen.store:
        return Step.AGREED
    if seen.base is None:
        if seen.file in seen.earlier:
            return Step.WRITTEN
        return Step.TAKEN if seen.is_committed else Step.CONFLICT
    # An older text of our own is nobody's edit: a sync was cut short before it could note what
    # it wrote, or an editor saved a copy that it had read before we wrote.
    if seen.file in {seen.base, *seen.since, *seen.replaced}:
        return Step.WRITTEN
    return Step.TAKEN if seen.store == seen.base else Step.CONFLICT


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """An entry that the file had and has no more.

    ``was_committed``: some commit was seen to have it. ``is_committed``: the last one has it.
    ``is_of_here``: its memory holds on this branch alone, or on the main one while that is
    checked out, so that a removal here is one everywhere it holds.
    """

    has_git: bool
    is_committed: bool
    was_committed: bool
    is_of_here: bool


def absent(seen: Absence) -> Step:
    """Decide what it means that an entry is gone: a removal only where git shows one."""
    if not seen.has_git:
        return Step.RESTORED
    if seen.is_committed:
        return Step.REMOVAL_PENDING
    if not seen.was_committed:
        return Step.RESTORED
    return Step.DEPRECATED if seen.is_of_here else Step.ELSEWHERE


def are_too_many(gone: int, of: int) -> bool:
    """Tell whether so many entries are gone at once that something else must have happened."""
    return gone > max(FEW_REMOVALS, REMOVED_SHARE * of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What happened to one entry, where it stands, and a sentence about it.

    ``proof`` names exactly what was shown of an entry that came with git and that nobody
    accepted yet; ``before`` is what stands in its place.
    """

    step: Step
    words: str = ""
    uid: MemoryId | None = None
    label: str | None = None
    claim: str = ""
    path: str = ""
    line: int = 0
    memory: MemoryId | None = None
    proof: str | None = None
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync did, entry by entry, what it could not read, and what to know besides."""

    outcomes: tuple[Outcome, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    notes: tuple[str, ...] = ()
    entries: int = 0
    has_pages: bool = True
    is_dry: bool = False

    @property
    def told(self) -> tuple[Outcome, ...]:
        """The outcomes that somebody wants to hear of."""
        return tuple(one for one in self.outcomes if one.step not in QUIET)

    @property
    def open(self) -> tuple[Outcome, ...]:
        """The outcomes that wait for a person."""
        return tuple(one for one in self.outcomes if one.step in OPEN)

    @property
    def waits(self) -> bool:
        """Tell whether anything waits for a person: an outcome, a flaw of a page, or a note."""
        waiting = any(one.step in _WAITING for one in self.outcomes)
        return bool(waiting or self.flaws or self.notes)

    @property
    def is_in_line(self) -> bool:
        """Tell whether the pages say what the store says, as far as it is known to both."""
        return not self.flaws and all(one.step not in UNSETTLED for one in self.outcomes)
