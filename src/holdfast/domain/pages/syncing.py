"""Decide a three-way merge for an entry: the last agreed version, the file and the store.

Trust in the pages of a clone: it covers exactly what was shown, and nothing later.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.domain.choices import Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.entry import Flaw, PageEntry


FEW_REMOVALS = 8
REMOVED_SHARE = 0.3


class SyncStep(StrEnum):
    """What happens to one entry, in the words that people read."""

    AGREED = "in line"
    WRITTEN = "written"
    RESTORED = "restored"
    RELABELLED = "relabelled"
    TAKEN = "taken in"
    TAKEN_OUT = "taken out"
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


QUIET = frozenset({SyncStep.AGREED, SyncStep.ELSEWHERE, SyncStep.BEHIND})
"""Steps that are not reported, because nothing has to be done here."""

OPEN = frozenset(
    {
        *(SyncStep.CONFLICT, SyncStep.REMOVAL_REFUSED, SyncStep.REMOVAL_PROPOSED),
        *(SyncStep.REFUSED, SyncStep.LEFT, SyncStep.FORGOTTEN),
    }
)
"""Steps that a person has to decide."""

_WAITING = frozenset({*OPEN, SyncStep.PROPOSED, SyncStep.WAITING})

UNSETTLED = frozenset(
    {
        *OPEN,
        SyncStep.WRITTEN,
        SyncStep.RESTORED,
        SyncStep.RELABELLED,
        SyncStep.TAKEN,
        SyncStep.TAKEN_OUT,
        SyncStep.DEPRECATED,
        SyncStep.REMOVAL_PENDING,
    }
)
"""Steps that show that the pages and the store differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDigests:
    """The digests of one entry: last agreed, in the file, in the store, and earlier ones.

    ``since`` are versions that the store had after the agreed one; ``replaced`` are file versions
    that our own recent writes replaced. ``is_committed`` says that the last commit has the entry
    as the file has it.
    """

    base: str | None
    file: str
    store: str
    earlier: Collection[str] = ()
    since: Collection[str] = ()
    replaced: Collection[str] = ()
    is_committed: bool = False


def three_way(seen: EntryDigests) -> SyncStep:
    """Decide by who changed the entry: nobody, the store, the file, or both.

    ``TAKEN`` means that the file's text is new; whether it is accepted depends on its author.
    """
    if seen.file == seen.store:
        return SyncStep.AGREED
    if seen.base is None:
        if seen.file in seen.earlier:
            return SyncStep.WRITTEN
        return SyncStep.TAKEN if seen.is_committed else SyncStep.CONFLICT
    # An older text of our own is not an edit: a sync was interrupted before it recorded its write,
    # or an editor saved a copy that it had loaded before the write.
    if seen.file in {seen.base, *seen.since, *seen.replaced}:
        return SyncStep.WRITTEN
    return SyncStep.TAKEN if seen.store == seen.base else SyncStep.CONFLICT


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingEntry:
    """An entry that was in the file and is missing now.

    ``was_committed`` says that some commit had it, ``is_committed`` that the last one has it.
    ``is_of_here`` says that its memory is valid only on this branch, or on the main branch while
    that is checked out, so that a removal here is a removal everywhere.
    """

    has_git: bool
    is_committed: bool
    was_committed: bool
    is_of_here: bool


def absent(seen: MissingEntry) -> SyncStep:
    """Decide what a missing entry means; it is a removal only if git shows one."""
    if not seen.has_git:
        return SyncStep.RESTORED
    if seen.is_committed:
        return SyncStep.REMOVAL_PENDING
    if not seen.was_committed:
        return SyncStep.RESTORED
    return SyncStep.DEPRECATED if seen.is_of_here else SyncStep.ELSEWHERE


def are_too_many(gone: int, of: int) -> bool:
    """Tell whether too many entries are missing at once to be ordinary removals."""
    return gone > max(FEW_REMOVALS, REMOVED_SHARE * of)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryOutcome:
    """What happened to one entry, its place, and a sentence about it.

    ``proof`` is the hash of exactly what was shown of an entry that came with git and was not
    accepted yet; ``before`` is the current text in its place, ``entry`` the entry on the page.
    ``fields`` are the other fields of a task's page, with their names. ``is_new_page`` says that
    the page was made for it, and that git does not track the page yet.
    """

    step: SyncStep
    words: str = ""
    uid: MemoryId | None = None
    label: str | None = None
    claim: str = ""
    path: str = ""
    line: int = 0
    memory: MemoryId | None = None
    proof: str | None = None
    before: str = ""
    entry: PageEntry | None = None
    fields: tuple[tuple[str, str], ...] = ()
    is_new_page: bool = False

    @property
    def has_forgotten_text(self) -> bool:
        """Tell whether the entry on the page has a forgotten text, or had one before the sync."""
        is_replaced = self.words.startswith(messages.FORGOTTEN_REPLACED)
        return is_replaced or self.step is SyncStep.FORGOTTEN

    @property
    def details(self) -> dict[str, str]:
        """The status, key, expiry and checks of the entry, without those that are not set.

        Of the page of a task: its other fields.
        """
        if self.entry is None:
            return dict(self.fields)
        status = "" if self.entry.status is Status.ACCEPTED else self.entry.status.value
        found = {"status": status, "key": self.entry.key, "expires": self.entry.expires}
        found |= {"check": "; ".join(self.entry.checks)}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """The result of a sync: the outcome of each entry, unreadable parts, and notes."""

    outcomes: tuple[EntryOutcome, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    notes: tuple[str, ...] = ()
    entries: int = 0
    has_pages: bool = True
    is_dry: bool = False

    @property
    def told(self) -> tuple[EntryOutcome, ...]:
        """The outcomes that are worth reporting."""
        return tuple(one for one in self.outcomes if one.step not in QUIET)

    @property
    def new_pages(self) -> tuple[str, ...]:
        """The pages that were made, which git does not track yet."""
        return tuple(sorted({one.path for one in self.outcomes if one.is_new_page}))

    @property
    def open(self) -> tuple[EntryOutcome, ...]:
        """The outcomes that a person has to decide."""
        return tuple(one for one in self.outcomes if one.step in OPEN)

    @property
    def waits(self) -> bool:
        """Tell whether a person has to act: on an outcome, a flaw of a page, or a note."""
        waiting = any(one.step in _WAITING for one in self.outcomes)
        return bool(waiting or self.flaws or self.notes)

    @property
    def is_in_line(self) -> bool:
        """Tell whether the pages and the store agree, as far as both know the entries."""
        return not self.flaws and all(one.step not in UNSETTLED for one in self.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a sync found out about the edits of agents.

    ``proposed`` are the origins of edits that wait, by the entry's digest and by its text's mark;
    ``settled`` are the digests and marks that page and store share now.
    """

    proposed: Mapping[str, Origin] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()


NO_EDITS = Edits()
