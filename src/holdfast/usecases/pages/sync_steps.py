"""Carry out one step of a sync: change the store at once, and queue the change of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.decision import Action
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Put
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_hand import Done, under_label
from holdfast.usecases.pages.sync_plan import certain
from holdfast.usecases.pages.sync_take import keep_both, propose, take

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.usecases.pages.sync_hand import Hand
    from holdfast.usecases.pages.sync_plan import Planned


def carry_out(plan: Planned, hand: Hand) -> Done:
    """Carry out the plan of one entry; a text that the gates refuse is reported and left."""
    try:
        return _carried(plan, hand)
    except InvalidError as error:
        said = words.MEND.format(problem=error)
        return Done(outcome=replace(plan.outcome, step=SyncStep.REFUSED, words=said))


def _carried(plan: Planned, hand: Hand) -> Done:
    if plan.step in _DOING:
        return _DOING[plan.step](plan, hand)
    is_dropped = plan.step is SyncStep.ELSEWHERE and plan.placed is None
    return Done(outcome=plan.outcome, is_dropped=is_dropped)


def is_due(plan: Planned) -> bool:
    """Tell whether a plan changes the store."""
    match plan.step:
        case SyncStep.AGREED:
            return is_split(plan) or _new_label(plan) is not None
        case SyncStep.CONFLICT:
            return plan.side is None
        case SyncStep.WRITTEN | SyncStep.RESTORED:
            known = certain(plan.version).standing.label
            return known is None if plan.placed is not None else known != plan.label
        case step:
            return step in {
                SyncStep.RELABELLED,
                SyncStep.TAKEN,
                SyncStep.PROPOSED,
                SyncStep.DEPRECATED,
            }


def is_split(plan: Planned) -> bool:
    """Tell whether two versions are accepted side by side and the page chooses one."""
    heads = certain(plan.chain).heads
    return len(heads) > 1 and plan.version in heads


def _new_label(plan: Planned) -> str | None:
    """Return the label of an agreed entry, if the store does not have it yet."""
    if plan.label is not None:
        return plan.label
    entry, known = certain(plan.placed).entry, certain(plan.version).standing.label
    return entry.label if known is None or known in entry.was else None


def _agree(plan: Planned, hand: Hand) -> Done:
    version, placed = certain(plan.version), certain(plan.placed)
    if label := _new_label(plan):
        version = hand.name(version, label)
    if is_split(plan):
        hand.replace(certain(plan.chain).heads, version, Action.EDIT)
    put = None
    if plan.label is not None:
        put = Put(entry=under_label(placed.entry, plan.label), over=placed.entry.digest)
    outcome = replace(plan.outcome, label=plan.label or plan.outcome.label)
    return Done(outcome=outcome, placed=placed, put=put, tip=version.memory.id)


def _write(plan: Planned, hand: Hand) -> Done:
    """Write the store's text to the page."""
    version, chain, placed = certain(plan.version), certain(plan.chain), plan.placed
    status = hand.register.status(version, chain)
    if is_due(plan):
        version = hand.name(version, certain(plan.label))
    entry = replace(hand.register.entry(version, chain.uid, status), label=plan.label)
    put = Put(entry=entry)
    if placed is not None:
        was = under_label(placed.entry, plan.label).was
        at = (placed.path, placed.line) if placed.entry.uid is None else None
        put = Put(entry=replace(entry, was=was), over=placed.entry.digest, at=at)
    outcome = replace(plan.outcome, uid=chain.uid, label=entry.label)
    return Done(outcome=outcome, put=put, tip=version.memory.id)


def _deprecate(plan: Planned, hand: Hand) -> Done:
    version = certain(plan.version)
    hand.book(Action.DEPRECATE).settle(version, Status.DEPRECATED, reason=words.REMOVED)
    return Done(outcome=plan.outcome, is_dropped=True)


_DOING: dict[SyncStep, Callable[[Planned, Hand], Done]] = {
    SyncStep.AGREED: _agree,
    SyncStep.RELABELLED: _agree,
    SyncStep.WRITTEN: _write,
    SyncStep.RESTORED: _write,
    SyncStep.TAKEN: take,
    SyncStep.PROPOSED: propose,
    SyncStep.CONFLICT: keep_both,
    SyncStep.DEPRECATED: _deprecate,
}
