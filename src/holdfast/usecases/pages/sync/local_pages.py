"""The pages of a checkout, with what git and the last sync know about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import alone_on
from holdfast.domain.memory.selection import View
from holdfast.domain.values import dataclass, field
from holdfast.ports.anchors.clone import BroughtText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.entry import Flaw, PageEntry, Pages, PlacedEntry
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.ports.pages.files import Base

NO_COMMIT = "HEAD"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOut:
    """The checkout of the pages: its branch and commit, and the memories visible from it."""

    place: Place
    point: BranchPoint | None = None
    view: View = View()

    @property
    def is_aside(self) -> bool:
        """Tell whether another branch than the main one is checked out."""
        return self.point is not None and self.point.is_aside

    @property
    def is_detached(self) -> bool:
        """Tell whether a commit is checked out, and no branch."""
        return self.point is not None and self.point.branch is None

    @property
    def head(self) -> str:
        """The checked-out commit; HEAD if there is none."""
        return NO_COMMIT if self.point is None else self.point.head

    def owns(self, record: MemoryRecord) -> bool:
        """Tell whether a memory belongs to the branch that is checked out."""
        ours = None if self.point is None or not self.point.is_aside else self.point.branch
        return alone_on(record.memory) == ours


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPages:
    """The pages of the checkout, and what git and the last sync know about them."""

    checkout: CheckedOut
    pages: Pages
    committed: Mapping[MemoryId, frozenset[str]] | None
    """The digests of the entries in the last commit; None without git."""
    bases: Mapping[MemoryId, Base]
    """The version of each entry that the last sync left in page and store."""
    flaws: tuple[Flaw, ...]
    removed: Mapping[MemoryId, Base] = field(default_factory=dict)
    """The last agreement about each entry that a commit took out of the pages."""
    own_commits: frozenset[str] = frozenset()
    """Commits since which the pages were changed only in this clone."""
    own_reverts: frozenset[str] = frozenset()
    """Commits since which the pages were changed only in this clone, by reverts among others."""
    held_since: frozenset[MemoryId] = frozenset()
    """Missing entries that a commit of this clone had, made and undone since the last sync."""
    unedited: frozenset[str] = frozenset()
    """Pages whose text equals the last commit's."""
    brought: BroughtText = BroughtText()
    """What commits not made in this clone have of the changed entries."""
    is_merging: bool = False

    def last_agreed(self, uid: MemoryId | None) -> Base | None:
        """Return the last agreement about an entry, also if it was that the entry is gone."""
        name = uid or MemoryId("")
        return self.bases.get(name, self.removed.get(name))

    def is_committed(self, placed: PlacedEntry) -> bool:
        """Tell whether the last commit has the entry as the file has it."""
        return self.is_in_commit(placed.entry) or placed.path in self.unedited

    def is_in_commit(self, entry: PageEntry) -> bool:
        """Tell whether the last commit has exactly this entry, by its digest."""
        return entry.digest in self.texts_in_commit(entry)

    def texts_in_commit(self, entry: PageEntry) -> frozenset[str]:
        """Return the digests that the last commit has for an entry, on any page."""
        name = entry.uid or MemoryId(entry.digest)
        return (self.committed or {}).get(name, frozenset())

    def is_unchanged(self, entry: PageEntry) -> bool:
        """Tell whether an entry is as the last sync left it."""
        base = None if entry.uid is None else self.bases.get(entry.uid)
        return base is not None and base.digest == entry.digest
