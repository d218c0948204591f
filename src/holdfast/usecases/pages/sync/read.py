"""Read what a sync compares: the checkout, its pages, the last commit, and the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import SHARED, LinkKind, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PAGES, entry_digest
from holdfast.domain.memory.link import Chain, chains_of, stands
from holdfast.domain.memory.selection import Page, Selection, View
from holdfast.domain.pages.page_entry import (
    belongs_in_pages,
    digest_fields,
    earlier_evidence_of,
    entry_of,
    evidence_of,
    is_label,
    is_uid,
    key_and_expiry,
    status_at,
)
from holdfast.domain.refusals import BranchChangedError, PagesNeedRepositoryError
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.naming import is_known
from holdfast.usecases.pages.sync.authors import with_authors
from holdfast.usecases.pages.sync.local_pages import CheckedOut, LocalPages

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.ports.pages.files import Base
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync import SyncPorts

Name = TypeVar("Name", bound=str)

_BATCH = 500
_EDITOR_SECONDS = 3_600
"""How long an editor may hold a page that it loaded before our write."""
_PROPOSING: tuple[str, ...] = (LinkKind.SUPERSEDES, LinkKind.CONTRADICTS)
"""The links from a candidate to the memory that it would replace or contradicts."""


def replaced_lately(base: Base, now: datetime) -> Sequence[str]:
    """Return the texts that our writes replaced, as long as an editor may still hold them."""
    return base.replaced if 0 <= now.timestamp() - base.written < _EDITOR_SECONDS else ()


def read_checkout(ports: SyncPorts) -> CheckedOut:
    """Read the state of the checkout before any lock is taken; git is not asked later."""
    place = ports.surroundings.place()
    visible = View()
    if ports.verifier is not None:
        with ports.store.reading() as tx:
            visible = view(place, tx=tx, verifier=ports.verifier)
    return CheckedOut(place=place, point=ports.surroundings.branch_point(), view=visible)


def read_local(ports: SyncPorts, *, dry_run: bool) -> LocalPages:
    """Read the pages, after repairing the conflicts that a merge left in them.

    Raises:
        PagesNeedRepositoryError: There is no repository for the pages.
        BranchChangedError: Another branch was checked out meanwhile.
    """
    checkout = read_checkout(ports)
    if checkout.place.repo is None:
        raise PagesNeedRepositoryError
    notebook, clone = ports.notebook, ports.own_clone
    conflicts = () if dry_run else notebook.heal()
    bases = notebook.bases()
    pages = notebook.read()
    limits = () if ports.settings is None else ports.settings.flaws()
    local = LocalPages(
        checkout=checkout,
        pages=pages,
        committed=notebook.committed(),
        bases={uid: base for uid, base in bases.items() if not base.is_removed},
        removed={uid: base for uid, base in bases.items() if base.is_removed},
        flaws=tuple(dict.fromkeys((*conflicts, *pages.flaws, *limits))),
    )
    if clone is not None:
        local = with_authors(replace(local, is_merging=clone.is_joining()), clone)
    if ports.surroundings.branch_point() != checkout.point:
        raise BranchChangedError
    return local


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """Everything in the store that the repository's pages could show, in one transaction."""

    checkout: CheckedOut
    at: datetime
    chains: Mapping[MemoryId, Chain] = field(default_factory=dict)
    spans: Mapping[SpanId, Span] = field(default_factory=dict)
    proposals: Mapping[MemoryId, tuple[tuple[str, MemoryRecord], ...]] = field(default_factory=dict)
    """For each chain, the proposed and rejected replacements, with the kind of the link."""
    owners: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    """For each memory, the chain it belongs to."""
    labels: frozenset[str] = frozenset()
    forgotten: frozenset[MemoryId] = frozenset()
    """The ids in the pages, and those of the last sync, that belong to forgotten memories."""
    foreign: frozenset[MemoryId] = frozenset()
    """The ids in the pages that belong to memories of other places."""

    def entry(self, record: MemoryRecord, uid: MemoryId, status: Status) -> PageEntry:
        """Return a memory as an entry of the pages."""
        return entry_of(record, uid=uid, status=status, spans=self.spans)

    def status(self, record: MemoryRecord, chain: Chain) -> Status:
        """Return the status of a version in this checkout.

        A version that was superseded only on another branch is still accepted on this one.
        """
        if record in chain.heads:
            return status_at(record, self.at)
        return Status.ACCEPTED if chain.heads else Status.SUPERSEDED

    def has_content_of(self, entry: PageEntry, record: MemoryRecord) -> bool:
        """Tell whether an entry has the content of a memory, independent of their status."""
        return entry.digest in self.digests(record, entry.status)

    def may_be_from(self, entry: PageEntry, record: MemoryRecord) -> bool:
        """Tell whether a memory was read from this entry; a key may have been added to it since."""
        unkeyed = self.unkeyed_digests([record], entry.status)
        return entry.digest in unkeyed or self.has_content_of(entry, record)

    def digests(self, record: MemoryRecord, status: Status) -> tuple[str, str]:
        """Return the digest of a memory as an entry, and in the form before hashes and ids."""
        return self._digests(record, status, digest_fields(record.memory))

    def field_marks(self, record: MemoryRecord, uid: MemoryId) -> frozenset[str]:
        """Return the fields of a memory as an entry, as it is now and as it was accepted.

        Pages may have its evidence in the form before hashes and ids.
        """
        now = self.entry(record, uid, status_at(record, self.at))
        earlier = earlier_evidence_of(record, self.spans)
        then = replace(now, status=Status.ACCEPTED, evidence=earlier)
        return now.field_marks | then.field_marks

    def digest_in(self, noted: Collection[str], record: MemoryRecord, status: Status) -> str:
        """Return the digest of a memory, in the earlier form if only that one is noted."""
        now, earlier = self.digests(record, status)
        return earlier if earlier in noted and now not in noted else now

    def accepted_digests(self, records: Sequence[MemoryRecord], noted: Collection[str]) -> set[str]:
        """Return the digests that accepted versions have, or had before pages had keys."""
        accepted = Status.ACCEPTED
        now = {self.digest_in(noted, one, accepted) for one in records}
        return now | self.unkeyed_digests(records, accepted)

    def agreed_digests(self, records: Sequence[MemoryRecord]) -> set[str]:
        """Return every digest of accepted versions: as they were accepted, and as they are now."""
        found = self.unkeyed_digests(records, Status.ACCEPTED)
        for one in records:
            found.update(self.digests(one, Status.ACCEPTED))
            found.update(self.digests(one, status_at(one, self.at)))
        return found

    def unkeyed_digests(self, records: Iterable[MemoryRecord], status: Status) -> set[str]:
        """Return the digests that memories with a key or an expiry had before pages had these."""
        keyed = [one for one in records if any(key_and_expiry(one.memory))]
        return {digest for one in keyed for digest in self._digests(one, status, _unkeyed(one))}

    def _digests(
        self, record: MemoryRecord, status: Status, fields: tuple[str, ...]
    ) -> tuple[str, str]:
        memory, body = record.memory, record.memory.claim.strip("\n")
        evidence = evidence_of(record, self.spans)
        digest = entry_digest(memory.kind, status, memory.tags, evidence, body, fields)
        earlier = earlier_evidence_of(record, self.spans)
        if earlier == evidence:
            return digest, digest
        return digest, entry_digest(memory.kind, status, memory.tags, earlier, body, fields)

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
                if self.has_content_of(entry, head):
                    return head
        names = [one.memory.id for one in chain.versions]
        if self.checkout.is_aside and base is not None and base in names:
            return self._shown_aside(chain.versions[names.index(base) :], entry)
        return next((head for head in chain.heads if head.memory.id == base), chain.last)

    def _shown_aside(self, since: Sequence[MemoryRecord], entry: PageEntry | None) -> MemoryRecord:
        for one in reversed(since):
            if self.checkout.owns(one) or (entry is not None and self.has_content_of(entry, one)):
                return one
        return since[0]

    def may_show(self, record: MemoryRecord, chain: Chain) -> bool:
        """Tell whether a version may be written into the pages of this branch."""
        if self.checkout.is_detached:
            return False
        is_in_pages = any(is_label(one.standing.label) for one in chain.versions)
        return not self.checkout.is_aside or self.checkout.owns(record) or not is_in_pages


def read_store(local: LocalPages, *, at: datetime, tx: Transaction) -> StoreState:
    """Read everything in the store that the repository's pages could show."""
    checkout = local.checkout
    records = {one.memory.id: one for one in _records(checkout.place, tx=tx)}
    links = _links(list(records), tx=tx)
    unseen = checkout.view.unseen
    seen = {name for name, one in records.items() if one.memory.branch_point not in unseen}
    chains = chains_of(records.values(), links, seen=seen, firsts=local.bases.keys())
    owners = {
        one.memory.id: uid
        for uid, chain in chains.items()
        for one in (*chain.versions, *chain.hidden)
    }
    named = {one.entry.uid for one in local.pages.entries if one.entry.uid is not None}
    named |= {base.tip for base in local.bases.values()}
    unknown = [uid for uid in named if is_uid(uid) and uid not in owners]
    forgotten = frozenset(uid for uid in unknown if tx.names.tombstone(uid) is not None)
    labels = (one.standing.label for one in records.values())
    return StoreState(
        checkout=checkout,
        at=at,
        chains=chains,
        spans=_spans(records.values(), tx=tx),
        proposals=_proposals(records, links, owners),
        owners=owners,
        labels=frozenset(label for label in labels if label is not None),
        forgotten=forgotten,
        foreign=frozenset(uid for uid in unknown if is_known(tx, uid, "m_")) - forgotten,
    )


def with_known_bases(local: LocalPages, stored: StoreState, *, tx: Transaction) -> LocalPages:
    """Return the pages without the synced state of memories that this store never had.

    An older copy of the store may have been put back since the last sync. What it lacks counts as
    never synced, so that no text of a page is taken for an old text of the store.
    """
    unknown = {base.tip for base in local.bases.values()} - stored.owners.keys()
    known = tx.memories.get_many(unknown) if unknown else {}
    lost = {tip for tip in unknown if tip not in known and tx.names.tombstone(tip) is None}
    if not lost:
        return local
    bases = {uid: base for uid, base in local.bases.items() if base.tip not in lost}
    return replace(local, bases=bases)


def _records(place: Place, *, tx: Transaction) -> Iterator[MemoryRecord]:
    wanted = Selection(
        place=place, scopes=frozenset({Scope.REPO}), kinds=frozenset(PAGES), statuses=SHARED
    )
    page = Page(limit=_BATCH, oldest_first=True)
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
    for start in range(0, len(names), _BATCH):
        yield names[start : start + _BATCH]


def _spans(records: Collection[MemoryRecord], *, tx: Transaction) -> dict[SpanId, Span]:
    named = {item.span for one in records for item in one.evidence if item.span is not None}
    found: dict[SpanId, Span] = {}
    for some in _batches(sorted(named)):
        found |= tx.anchors.spans.read(some)
    return found


def _proposals(
    records: Mapping[MemoryId, MemoryRecord],
    links: Sequence[Link],
    owners: Mapping[MemoryId, MemoryId],
) -> dict[MemoryId, tuple[tuple[str, MemoryRecord], ...]]:
    """Return the candidates and rejected memories beside each chain; proposed edits come first."""
    found: dict[MemoryId, list[tuple[str, MemoryRecord]]] = {}
    for link in links:
        record = records.get(link.src)
        if record is None or link.dst not in owners:
            continue
        if not stands(record) and link.kind in _PROPOSING:
            found.setdefault(owners[link.dst], []).append((link.kind, record))
    return {
        uid: tuple(sorted(pairs, key=lambda one: (_PROPOSING.index(one[0]), one[1].sequence)))
        for uid, pairs in found.items()
    }


def _unkeyed(record: MemoryRecord) -> tuple[str, ...]:
    """Return the fields of a digest without the key and the expiry."""
    return ("", "", *digest_fields(record.memory)[2:])
