"""The store's data about a repository's pages: chains of memories, and candidates beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.memory.chains import Chain, alone_on, chains_of, stands
from holdfast.domain.memory.entry import PAGES
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.memory.view import View
from holdfast.domain.pages.page_entry import (
    belongs_in_pages,
    earlier_evidence_of,
    entry_of,
    is_label,
    status_at,
)
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.witnessing import view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.standpoint import Standpoint
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.witness import Verifier
    from holdfast.ports.store.store import Store, Transaction

Name = TypeVar("Name", bound=str)

_AT_ONCE = 500
_NO_COMMIT = "HEAD"
_PROPOSING: tuple[str, ...] = (LinkKind.SUPERSEDES, LinkKind.CONTRADICTS)
"""The links from a candidate to the memory that it would replace or contradicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The checkout of the pages: its branch point, and its view."""

    place: Place
    point: Standpoint | None = None
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
        return _NO_COMMIT if self.point is None else self.point.head

    def owns(self, record: MemoryRecord) -> bool:
        """Tell whether a memory belongs to the current branch: the one aside, or the main one."""
        ours = None if self.point is None or not self.point.is_aside else self.point.branch
        return alone_on(record.memory) == ours


def look_here(*, store: Store, surroundings: Surroundings, witness: Verifier | None) -> Here:
    """Read the state of the checkout before any lock is taken; git is not asked later."""
    place = surroundings.place()
    seen = View()
    if witness is not None:
        with store.reading() as tx:
            seen = view(place, tx=tx, witness=witness)
    return Here(place=place, point=surroundings.standpoint(), view=seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """Everything in the store that the repository's pages could show, in one transaction."""

    here: Here
    at: datetime
    chains: Mapping[MemoryId, Chain] = field(default_factory=dict)
    spans: Mapping[SpanId, Span] = field(default_factory=dict)
    beside: Mapping[MemoryId, tuple[tuple[str, MemoryRecord], ...]] = field(default_factory=dict)
    """For each chain, the proposed and rejected replacements, with the kind of the link."""
    owners: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    """For each memory, the chain it belongs to."""
    labels: frozenset[str] = frozenset()

    def entry(self, record: MemoryRecord, uid: MemoryId, status: Status) -> PageEntry:
        """Return a memory as an entry of the pages."""
        return entry_of(record, uid=uid, status=status, spans=self.spans)

    def status(self, record: MemoryRecord, chain: Chain) -> Status:
        """Return the status of a version in this checkout.

        A version that was superseded only on another branch is still accepted on this one.
        """
        if record in chain.heads or not chain.heads:
            found = status_at(record, self.at)
            return found if record in chain.heads else Status.SUPERSEDED
        return Status.ACCEPTED

    def said_as(self, record: MemoryRecord, entry: PageEntry) -> bool:
        """Tell whether an entry has the content of a memory, independent of their status."""
        return entry.digest in self.digests(record, entry.status)

    def digests(self, record: MemoryRecord, status: Status) -> tuple[str, str]:
        """Return the digest of a memory as an entry, and in the form before hashes and ids."""
        entry = self.entry(record, record.memory.id, status)
        earlier = earlier_evidence_of(record, self.spans)
        if earlier == entry.evidence:
            return entry.digest, entry.digest
        return entry.digest, replace(entry, evidence=earlier).digest

    def shown(
        self, chain: Chain, *, base: MemoryId | None, entry: PageEntry | None
    ) -> MemoryRecord:
        """Return the version that the pages of this branch should show.

        If two versions are accepted side by side, the file's version takes precedence over the
        last agreed one. On another branch than the main one, only work of that branch changes an
        entry; other changes arrive with git.
        """
        if entry is not None:
            for head in reversed(chain.heads):
                if self.said_as(head, entry):
                    return head
        names = [one.memory.id for one in chain.versions]
        if self.here.is_aside and base is not None and base in names:
            return self._shown_aside(chain.versions[names.index(base) :], entry)
        return next((head for head in chain.heads if head.memory.id == base), chain.last)

    def _shown_aside(self, since: Sequence[MemoryRecord], entry: PageEntry | None) -> MemoryRecord:
        for one in reversed(since):
            if (entry is not None and self.said_as(one, entry)) or self.here.owns(one):
                return one
        return since[0]

    def may_show(self, record: MemoryRecord, chain: Chain) -> bool:
        """Tell whether a version may be written into the pages of this branch."""
        if self.here.is_detached:
            return False
        is_filed = any(is_label(one.standing.label) for one in chain.versions)
        return not self.here.is_aside or self.here.owns(record) or not is_filed


def read_register(here: Here, *, at: datetime, tx: Transaction) -> Register:
    """Read everything in the store that the repository's pages could show."""
    records = {one.memory.id: one for one in _records(here.place, tx=tx)}
    links = _links(list(records), tx=tx)
    seen = {name for name, one in records.items() if one.memory.standpoint not in here.view.unseen}
    chains = chains_of(records.values(), links, seen=seen)
    owners = {
        one.memory.id: uid
        for uid, chain in chains.items()
        for one in (*chain.versions, *chain.hidden)
    }
    labels = (one.standing.label for one in records.values())
    return Register(
        here=here,
        at=at,
        chains=chains,
        spans=_spans(records.values(), tx=tx),
        beside=_beside(records, links, owners),
        owners=owners,
        labels=frozenset(label for label in labels if label is not None),
    )


def _records(place: Place, *, tx: Transaction) -> Iterator[MemoryRecord]:
    wanted = Selection(place=place, scopes=frozenset({Scope.REPO}), kinds=frozenset(PAGES))
    page = Page(limit=_AT_ONCE, oldest_first=True)
    while found := tx.memories.find(wanted, page):
        yield from (one for one in found if belongs_in_pages(one.memory))
        page = replace(page, beyond=found.beyond)


def _links(names: Sequence[MemoryId], *, tx: Transaction) -> list[Link]:
    found = {
        (link.src, link.dst, link.kind): link
        for some in _batches(names)
        for link in tx.links.among(some)
    }
    return list(found.values())


def _batches(names: Sequence[Name]) -> Iterator[Sequence[Name]]:
    for start in range(0, len(names), _AT_ONCE):
        yield names[start : start + _AT_ONCE]


def _spans(records: Iterable[MemoryRecord], *, tx: Transaction) -> dict[SpanId, Span]:
    named = {item.span for one in records for item in one.evidence if item.span is not None}
    found: dict[SpanId, Span] = {}
    for some in _batches(sorted(named)):
        found |= tx.anchors.spans.read(some)
    return found


def _beside(
    records: Mapping[MemoryId, MemoryRecord],
    links: Sequence[Link],
    owners: Mapping[MemoryId, MemoryId],
) -> dict[MemoryId, tuple[tuple[str, MemoryRecord], ...]]:
    """Return the candidates and rejected memories beside each chain; proposed edits come first."""
    found: dict[MemoryId, list[tuple[str, MemoryRecord]]] = {}
    for link in links:
        side = records.get(link.src)
        if side is None or link.dst not in owners:
            continue
        if not stands(side) and link.kind in _PROPOSING:
            found.setdefault(owners[link.dst], []).append((link.kind, side))
    return {
        uid: tuple(sorted(sides, key=lambda one: (_PROPOSING.index(one[0]), one[1].sequence)))
        for uid, sides in found.items()
    }
