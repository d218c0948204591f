"""Assign labels to entries: their own, the next free one, or another if two share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.pages.page_entry import Numbering, is_label
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_plan import certain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.usecases.pages.sync_plan import Planned

_WRITING = frozenset({SyncStep.WRITTEN, SyncStep.RESTORED})
_HOLDING = frozenset(
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
        if plan.placed is not None and plan.outcome.label is not None and plan.step in _HOLDING:
            holders.setdefault(plan.outcome.label, plan)
    numbers, labelled = Numbering((*known, *holders)), list(plans)
    for number in order:
        labelled[number] = _labelled(plans[number], holders, numbers)
    return labelled


def _age(plan: Planned) -> tuple[bool, str, str, int]:
    """Return the sort key of entries: by their first memory, then by place; unnamed ones last."""
    uid = plan.outcome.uid
    return (uid is None, uid or "", plan.outcome.path, plan.outcome.line)


def _labelled(plan: Planned, holders: dict[str, Planned], numbers: Numbering) -> Planned:
    own = plan.outcome.label
    is_free = own is not None and holders.get(own, plan) is plan
    if plan.placed is not None and plan.step is SyncStep.AGREED:
        return plan if is_free else _relabelled(plan, own, numbers)
    if not (plan.step in _WRITING or (plan.step is SyncStep.TAKEN and not plan.is_standing)):
        return plan
    if not is_free or (plan.placed is None and not is_label(own)):
        standing = None if plan.version is None else plan.version.standing.label
        own = standing if is_label(standing) and standing not in holders else None
    return replace(plan, label=own or _next(plan, numbers))


def _relabelled(plan: Planned, old: str | None, numbers: Numbering) -> Planned:
    """Give an agreed entry another label; an unlabelled one needs a label only while accepted."""
    if old is None and certain(plan.version).standing.status is not Status.ACCEPTED:
        return plan
    said = words.UNLABELLED if old is None else words.RELABELLED.format(old=old)
    return replace(plan.told(SyncStep.RELABELLED, said), label=_next(plan, numbers))


def _next(plan: Planned, numbers: Numbering) -> str:
    if plan.placed is not None:
        kind = plan.placed.entry.kind
    else:
        kind = certain(plan.version).memory.kind
    return numbers.next(kind)
