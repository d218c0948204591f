"""Edits of pages that an agent's sync found stay the agent's, whoever syncs next."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from tests.requirements import requirement
from tests.usecases.pages import DECISIONS, UseCaseContext
from tests.usecases.wishes import approve, reject

WORSE = "We deploy without any review."
OTHERWISE: dict[str, dict[str, Any]] = {
    "tags": {"tags": ("urgent",)},
    "kind": {"kind": Kind.FACT},
    "key": {"key": "deploys"},
    "expiry": {"expires": "2036-01-01T00:00:00Z"},
    "evidence": {"evidence": ("statement: the owner agreed",)},
    "label": {"label": "DEC-777"},
    "source": {"source": "the owner"},
    "spelling": {"body": "  We deploy   without any review"},
}
"""What an agent may change beside the text, after its sync proposed the text."""


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def change(context: UseCaseContext, **fields: Any) -> None:
    """Change fields of the first entry of the page of decisions."""
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], **fields)


@pytest.mark.parametrize("how", OTHERWISE)
@requirement("files.agents-edits-stay-theirs")
def test_a_text_that_an_agent_proposed_stays_one_whatever_else_changes(
    context: UseCaseContext, how: str
) -> None:
    record = context.decided()
    change(context, body=WORSE)
    context.sync(voice=Origin.AGENT)

    change(context, **OTHERWISE[how])
    context.sync()
    context.sync()

    assert context.recalled("deploy") == ["We deploy on Tuesdays."]
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


@pytest.mark.parametrize("how", OTHERWISE)
@requirement("files.agents-edits-stay-theirs")
def test_a_new_entry_of_an_agent_stays_one_whatever_else_changes(
    context: UseCaseContext, how: str
) -> None:
    context.notebook.add(PageEntry(body=WORSE, kind=Kind.DECISION))
    context.sync(voice=Origin.AGENT)

    change(context, **OTHERWISE[how])
    context.sync()
    context.sync()

    assert context.recalled("deploy") == []


@requirement("files.agents-edits-stay-theirs")
def test_a_rejected_text_does_not_come_back_with_another_tag(context: UseCaseContext) -> None:
    context.decided()
    change(context, body=WORSE)
    reject(context.memory, context.only(voice=Origin.AGENT).memory or "", by="ada")
    change(context, tags=("urgent",))

    context.sync()

    assert context.recalled("deploy") == ["We deploy on Tuesdays."]


@requirement("files.agents-edits-stay-theirs")
def test_facts_that_an_agent_changed_wait_although_the_text_is_accepted(
    context: UseCaseContext,
) -> None:
    record = context.decided()
    change(context, expires="2020-01-01T00:00:00Z")
    context.sync(voice=Origin.AGENT)

    assert context.steps() == [SyncStep.WAITING]

    assert context.recalled("deploy") == ["We deploy on Tuesdays."]
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


@requirement("files.agents-edits-stay-theirs")
def test_another_store_of_the_clone_knows_the_edits_of_agents(context: UseCaseContext) -> None:
    found = PageEntry(body=WORSE, kind=Kind.DECISION)
    context.notebook.proposed = {found.digest: Origin.AGENT}
    context.notebook.add(found)

    assert context.steps() == [SyncStep.PROPOSED]

    assert context.recalled("deploy") == []


@requirement("files.agents-edits-stay-theirs")
def test_an_approved_edit_is_no_proposal_any_more(context: UseCaseContext) -> None:
    context.decided()
    change(context, body=WORSE)
    approve(context.memory, context.only(voice=Origin.AGENT).memory or "", by="ada")
    assert context.notebook.proposed

    context.sync()

    assert context.notebook.proposed == {}
    change(context, tags=("urgent",))
    assert context.steps() == [SyncStep.TAKEN]


@pytest.mark.parametrize(
    "status", [Status.DEPRECATED, Status.SUPERSEDED, Status.REJECTED, Status.CANDIDATE]
)
@requirement("files.agents-edits-stay-theirs")
def test_a_status_that_an_agent_wrote_waits_until_a_person_accepts_it(
    context: UseCaseContext, status: Status
) -> None:
    record = context.decided()
    change(context, status=status)
    context.sync(voice=Origin.AGENT)

    outcome = context.only()

    assert outcome.step is SyncStep.WAITING
    assert outcome.words == messages.STATUS_BY_AGENT.format(status=status)
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED
    assert context.steps(accepts_removals=True) == [SyncStep.TAKEN]
    assert context.record(record.memory.id).standing.status is status
    assert context.notebook.proposed == {}


@requirement("files.agents-edits-stay-theirs")
def test_a_status_that_an_agent_writes_back_revives_nothing(context: UseCaseContext) -> None:
    record = context.decided()
    change(context, status=Status.DEPRECATED)
    context.sync()
    change(context, status=Status.ACCEPTED)
    context.sync(voice=Origin.AGENT)

    assert context.steps() == [SyncStep.WAITING]

    assert context.record(record.memory.id).standing.status is Status.DEPRECATED


@requirement("files.agents-edits-stay-theirs")
def test_a_text_that_an_agent_wrote_with_a_status_ends_nothing(context: UseCaseContext) -> None:
    record = context.decided()
    change(context, body=WORSE, status=Status.DEPRECATED)
    context.sync(voice=Origin.AGENT)

    outcome = context.only(accepts_removals=True)

    assert outcome.words == messages.TEXT_AND_STATUS_BY_AGENT.format(status="deprecated")
    change(context, status=Status.ACCEPTED)
    assert context.steps() == [SyncStep.PROPOSED]
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


@requirement("files.agents-edits-stay-theirs")
def test_a_person_who_writes_another_status_decides(context: UseCaseContext) -> None:
    record = context.decided()
    change(context, status=Status.REJECTED)
    context.sync(voice=Origin.AGENT)
    change(context, status=Status.DEPRECATED)

    assert context.steps() == [SyncStep.TAKEN]

    assert context.record(record.memory.id).standing.status is Status.DEPRECATED


@pytest.mark.parametrize("tag", ["private", "Private", " private "])
@pytest.mark.parametrize("voice", [Origin.HUMAN, Origin.AGENT])
@requirement("files.private-is-refused-in-pages")
def test_an_entry_with_the_tag_private_is_refused(
    context: UseCaseContext, voice: Origin, tag: str
) -> None:
    record = context.decided()
    change(context, body=WORSE, tags=(tag,))
    context.notebook.add(PageEntry(body="Approve me.", kind=Kind.DECISION, tags=(tag,)))

    told = context.sync(voice=voice).told

    assert [(one.step, one.words) for one in told] == [(SyncStep.REFUSED, messages.PRIVATE)] * 2
    assert context.recalled("deploy") == ["We deploy on Tuesdays."]
    assert context.recalled("approve") == []
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


@requirement("files.agents-edits-stay-theirs")
def test_a_refused_edit_of_an_agent_is_no_persons_once_it_is_corrected(
    context: UseCaseContext,
) -> None:
    context.decided()
    change(context, body=WORSE, tags=("private",))
    context.sync(voice=Origin.AGENT)

    change(context, tags=())

    assert context.steps() == [SyncStep.PROPOSED]
    assert context.recalled("deploy") == ["We deploy on Tuesdays."]


@requirement("files.private-is-refused-in-pages")
def test_a_pulled_entry_with_the_tag_private_is_no_candidate(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body="Approve me.", kind=Kind.DECISION, tags=("private",)))
    context.notebook.commit()

    assert context.steps() == [SyncStep.REFUSED]
    assert context.steps() == [SyncStep.REFUSED]

    assert "Nothing waits." in context.notebook.generated["memory/candidates.md"][0]
