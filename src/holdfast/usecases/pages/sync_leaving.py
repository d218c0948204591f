"""Leave page edits alone if nobody who may decide asked to take them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.pages.syncing import SyncStep
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_plan import certain, proof_of
from holdfast.usecases.pages.sync_steps import is_due, is_split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.usecases.pages.sync_plan import Planned, Sight

_WRITING = frozenset({SyncStep.WRITTEN, SyncStep.RESTORED, SyncStep.RELABELLED})


def left_for_sync(plans: Sequence[Planned], seen: Sight, *, takes_in: bool) -> list[Planned]:
    """Return the plans; those that need another caller or a sync of their own are left alone."""
    return [_left(plan, seen, takes_in=takes_in) for plan in plans]


def _left(plan: Planned, seen: Sight, *, takes_in: bool) -> Planned:
    if plan.step is SyncStep.AGREED and is_split(plan) and seen.voice is not Origin.HUMAN:
        return plan.told(SyncStep.WAITING, words.CHOSEN_BY_AGENT)
    if takes_in or not is_due(plan) or plan.step in _WRITING:
        return plan
    return plan if _is_asked_for(plan, seen) else plan.told(SyncStep.LEFT, words.LEFT)


def _is_asked_for(plan: Planned, seen: Sight) -> bool:
    """Tell whether a person was shown this text, or has just decided about it."""
    if plan.step is SyncStep.AGREED:
        return not is_split(plan) and certain(plan.version).standing.label is None
    return plan.placed is not None and proof_of(plan.placed) in seen.trusted
