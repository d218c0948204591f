"""Take the text of a page into the store: as accepted, as a proposal, or beside another text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.pages.page_entry import entry_of
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Put
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_hand import TRUSTED, Done, under_label
from holdfast.usecases.pages.sync_memory import read_entry
from holdfast.usecases.pages.sync_plan import certain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.entry import PageEntry, PlacedEntry
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.usecases.pages.sync_hand import Hand
    from holdfast.usecases.pages.sync_memory import Read
    from holdfast.usecases.pages.sync_plan import Planned

_WAITING = Standing(status=Status.CANDIDATE)


def take(plan: Planned, hand: Hand) -> Done:
    """Take the page's text into the store.

    Text that came with git is accepted only if it contradicts no accepted memory.
    """
    placed = certain(plan.placed)
    if plan.is_standing:
        return _restand(plan, placed, hand)
    read = None if plan.side is not None else _read(plan, placed, hand)
    new = () if read is None else read.spans
    passed = None if read is None else read.memory.claim
    for span in new:
        hand.tx.anchors.spans.put(span)
    if read is not None and plan.origin is Origin.HUMAN:
        record = _said_here(plan, placed, read, hand)
    else:
        record = plan.side or hand.book(_action(plan)).add(certain(read).memory, _WAITING)
        if rivals := _rivals(record, _replaced(plan), hand, is_new=plan.side is None):
            outcome = _contradicting(plan.outcome, record, rivals[0])
            return Done(outcome=outcome, passed=passed)
        record = _accepted(plan, placed, record, hand)
    spans = _cited(record, new, hand)
    uid = placed.entry.uid or record.memory.id
    said = entry_of(record, uid=uid, status=placed.entry.status, spans=spans)
    outcome = replace(plan.outcome, uid=uid, label=plan.label, memory=record.memory.id)
    put = _completed(plan, placed, said)
    tip = record.memory.id
    return Done(outcome=outcome, placed=placed, put=put, tip=tip, passed=passed)


def _cited(record: MemoryRecord, new: Iterable[Span], hand: Hand) -> dict[SpanId, Span]:
    """Return the spans that a memory cites, including those that were read just now."""
    known = hand.register.spans
    names = [item.span for item in record.evidence if item.span is not None]
    cited = {name: known[name] for name in names if name in known}
    return cited | {one.id: one for one in new}


def _said_here(plan: Planned, placed: PlacedEntry, read: Read, hand: Hand) -> MemoryRecord:
    """Store a person's text as an accepted memory."""
    action, label = _action(plan), certain(plan.label)
    record = hand.add(read.memory, placed.entry.status, label=label, action=action)
    hand.replace(_replaced(plan), record, action)
    hand.rivals.note(record, is_new=True)
    return record


def _accepted(plan: Planned, placed: PlacedEntry, record: MemoryRecord, hand: Hand) -> MemoryRecord:
    """Accept a candidate, as a person was shown it."""
    action = _action(plan)
    record = hand.name(record, certain(plan.label))
    reason = TRUSTED if plan.origin is Origin.REPO else None
    record = hand.book(action).settle(record, placed.entry.status, reason=reason)
    hand.replace(_replaced(plan), record, action)
    return record


def propose(plan: Planned, hand: Hand) -> Done:
    """Store the page's text as a candidate, beside the accepted memory."""
    record = _waiting(_read(plan, certain(plan.placed), hand), hand)
    if over := _stood(plan):
        link = Link(src=record.memory.id, dst=over.memory.id, kind=LinkKind.SUPERSEDES)
        hand.tx.links.put(link)
    outcome = replace(plan.outcome, memory=record.memory.id)
    if rivals := _rivals(record, _replaced(plan), hand, is_new=True):
        outcome = replace(outcome, words=_contradicting(outcome, record, rivals[0]).words)
    return Done(outcome=outcome, passed=record.memory.claim)


def keep_both(plan: Planned, hand: Hand) -> Done:
    """Store the page's text beside the store's until a person has decided."""
    if plan.side is not None:
        return Done(outcome=plan.outcome)
    placed, version = certain(plan.placed), certain(plan.version)
    record = _waiting(_read(plan, placed, hand), hand)
    link = Link(src=record.memory.id, dst=version.memory.id, kind=LinkKind.CONTRADICTS)
    hand.tx.links.put(link)
    said = words.BOTH.format(candidate=record.memory.id, id=version.memory.id)
    outcome = replace(plan.outcome, words=said, memory=record.memory.id)
    return Done(outcome=outcome, passed=record.memory.claim)


def _restand(plan: Planned, placed: PlacedEntry, hand: Hand) -> Done:
    """Set the status of a memory to the one in the page."""
    version = certain(plan.version)
    reason = TRUSTED if plan.origin is Origin.REPO else f"as {placed.path} says"
    hand.book(_action(plan)).settle(version, placed.entry.status, reason=reason)
    return Done(outcome=plan.outcome, placed=placed, tip=version.memory.id)


def _action(plan: Planned) -> Action:
    return Action.TRUST if plan.origin is Origin.REPO else Action.EDIT


def _completed(plan: Planned, placed: PlacedEntry, said: PageEntry) -> Put | None:
    """Return the missing parts of an entry that was taken in: its ids and the current date."""
    entry = placed.entry
    wanted = replace(under_label(entry, plan.label), uid=said.uid)
    if plan.origin is Origin.HUMAN:
        wanted = replace(wanted, updated=said.updated)
    if said.digest != entry.digest:
        wanted = replace(wanted, body=said.body, tags=said.tags, evidence=said.evidence)
    if wanted == entry:
        return None
    at = (placed.path, placed.line) if entry.uid is None else None
    return Put(entry=wanted, over=entry.digest, at=at)


def _read(plan: Planned, placed: PlacedEntry, hand: Hand) -> Read:
    uid = placed.entry.uid if plan.chain is None else None
    return read_entry(placed, origin=plan.origin, reader=hand.reader, old=_stood(plan), uid=uid)


def _stood(plan: Planned) -> MemoryRecord | None:
    """Return the previous version of the entry, here or on another branch."""
    if plan.version is not None or plan.chain is None:
        return plan.version
    return plan.chain.hidden[-1]


def _replaced(plan: Planned) -> tuple[MemoryRecord, ...]:
    """Return the memories that the new text supersedes."""
    stood = _stood(plan)
    if plan.chain is None or stood is None:
        return ()
    return plan.chain.heads or (stood,)


def _waiting(read: Read, hand: Hand) -> MemoryRecord:
    for span in read.spans:
        hand.tx.anchors.spans.put(span)
    return hand.tx.memories.add(read.memory, _WAITING)


def _rivals(
    record: MemoryRecord, replaced: Iterable[MemoryRecord], hand: Hand, *, is_new: bool
) -> list[MemoryRecord]:
    """Return the accepted memories that it contradicts, without those it supersedes anyway."""
    names = {one.memory.id for one in replaced}
    found = hand.rivals.note(record, is_new=is_new)
    return [one.standing for one in found if one.standing.memory.id not in names]


def _contradicting(
    outcome: EntryOutcome, record: MemoryRecord, rival: MemoryRecord
) -> EntryOutcome:
    said = words.RIVAL.format(candidate=record.memory.id, id=rival.memory.id)
    return replace(outcome, step=SyncStep.WAITING, words=said, memory=record.memory.id)
