"""Plan a sync: decide about every entry of the pages and of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import EntryOutcome, MissingEntry, SyncStep, absent, are_too_many
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync.decide import Planned, certain, decide_entries, proof_of
from holdfast.usecases.pages.sync.labelling import WRITING, with_labels
from holdfast.usecases.pages.sync.plan_input import PlanInput, proposed_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.link import Chain
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.pages.files import Base
    from holdfast.usecases.pages.sync import Sync
    from holdfast.usecases.pages.sync.local_pages import LocalPages
    from holdfast.usecases.pages.sync.read import StoreState

_NEW = frozenset({SyncStep.TAKEN, SyncStep.PROPOSED})
_NOT_ACCEPTED = frozenset({SyncStep.PROPOSED, SyncStep.WAITING})
_REMOVING = frozenset({SyncStep.DEPRECATED, SyncStep.REMOVAL_PENDING, SyncStep.ELSEWHERE})
_CHANGING = frozenset({SyncStep.RELABELLED, SyncStep.TAKEN, SyncStep.PROPOSED, SyncStep.DEPRECATED})
_WORDS_OF_ABSENCE = {
    SyncStep.RESTORED: messages.RESTORED,
    SyncStep.REMOVAL_PENDING: messages.REMOVAL_UNCOMMITTED,
    SyncStep.DEPRECATED: messages.DEPRECATED,
}


def plan_sync(wish: Sync, local: LocalPages, stored: StoreState) -> list[Planned]:
    """Return the planned step of every entry in the pages or in the store."""
    given = PlanInput(
        local=local,
        stored=stored,
        # During an unfinished merge, an uncommitted text may be anybody's.
        voice=Origin.REPO if local.is_merging else wish.voice,
        trusted=wish.trusted,
        accepts_removals=wish.accepts_removals,
        proposed_texts=proposed_texts(stored),
    )
    found = decide_entries(given)
    plans = with_labels([*found, *_missing_entries(found, given)], known=stored.labels)
    noted = _with_equal_labels_noted(_with_equal_texts_noted(plans))
    return [_limited(plan, given, takes_in=wish.takes_in) for plan in noted]


def changes_store(plan: Planned) -> bool:
    """Tell whether a plan changes the store."""
    match plan.step:
        case SyncStep.AGREED:
            return plan.is_split or plan.twin is not None or new_label(plan) is not None
        case SyncStep.CONFLICT:
            return plan.candidate is None
        case SyncStep.WRITTEN | SyncStep.RESTORED:
            known = certain(plan.version).standing.label
            return known is None if plan.placed is not None else known != plan.label
        case step:
            return step in _CHANGING


def new_label(plan: Planned) -> str | None:
    """Return the label of an agreed entry, if the store does not have it yet."""
    if plan.label is not None:
        return plan.label
    entry, known = certain(plan.placed).entry, certain(plan.version).standing.label
    return entry.label if known is None or known in entry.was else None


def _limited(plan: Planned, given: PlanInput, *, takes_in: bool) -> Planned:
    """Return the plan; a change that the caller may not decide or did not ask for waits."""
    if plan.step is SyncStep.AGREED and plan.is_split and given.voice is not Origin.HUMAN:
        return plan.with_step(SyncStep.WAITING, messages.CHOSEN_BY_AGENT)
    if takes_in or plan.step in {*WRITING, SyncStep.RELABELLED} or not changes_store(plan):
        return plan
    if plan.step is SyncStep.AGREED:
        # The store gets the label of an entry that a person has just decided about.
        is_new = plan.twin is not None or certain(plan.version).standing.label is None
        is_asked = is_new and not plan.is_split
    else:
        is_asked = plan.placed is not None and proof_of(plan.placed) in given.trusted
    return plan if is_asked else plan.with_step(SyncStep.LEFT, messages.LEFT)


def _missing_entries(found: Sequence[Planned], given: PlanInput) -> list[Planned]:
    """Decide about entries that the store or the last sync has and the pages lack."""
    there = {one.outcome.uid for one in found}
    there |= {one.chain.uid for one in found if one.chain is not None}
    missing = [
        (chain, version)
        for uid, chain in given.stored.chains.items()
        if uid not in there and chain.versions
        for version in [given.shown(chain, None)]
        if given.stored.status(version, chain) is Status.ACCEPTED
    ]
    bases = given.local.bases
    gone = sum(chain.uid in bases for chain, _ in missing)
    is_mass = are_too_many(gone, len(bases)) and not given.accepts_removals
    return [_missing(chain, version, given, is_mass=is_mass) for chain, version in missing]


def _missing(chain: Chain, version: MemoryRecord, given: PlanInput, *, is_mass: bool) -> Planned:
    outcome = EntryOutcome(
        step=SyncStep.AGREED,
        uid=chain.uid,
        label=version.standing.label,
        claim=version.memory.claim,
        memory=version.memory.id,
    )
    plan = Planned(chain=chain, version=version, outcome=outcome, origin=given.voice)
    base = given.local.bases.get(chain.uid)
    if base is None:
        if given.stored.may_show(version, chain):
            return plan.with_step(SyncStep.WRITTEN, messages.WRITTEN)
        return plan.with_step(SyncStep.BEHIND)
    if given.local.pages.flaws:
        return plan.with_step(SyncStep.BEHIND)  # it may be in a page that cannot be read
    if base.tip in given.stored.forgotten and not given.local.checkout.is_detached:
        # Forgetting took the entry out of the page, so its absence is nobody's removal.
        return plan.with_step(SyncStep.WRITTEN, messages.WRITTEN)
    gone = _gone(plan, base, chain, version, given)
    # Entries that no commit had are restored, however many: an editor saved an old copy.
    if is_mass and gone.step in _REMOVING:
        return plan.with_step(SyncStep.REMOVAL_REFUSED, messages.TOO_MANY_REMOVALS)
    return gone


def _gone(
    plan: Planned, base: Base, chain: Chain, version: MemoryRecord, given: PlanInput
) -> Planned:
    """Decide about an agreed entry that is no longer in the pages."""
    committed, checkout = given.local.committed, given.local.checkout
    step = absent(
        MissingEntry(
            has_git=committed is not None,
            is_committed=chain.uid in (committed or {}),
            was_committed=base.head is not None or chain.uid in given.local.held_since,
            is_of_here=checkout.owns(version),
        )
    )
    if step in {SyncStep.RESTORED, SyncStep.DEPRECATED} and checkout.is_detached:
        return plan.with_step(SyncStep.BEHIND)
    if step is SyncStep.DEPRECATED and not given.accepts_removals:
        if not base.is_removal_proposed and given.voice is Origin.REPO:
            return plan.with_step(SyncStep.REMOVAL_PENDING, messages.MERGE_FIRST)
        if base.is_removal_proposed or given.voice is not Origin.HUMAN:
            return plan.with_step(SyncStep.REMOVAL_PROPOSED, messages.REMOVED_BY_AGENT)
    return plan.with_step(step, _WORDS_OF_ABSENCE.get(step, ""))


def _with_equal_texts_noted(plans: Sequence[Planned]) -> Sequence[Planned]:
    """Note on a new entry which other entry has the same text."""
    new = {number for number, plan in enumerate(plans) if _is_new(plan)}
    if not new:
        return plans
    texts = [statement_form(plan.outcome.claim) for plan in plans]
    first: dict[str, int] = {}
    for number in [*(n for n in range(len(plans)) if n not in new), *sorted(new)]:
        first.setdefault(texts[number], number)
    noted = list(plans)
    for number in new:
        other = first[texts[number]]
        if other != number:
            note = messages.EQUAL_TEXT.format(other=_place(plans[other]))
            noted[number] = _noted(plans[number], note)
    return noted


def _with_equal_labels_noted(plans: Sequence[Planned]) -> Sequence[Planned]:
    """Note on a waiting entry which other entry has its label; both keep it until then."""
    holders: dict[str, Planned] = {}
    for plan in plans:
        label = plan.label or plan.outcome.label
        if label is not None and plan.step not in _NOT_ACCEPTED:
            holders.setdefault(label, plan)
    return [
        _noted(plan, messages.SAME_LABEL.format(label=plan.outcome.label, other=_place(other)))
        if plan.step in _NOT_ACCEPTED and (other := holders.get(plan.outcome.label or ""))
        else plan
        for plan in plans
    ]


def _is_new(plan: Planned) -> bool:
    return plan.step in _NEW and plan.placed is not None and plan.placed.entry.uid is None


def _place(plan: Planned) -> str:
    """Return the place of an entry; one that is not written yet is named by its memory."""
    outcome = plan.outcome
    return f"{outcome.path}:{outcome.line}" if outcome.path else str(outcome.memory)


def _noted(plan: Planned, note: str) -> Planned:
    words = plan.outcome.words
    both = note if words in messages.EXPECTED else f"{words}; {note}"
    return replace(plan, outcome=replace(plan.outcome, words=both))
