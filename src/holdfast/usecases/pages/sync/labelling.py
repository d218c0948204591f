"""Labels of planned entries: each is unique, and the later of two equal ones is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.page_entry import Numbering, is_label
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync.decide import certain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.usecases.pages.sync.decide import Planned

WRITING = frozenset({SyncStep.WRITTEN, SyncStep.RESTORED})
"""Steps that write an entry of the store to its page."""
_KEEPING_LABEL = frozenset(
    {SyncStep.AGREED, SyncStep.WRITTEN, SyncStep.TAKEN, SyncStep.CONFLICT, SyncStep.BEHIND}
)
"""Steps whose entries keep their label; an unaccepted entry takes it from no other."""


def with_labels(plans: Sequence[Planned], *, known: Iterable[str]) -> list[Planned]:
    """Give every written entry a unique label; the later of two equal labels is changed.

    ``known`` are the labels of this repository's memories, in pages or not.
    """
    order = sorted(range(len(plans)), key=lambda number: _age(plans[number]))
    holders: dict[str, Planned] = {}
    for plan in (plans[number] for number in order):
        if (
            plan.placed is not None
            and plan.outcome.label is not None
            and plan.step in _KEEPING_LABEL
        ):
            holders.setdefault(plan.outcome.label, plan)
    numbers, labelled = Numbering((*known, *holders)), list(plans)
    for number in order:
        labelled[number] = _with_label(plans[number], holders, numbers)
    return labelled


def _age(plan: Planned) -> tuple[bool, str, str, int]:
    """Return the sort key of entries: by their first memory, then by place; unnamed ones last."""
    uid = plan.outcome.uid
    return (uid is None, uid or "", plan.outcome.path, plan.outcome.line)


def _with_label(plan: Planned, holders: dict[str, Planned], numbers: Numbering) -> Planned:
    own = plan.outcome.label
    is_free = own is not None and holders.get(own, plan) is plan
    if plan.placed is not None and plan.step is SyncStep.AGREED:
        return plan if is_free else _relabelled(plan, own, numbers)
    if not (plan.step in WRITING or (plan.step is SyncStep.TAKEN and not plan.is_standing)):
        return plan
    if not is_free or (plan.placed is None and not is_label(own)):
        stored = None if plan.version is None else plan.version.standing.label
        own = stored if is_label(stored) and stored not in holders else None
    return replace(plan, label=own or _next_label(plan, numbers))


def _relabelled(plan: Planned, old: str | None, numbers: Numbering) -> Planned:
    """Give an agreed entry another label; an unlabelled one needs a label only while accepted."""
    if old is None and certain(plan.version).standing.status is not Status.ACCEPTED:
        return plan
    words = messages.UNLABELLED if old is None else messages.RELABELLED.format(old=old)
    return replace(plan.with_step(SyncStep.RELABELLED, words), label=_next_label(plan, numbers))


def _next_label(plan: Planned, numbers: Numbering) -> str:
    if plan.placed is not None:
        return numbers.next(plan.placed.entry.kind)
    return numbers.next(certain(plan.version).memory.kind)
