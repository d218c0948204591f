"""Remove secrets from what a sync reports: the text of a page has not passed the gates yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.pages.page_entry import is_label
from holdfast.domain.pages.syncing import QUIET, SyncStep
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.pages.syncing import EntryOutcome

_FROM_THE_STORE = QUIET | {SyncStep.WRITTEN}


def masked_outcome(outcome: EntryOutcome) -> EntryOutcome:
    """Return an outcome without the secrets in the label of its entry; its claim was screened."""
    label = outcome.label
    if label is None or is_label(label) or outcome.step in _FROM_THE_STORE:
        return outcome
    return replace(outcome, label=_masked(label))


def masked_task(outcome: EntryOutcome) -> EntryOutcome:
    """Return the outcome of a task's page without the secrets in its text."""
    if outcome.step in _FROM_THE_STORE:
        return outcome
    fields = tuple((name, _masked(value)) for name, value in outcome.fields)
    return replace(
        outcome, claim=_masked(outcome.claim), before=_masked(outcome.before), fields=fields
    )


def masked_flaw(flaw: Flaw) -> Flaw:
    """Return a flaw whose description quotes no secret of the page."""
    return replace(flaw, problem=_masked(flaw.problem))


def _masked(text: str) -> str:
    return redact(text, find_secrets(text))
