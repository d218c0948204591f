"""Read the text of a page as a memory, also to foresee what the screening would refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.page_entry import is_label, with_key_of
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync.convert import convert_entry
from holdfast.usecases.pages.sync.decide import certain
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.usecases.pages.sync.convert import ConvertedEntry, Reader
    from holdfast.usecases.pages.sync.decide import Planned

READING = frozenset({SyncStep.TAKEN, SyncStep.PROPOSED, SyncStep.CONFLICT})
"""The steps that read a page's text as a memory."""


def foreseen(plan: Planned, reader: Reader) -> EntryOutcome:
    """Return the outcome of a plan that is not applied: refused if applying it would refuse it."""
    if plan.step not in READING or plan.is_standing:
        return plan.outcome
    try:
        if plan.candidate is None:
            converted(plan, reader)
        if plan.step is SyncStep.TAKEN:
            screened_label(certain(plan.label))
    except InvalidError as error:
        return refused(plan, error)
    return plan.outcome


def refused(plan: Planned, error: InvalidError) -> EntryOutcome:
    """Return the outcome of an entry whose text the screening refused."""
    words = messages.REFUSED.format(problem=error)
    return replace(plan.outcome, step=SyncStep.REFUSED, words=words)


def converted(plan: Planned, reader: Reader) -> ConvertedEntry:
    """Return the page's text as a memory, with the lines that it cites.

    Raises:
        InvalidError: It contains a secret, is too large, or is not text.
    """
    placed = certain(plan.placed)
    uid = placed.entry.uid if plan.chain is None else None
    old = previous(plan)
    if plan.is_unkeyed:
        placed = replace(placed, entry=with_key_of(certain(old).memory, placed.entry))
    return convert_entry(placed, origin=plan.origin, reader=reader, old=old, uid=uid)


def previous(plan: Planned) -> MemoryRecord | None:
    """Return the previous version of the entry, here or on another branch."""
    if plan.version is not None or plan.chain is None:
        return plan.version
    return plan.chain.hidden[-1]


def screened_label(label: str) -> str:
    """Return a screened label; one such as ``DEC-001`` cannot contain a secret."""
    return label if is_label(label) else screened(label, what="label")
