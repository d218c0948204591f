"""Apply the plan to the store, and collect what has to be written to the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.page_entry import entry_of, is_label
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import dataclass, replace
from holdfast.ports.pages.files import Put
from holdfast.usecases.pages.sync.conflicts import ConflictFinder
from holdfast.usecases.pages.sync.decide import certain
from holdfast.usecases.pages.sync.foresee import converted, previous, refused, screened_label
from holdfast.usecases.pages.sync.plan import changes_store, new_label
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.recognise import accepted_under_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.entry import PageEntry, PlacedEntry
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync.convert import ConvertedEntry, Reader
    from holdfast.usecases.pages.sync.decide import Planned
    from holdfast.usecases.pages.sync.read import StoreState

TRUSTED = "trusted with this clone's pages"
"""The reason of memories that came with git and were accepted; untrusting searches for it."""
_CANDIDATE = Standing(status=Status.CANDIDATE)
_UNACCEPTED = frozenset({SyncStep.PROPOSED, SyncStep.WAITING, SyncStep.CONFLICT, SyncStep.REFUSED})
_NOT_PROPOSING = frozenset({Origin.HUMAN, Origin.REPO})
"""People's edits are accepted, and git itself tells what came with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedPlan:
    """The result of a plan: the outcome, the text to write, and the agreed version.

    ``tip`` is the memory that file and store agree on; None means no new agreement. ``is_dropped``
    says that the entry no longer belongs to this branch's pages. ``screened`` is the claim that
    was screened while the plan was applied.
    """

    outcome: EntryOutcome
    placed: PlacedEntry | None = None
    put: Put | None = None
    tip: MemoryId | None = None
    is_dropped: bool = False
    screened: str | None = None
    proposal: tuple[PageEntry, Origin] | None = None
    """The edit that no person made and nobody accepted, with its origin."""


class StoreChanges:
    """The changes of one sync in one transaction; every decision among them can be undone."""

    def __init__(
        self,
        *,
        tx: Transaction,
        stored: StoreState,
        reader: Reader,
        by: str,
        heuristics: Heuristics,
        entries: int = 0,
    ) -> None:
        """Start; ``entries`` is the number of page texts that may be taken in."""
        self.tx = tx
        self.stored = stored
        self.reader = reader
        self.conflicts = ConflictFinder(stored, tx, heuristics, entries=entries)
        self._by = by
        self._heuristics = heuristics
        self._ledgers: dict[Action, DecisionLedger] = {}

    def ledger(self, action: Action) -> DecisionLedger:
        """Return the ledger for one sort of decision, shared by the whole sync."""
        if action not in self._ledgers:
            self._ledgers[action] = DecisionLedger(
                by=self._by, at=self.stored.at, tx=self.tx, heuristics=self._heuristics
            )
        return self._ledgers[action]

    def close(self) -> None:
        """Store the decisions."""
        for action, ledger in self._ledgers.items():
            ledger.close(action, entropy=self.reader.clock.entropy())

    def set_label(self, record: MemoryRecord, label: str) -> MemoryRecord:
        """Give a memory a label."""
        standing = replace(record.standing, label=screened_label(label))
        self.tx.memories.set_standing(record.memory.id, standing)
        return self.tx.memories.get(record.memory.id)

    def accept_new(self, memory: Memory, status: Status, *, label: str) -> MemoryRecord:
        """Store a memory from a person's page, with its status."""
        standing = Standing(
            status=status,
            label=screened_label(label),
            decided_by=self._by,
            decided_at=self.stored.at,
        )
        return self.ledger(Action.EDIT).add(memory, standing)

    def supersede(self, old: Iterable[MemoryRecord], new: MemoryRecord, action: Action) -> None:
        """Supersede other memories with this one, which takes over their pin."""
        others = [one for one in old if one.memory.id != new.memory.id]
        for one in others:
            self.ledger(action).supersede(one, new)
        self.ledger(action).inherit(new, others)

    def put_spans(self, spans: Iterable[Span]) -> None:
        """Store the lines that new evidence cites."""
        for span in spans:
            self.tx.anchors.spans.put(span)

    def convert(self, plan: Planned) -> ConvertedEntry:
        """Return the page's text as a memory, and store the lines that it cites."""
        made = converted(plan, self.reader)
        self.put_spans(made.spans)
        return made


def apply_plans(plans: Sequence[Planned], changes: StoreChanges) -> list[AppliedPlan]:
    """Apply every plan, and store the decisions."""
    applied = [_noted(_apply(plan, changes), plan) for plan in plans]
    changes.close()
    return applied


def _noted(applied: AppliedPlan, plan: Planned) -> AppliedPlan:
    """Note the edit of an agent, so that no later sync takes it for a person's."""
    is_waiting = applied.outcome.step in _UNACCEPTED and plan.origin not in _NOT_PROPOSING
    if plan.placed is None or not is_waiting:
        return applied
    return replace(applied, proposal=(plan.placed.entry, plan.origin))


def _apply(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Apply the plan of one entry; a text that the screening refuses is reported and left."""
    if plan.step not in _APPLYING:
        is_dropped = plan.step is SyncStep.ELSEWHERE and plan.placed is None
        return AppliedPlan(outcome=plan.outcome, is_dropped=is_dropped)
    try:
        return _APPLYING[plan.step](plan, changes)
    except InvalidError as error:
        return AppliedPlan(outcome=refused(plan, error))


def _agree(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Store the label of an agreed entry, and the page's choice between two versions."""
    version, placed = certain(plan.version), certain(plan.placed)
    if label := new_label(plan):
        version = changes.set_label(version, label)
    if plan.is_split:
        changes.supersede(certain(plan.chain).heads, version, Action.EDIT)
    _settle_twin(plan, version, changes)
    tip = version.memory.id
    if plan.label is None:
        return AppliedPlan(outcome=plan.outcome, placed=placed, tip=tip)
    was = _earlier_labels(placed.entry, plan.label)
    put = Put(entry=replace(placed.entry, label=plan.label, was=was), over=placed.entry.digest)
    outcome = replace(plan.outcome, label=plan.label)
    return AppliedPlan(outcome=outcome, placed=placed, put=put, tip=tip)


def _write_entry(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Request to write the store's text to the page."""
    version, chain, placed = certain(plan.version), certain(plan.chain), plan.placed
    status = plan.status or changes.stored.status(version, chain)
    if changes_store(plan):
        version = changes.set_label(version, certain(plan.label))
    entry = replace(changes.stored.entry(version, chain.uid, status), label=plan.label)
    put = Put(entry=entry)
    if placed is not None:
        was = _earlier_labels(placed.entry, plan.label)
        at = (placed.path, placed.line) if placed.entry.uid is None else None
        put = Put(entry=replace(entry, was=was), over=placed.entry.digest, at=at)
    outcome = replace(plan.outcome, uid=chain.uid, label=entry.label)
    return AppliedPlan(outcome=outcome, put=put, tip=version.memory.id)


def _take_out(plan: Planned, _: StoreChanges) -> AppliedPlan:
    """Request to take an entry out of its page."""
    entry = certain(plan.placed).entry
    put = Put(entry=entry, over=entry.digest, is_removal=True)
    return AppliedPlan(outcome=plan.outcome, put=put)


def _deprecate(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Deprecate a memory that is no longer in the pages, or that its page deprecates."""
    ledger = changes.ledger(Action.DEPRECATE)
    reason = messages.REMOVED if plan.placed is None else plan.outcome.words
    ledger.settle(certain(plan.version), Status.DEPRECATED, reason=reason)
    return AppliedPlan(outcome=plan.outcome, is_dropped=True)


def _take_in(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Take the page's text into the store.

    Text that came with git is accepted only if it contradicts no accepted memory, and a person's
    new entry only if no other accepted memory has its key.
    """
    if plan.is_standing:
        return _set_status(plan, changes)
    placed, candidate, action = certain(plan.placed), plan.candidate, _action(plan)
    made = None if candidate is not None else changes.convert(plan)
    claim = None if made is None else made.memory.claim
    taken = [] if made is None else _under_key(made.memory, plan, changes)
    if made is not None and plan.origin is Origin.HUMAN and not taken:
        status, label = placed.entry.status, certain(plan.label)
        record = changes.accept_new(made.memory, status, label=label)
        changes.supersede(_replaced(plan), record, action)
        _settle_twin(plan, record, changes)
        changes.conflicts.note(record, is_new=True)
    else:
        record = candidate or changes.ledger(action).add(certain(made).memory, _CANDIDATE)
        if others := _contradicted(record, plan, changes, is_new=candidate is None) or taken:
            outcome = _contradicting(plan.outcome, record, others[0])
            return AppliedPlan(outcome=replace(outcome, step=SyncStep.WAITING), screened=claim)
        record = _accept(plan, record, changes)
    uid = placed.entry.uid or record.memory.id
    spans = _cited(record, () if made is None else made.spans, changes)
    stored = entry_of(record, uid=uid, status=placed.entry.status, spans=spans)
    outcome = replace(plan.outcome, uid=uid, label=plan.label, memory=record.memory.id)
    put = _completed(plan, placed, stored)
    return AppliedPlan(
        outcome=outcome, placed=placed, put=put, tip=record.memory.id, screened=claim
    )


def _cited(record: MemoryRecord, new: Iterable[Span], changes: StoreChanges) -> dict[SpanId, Span]:
    """Return the spans that a memory cites, including those that were read just now."""
    known = changes.stored.spans
    names = [item.span for item in record.evidence if item.span is not None]
    cited = {name: known[name] for name in names if name in known}
    return cited | {one.id: one for one in new}


def _accept(plan: Planned, record: MemoryRecord, changes: StoreChanges) -> MemoryRecord:
    """Accept a candidate, as a person was shown it."""
    action = _action(plan)
    record = changes.set_label(record, certain(plan.label))
    status = certain(plan.placed).entry.status
    reason = TRUSTED if plan.origin is Origin.REPO else None
    record = changes.ledger(action).settle(record, status, reason=reason)
    changes.supersede(_replaced(plan), record, action)
    return record


def _propose(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Store the page's text as a candidate, beside the accepted memory."""
    # An edit of a known entry gets no label: the memory that it would replace has it.
    label = certain(plan.placed).entry.label if plan.chain is None else None
    standing = replace(_CANDIDATE, label=label if is_label(label) else None)
    record = changes.tx.memories.add(changes.convert(plan).memory, standing)
    if (old := previous(plan)) is not None:
        link = Link(src=record.memory.id, dst=old.memory.id, kind=LinkKind.SUPERSEDES)
        changes.tx.links.put(link)
    outcome = replace(plan.outcome, memory=record.memory.id)
    if others := _contradicted(record, plan, changes, is_new=True):
        outcome = _contradicting(outcome, record, others[0])
    return AppliedPlan(outcome=outcome, screened=record.memory.claim)


def _keep_both(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Store the page's text beside the store's until a person has decided."""
    if plan.candidate is not None:
        return AppliedPlan(outcome=plan.outcome)
    version = certain(plan.version)
    record = changes.tx.memories.add(changes.convert(plan).memory, _CANDIDATE)
    link = Link(src=record.memory.id, dst=version.memory.id, kind=LinkKind.CONTRADICTS)
    changes.tx.links.put(link)
    words = messages.BOTH_CHANGED.format(candidate=record.memory.id, id=version.memory.id)
    outcome = replace(plan.outcome, words=words, memory=record.memory.id)
    return AppliedPlan(outcome=outcome, screened=record.memory.claim)


def _set_status(plan: Planned, changes: StoreChanges) -> AppliedPlan:
    """Set the status of a memory to the one in the page."""
    version, placed = certain(plan.version), certain(plan.placed)
    reason = TRUSTED if plan.origin is Origin.REPO else f"as {placed.path} says"
    changes.ledger(_action(plan)).settle(version, placed.entry.status, reason=reason)
    return AppliedPlan(outcome=plan.outcome, placed=placed, tip=version.memory.id)


def _action(plan: Planned) -> Action:
    return Action.TRUST if plan.origin is Origin.REPO else Action.EDIT


def _completed(plan: Planned, placed: PlacedEntry, stored: PageEntry) -> Put | None:
    """Return the missing parts of an entry that was taken in: its ids and the current date."""
    entry = placed.entry
    wanted = replace(
        entry,
        uid=stored.uid,
        label=plan.label or entry.label,
        was=_earlier_labels(entry, plan.label),
        updated=stored.updated if plan.origin is Origin.HUMAN else entry.updated,
    )
    if stored.digest != entry.digest:
        wanted = replace(
            wanted,
            body=stored.body,
            tags=stored.tags,
            key=stored.key,
            expires=stored.expires,
            checks=stored.checks,
            evidence=stored.evidence,
        )
    if wanted == entry:
        return None
    at = (placed.path, placed.line) if entry.uid is None else None
    return Put(entry=wanted, over=entry.digest, at=at)


def _replaced(plan: Planned) -> tuple[MemoryRecord, ...]:
    """Return the memories that the new text supersedes."""
    old = previous(plan)
    if plan.chain is None or old is None:
        return ()
    return plan.chain.heads or (old,)


def _settle_twin(plan: Planned, record: MemoryRecord, changes: StoreChanges) -> None:
    """Supersede the waiting copy of an accepted text, on whichever branch that was accepted."""
    if plan.twin is not None:
        changes.supersede((plan.twin,), record, Action.EDIT)
        changes.ledger(Action.EDIT).settle(plan.twin, Status.SUPERSEDED)


def _contradicted(
    record: MemoryRecord, plan: Planned, changes: StoreChanges, *, is_new: bool
) -> list[MemoryRecord]:
    """Return the accepted memories that it contradicts, without those it supersedes anyway."""
    replaced = {one.memory.id for one in _replaced(plan)}
    found = changes.conflicts.note(record, is_new=is_new)
    return [one.standing for one in found if one.standing.memory.id not in replaced]


def _under_key(memory: Memory, plan: Planned, changes: StoreChanges) -> list[MemoryRecord]:
    """Return the accepted memories that have its key and another claim, and that it leaves be."""
    if memory.key is None:
        return []
    replaced = {one.memory.id for one in _replaced(plan)}
    view = changes.stored.checkout.view
    return [
        one
        for one in accepted_under_key(memory, tx=changes.tx, view=view)
        if one.memory.id not in replaced and not says_the_same(one.memory.claim, memory.claim)
    ]


def _contradicting(
    outcome: EntryOutcome, record: MemoryRecord, other: MemoryRecord
) -> EntryOutcome:
    words = messages.CONTRADICTS.format(candidate=record.memory.id, id=other.memory.id)
    return replace(outcome, words=words, memory=record.memory.id)


def _earlier_labels(entry: PageEntry, label: str | None) -> tuple[str, ...]:
    """Return the labels that an entry had before it gets this one."""
    if label is None or entry.label in {None, label}:
        return entry.was
    return tuple(dict.fromkeys((*entry.was, str(entry.label))))


_APPLYING: dict[SyncStep, Callable[[Planned, StoreChanges], AppliedPlan]] = {
    SyncStep.AGREED: _agree,
    SyncStep.RELABELLED: _agree,
    SyncStep.WRITTEN: _write_entry,
    SyncStep.RESTORED: _write_entry,
    SyncStep.TAKEN: _take_in,
    SyncStep.TAKEN_OUT: _take_out,
    SyncStep.PROPOSED: _propose,
    SyncStep.CONFLICT: _keep_both,
    SyncStep.DEPRECATED: _deprecate,
}
