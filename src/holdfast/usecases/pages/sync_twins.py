"""Entries of the pages that repeat the text or the label of another entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import near_form
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages import sync_words as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.usecases.pages.sync_plan import Planned

_NOT_ACCEPTED = frozenset({SyncStep.PROPOSED, SyncStep.WAITING})
_NEW = frozenset({SyncStep.TAKEN, SyncStep.PROPOSED})


def with_twins_named(plans: Sequence[Planned]) -> list[Planned]:
    """Note on a new entry with a repeated text, or a waiting one with a repeated label, where."""
    return _with_labels_named(_with_texts_named(plans))


def _with_texts_named(plans: Sequence[Planned]) -> list[Planned]:
    if not any(_is_new(plan) for plan in plans):
        return list(plans)
    first: dict[str, Planned] = {}
    for plan in sorted(plans, key=_is_new):
        first.setdefault(near_form(plan.outcome.claim), plan)
    return [
        _noted(plan, words.EQUAL_TEXT.format(other=_place(twin)))
        if _is_new(plan) and (twin := first[near_form(plan.outcome.claim)]) is not plan
        else plan
        for plan in plans
    ]


def _with_labels_named(plans: Sequence[Planned]) -> list[Planned]:
    """Note the other entry with the label; both keep it until the waiting entry is accepted."""
    bearers: dict[str, Planned] = {}
    for plan in plans:
        label = plan.label or plan.outcome.label
        if label is not None and plan.step not in _NOT_ACCEPTED:
            bearers.setdefault(label, plan)
    return [
        _noted(plan, words.SAME_LABEL.format(label=plan.outcome.label, other=_place(twin)))
        if plan.step in _NOT_ACCEPTED and (twin := bearers.get(plan.outcome.label or ""))
        else plan
        for plan in plans
    ]


def _is_new(plan: Planned) -> bool:
    return plan.placed is not None and plan.placed.entry.uid is None and plan.step in _NEW


def _place(plan: Planned) -> str:
    """Return the place of an entry; one that is not written yet is named by its memory."""
    outcome = plan.outcome
    return f"{outcome.path}:{outcome.line}" if outcome.path else str(outcome.memory)


def _noted(plan: Planned, note: str) -> Planned:
    said = plan.outcome.words
    whole = note if said in words.EXPECTED else f"{said}; {note}"
    return replace(plan, outcome=replace(plan.outcome, words=whole))
