"""What a plan is based on, and who the author of an entry's text is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, Origin, Status, least_trusted
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import field_marks
from holdfast.domain.memory.link import stands
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.pages.page_entry import is_from_page
from holdfast.domain.values import dataclass, field
from holdfast.usecases.pages.sync.authors import lines_of, uid_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.domain.memory.entry import PlacedEntry
    from holdfast.domain.memory.link import Chain
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.pages.files import Base
    from holdfast.usecases.pages.sync.local_pages import LocalPages
    from holdfast.usecases.pages.sync.read import StoreState


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInput:
    """Everything a plan is based on: the pages, the store, and the request.

    ``voice`` is the origin of uncommitted edits; ``trusted`` are the proofs of entries that a
    person was shown and accepts.
    """

    local: LocalPages
    stored: StoreState
    voice: Origin
    trusted: frozenset[str] = frozenset()
    accepts_removals: bool = False
    proposed_texts: Mapping[str, Origin] = field(default_factory=dict)
    """The texts that were read from pages as proposals and never accepted, with their origins."""

    def is_forgotten(self, placed: PlacedEntry) -> bool:
        """Tell whether the text of an entry was forgotten, and no version of its memory has it."""
        forgotten = self.local.pages.forgotten
        return placed.entry.digest in forgotten and not self._is_accepted_here(placed)

    def is_foreign(self, placed: PlacedEntry) -> bool:
        """Tell whether an entry is others' text that was never accepted, changed here or not."""
        lines, brought = lines_of(placed), self.local.brought
        if lines and lines <= brought.lines and not self._is_accepted_here(placed):
            return True
        accepted = [one for one in self._versions(placed) if stands(one)]
        if accepted:
            is_theirs = self._has_others_lines(lines)
            return is_theirs or self._has_others_fields(placed, accepted)
        theirs = len(lines & brought.traces)
        is_theirs = bool(lines) and 2 * theirs >= len(lines)
        return is_theirs or brought.has_entry(placed.entry.uid, uid_line(placed.entry.uid))

    def _has_others_lines(self, lines: Collection[str]) -> bool:
        """Tell whether one of the lines is others' and in no memory that was accepted here.

        The uid of an entry does not count: others may change or remove it in their commits.
        """
        brought = self.local.brought
        theirs = brought.lines.intersection(lines) - brought.slight
        return bool(theirs) and not theirs <= {
            line.strip()
            for chain in self.stored.chains.values()
            for one in (*chain.versions, *chain.hidden)
            if stands(one)
            for line in one.memory.claim.splitlines()
        }

    def _has_others_fields(self, placed: PlacedEntry, accepted: Sequence[MemoryRecord]) -> bool:
        """Tell whether a field has a value of others that no accepted version of the entry had.

        An item that others removed counts too, if the newest accepted version has it.
        The status ``accepted`` is known of each of these versions.
        """
        uid, stored = placed.entry.uid or MemoryId(""), self.stored
        known = {mark for one in accepted for mark in stored.field_marks(one, uid)}
        base = self.local.bases.get(uid)
        if base is not None and base.digest in stored.unkeyed_digests(accepted, Status.ACCEPTED):
            known |= field_marks({"key": "", "expires": ""})
        newest = max(accepted, key=lambda one: one.sequence)
        before = stored.entry(newest, uid, Status.ACCEPTED)
        fresh = (placed.entry.field_marks - known) | placed.entry.removal_marks(before)
        return self.local.brought.has_field_of(uid, fresh)

    def is_undone(self, placed: PlacedEntry, chain: Chain) -> bool:
        """Tell whether Holdfast wrote an entry, unedited since, for a decision that was undone.

        An entry with the status of its memory agrees with it: a person set that status in the page.
        """
        base = self.local.bases.get(chain.uid)
        if base is None or base.digest != placed.entry.digest:
            return False
        owner = self._owner(base, chain)
        return any(
            (owner is not chain or not stands(one))
            and one.standing.status is not placed.entry.status
            and (base.is_own or not is_from_page(one))
            for one in _tips(base, owner)
        )

    def is_ended_by_us(self, placed: PlacedEntry) -> bool:
        """Tell whether Holdfast wrote into an entry that its memory is not live any more.

        Only an entry that is accepted in the page of its author gets such a status.
        """
        entry, base = placed.entry, self.local.bases.get(placed.entry.uid or MemoryId(""))
        is_agreed = base is not None and base.digest == entry.digest and bool(base.replaced)
        return is_agreed and entry.status not in LIVE

    def has_own_lines(self, placed: PlacedEntry, chain: Chain) -> bool:
        """Tell whether somebody changed lines of an entry that its digest does not cover."""
        base = self.local.bases[chain.uid]
        entry, tips = placed.entry, _tips(base, self._owner(base, chain))
        written = [self.stored.entry(one, chain.uid, entry.status) for one in tips]
        names = [(one.label, one.source) for one in written]
        return placed.has_more or (entry.label, entry.source) not in names

    def _owner(self, base: Base, chain: Chain) -> Chain:
        """Return the chain of the memory that an entry was agreed with."""
        return self.stored.chains.get(self.stored.owners.get(base.tip, base.tip), chain)

    def _versions(self, placed: PlacedEntry) -> tuple[MemoryRecord, ...]:
        """Return every memory of this entry in this store, whichever branch it is on."""
        chain = self.stored.chains.get(placed.entry.uid or MemoryId(""))
        return () if chain is None else (*chain.versions, *chain.hidden)

    def _is_accepted_here(self, placed: PlacedEntry) -> bool:
        """Tell whether a memory of this entry with the same text was accepted in this store."""
        text, known = placed.entry.body.strip(), self._versions(placed)
        return any(stands(one) and one.memory.claim.strip() == text for one in known)

    def is_on_branch(self, placed: PlacedEntry, chain: Chain | None) -> bool:
        """Tell whether exactly this entry is accepted on another branch, and nothing newer here."""
        return chain is not None and self._on_branch(placed, chain) is not None

    def _on_branch(self, placed: PlacedEntry, chain: Chain) -> MemoryRecord | None:
        newest = max((one.sequence for one in chain.versions if stands(one)), default=0)
        found = [
            one
            for one in chain.hidden
            if placed.entry.status is one.standing.status is Status.ACCEPTED
            and one.sequence > newest
            and self.stored.has_content_of(placed.entry, one)
        ]
        return found[-1] if found else None

    def arrived(self, placed: PlacedEntry, chain: Chain) -> MemoryRecord | None:
        """Return the memory of an agreed entry that only its branch has, and git brought here.

        Git does not always tell that a branch was merged: after a fast-forward and the removal of
        the branch nothing names it any more. The text that was agreed is committed here all the
        same.
        """
        base = self.local.bases.get(chain.uid)
        if base is None or base.digest != placed.entry.digest:
            return None
        return self._on_branch(placed, chain) if self.local.is_committed(placed) else None

    def is_settled(self, placed: PlacedEntry, chain: Chain) -> bool:
        """Tell whether a waiting copy of this entry asks about what a person accepted already.

        The text that is accepted on another branch counts only if the person brought it here.
        """
        heads = [one for one in chain.heads if one.standing.status is Status.ACCEPTED]
        if any(placed.entry.digest in self.stored.digests(one, Status.ACCEPTED) for one in heads):
            return True
        return self.is_on_branch(placed, chain) and self.origin_of(placed) is Origin.HUMAN

    def origin_of(self, placed: PlacedEntry) -> Origin:
        """Return the origin of an entry: committed text may be anybody's.

        There are two exceptions: all commits since the last sync were made in this clone, or a
        person returned to a text that was agreed here. Text that was taken from others' commits
        without a merge still counts as theirs. Text that Holdfast wrote for another store of this
        clone keeps the origin that it was written with, and an edit that was proposed before stays
        a proposal, whoever syncs next.
        """
        pages, entry = self.local.pages, placed.entry
        known = [self._origin_by_git(placed), pages.proposed.get(entry.digest)]
        if not self._is_accepted_here(placed):
            known.append(pages.written.get(entry.digest))
            # Marks and forms take longer than the rest, and most clones have no proposals.
            if pages.proposed:
                known.append(pages.proposed.get(entry.text_mark))
            if self.proposed_texts:
                known.append(self.proposed_texts.get(statement_form(entry.body)))
        return least_trusted([origin for origin in known if origin is not None])

    def _is_returned_to(self, placed: PlacedEntry) -> bool:
        """Tell whether a person went back to a text that was agreed in this clone.

        Either the checked-out commit had this text when it was agreed, as after ``git checkout``
        or ``git stash``; or the text was accepted here, and all commits since the last sync are a
        person's own, some of them made by ``git revert``. A commit of somebody else that brings
        an old text back is neither.
        """
        base = self.local.last_agreed(placed.entry.uid)
        if base is None or base.at is None:
            return False
        if base.at == self.local.checkout.head and base.held == placed.entry.digest:
            return True
        return base.at in self.local.own_reverts and self._is_accepted_here(placed)

    def _origin_by_git(self, placed: PlacedEntry) -> Origin:
        if self._is_returned_to(placed):
            return self.voice
        if self.voice is Origin.HUMAN and self.is_foreign(placed):
            return Origin.REPO
        if self.local.is_committed(placed):
            return self.voice if self._is_commit_own(placed) else Origin.REPO
        if self.voice is Origin.HUMAN and self._is_on_others_change(placed):
            return Origin.REPO
        return self.voice

    def _is_commit_own(self, placed: PlacedEntry) -> bool:
        """Tell whether all commits to the pages since the entry was agreed were made here."""
        uid, own_commits = placed.entry.uid, self.local.own_commits
        base = self.local.last_agreed(uid)
        if base is not None:
            return base.at in own_commits
        heads = {one.at for one in self.local.bases.values()} if own_commits else set()
        return bool(heads) and heads <= own_commits

    def _is_on_others_change(self, placed: PlacedEntry) -> bool:
        """Tell whether an accepted entry was edited on top of a change that others committed.

        Nothing tells which part of the entry the edit keeps on purpose, so all of it waits. A sync
        that agreed with the page at this commit has seen it without the change.
        """
        accepted = [one for one in self._versions(placed) if stands(one)]
        base = self.local.bases.get(placed.entry.uid or MemoryId(""))
        if not accepted or (base is not None and base.at == self.local.checkout.head):
            return False
        known = set() if base is None else {base.digest, base.held}
        rest = self.local.texts_in_commit(placed.entry) - known
        is_agreed = rest <= self.stored.agreed_digests(accepted)
        return not is_agreed and not self._is_commit_own(placed)

    def agreed_digest(self, uid: MemoryId, *, store: str, status: Status) -> str | None:
        """Return the digest that page and store agreed on last; None if they never did.

        Of an entry that a commit took out, it is that of the store, as long as nobody accepted
        the memory again: an entry that comes back is then a change of the page.
        """
        if (base := self.local.bases.get(uid)) is not None:
            return base.digest
        is_removed = uid in self.local.removed and status is not Status.ACCEPTED
        return store if is_removed else None

    def shown(self, chain: Chain, placed: PlacedEntry | None) -> MemoryRecord:
        """Return the version that the pages of this branch should show."""
        base = self.local.bases.get(chain.uid)
        return self.stored.shown(
            chain,
            base=None if base is None else base.tip,
            entry=None if placed is None else placed.entry,
        )


def versions_since(base: Base | None, chain: Chain) -> Sequence[MemoryRecord]:
    """Return the versions of the store after the agreed one."""
    names = [one.memory.id for one in chain.versions]
    if base is None or base.tip not in names:
        return ()
    return chain.versions[names.index(base.tip) + 1 :]


def _tips(base: Base, owner: Chain) -> list[MemoryRecord]:
    """Return the memory that an entry was agreed with, if its chain has it."""
    return [one for one in (*owner.versions, *owner.hidden) if one.memory.id == base.tip]


def proposed_texts(stored: StoreState) -> dict[str, Origin]:
    """Return the texts that were read from pages and never accepted, with their origins."""
    found: dict[str, Origin] = {}
    for chain in stored.chains.values():
        for one in (*chain.versions, *chain.hidden):
            if not stands(one) and is_from_page(one):
                text, origin = statement_form(one.memory.claim), one.memory.origin
                found[text] = least_trusted([origin, found.get(text, origin)])
    return found
