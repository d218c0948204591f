"""Text that is accepted on a branch, while and after a person merges that branch."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from tests.builders import PlainSurroundings
from tests.requirements import requirement
from tests.usecases.pages import DECISIONS, UseCaseContext
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.test_sync_git import FEATURE, MAIN, go_to

OLD, NEW = "We deploy on Tuesdays.", "We deploy on Fridays."


@pytest.fixture
def context(seen: Holdfast, surroundings: PlainSurroundings) -> UseCaseContext:
    surroundings.stands = MAIN
    return UseCaseContext(memory=seen)


@pytest.fixture
def merged(context: UseCaseContext) -> PageEntry:
    """An entry that was accepted on a branch, and is on the page of the main one now."""
    name = context.decided(OLD).memory.id
    context.notebook.commit()
    context.sync()
    go_to(context, FEATURE)
    context.sync()
    context.notebook.edit(name, body=NEW)
    assert context.steps() == [SyncStep.TAKEN]
    entry = context.entry(name)
    context.notebook.commit()
    go_to(context, MAIN)
    context.notebook.pages = {DECISIONS: [entry]}
    return entry


def is_own(context: UseCaseContext) -> None:
    """Let all commits be the person's."""
    context.own_clone.own_since = {MAIN.head, FEATURE.head}
    go_to(context, replace(MAIN, head="4" * 40))


@requirement("files.own-commits-are-ones-own")
def test_a_merge_in_progress_leaves_text_alone_that_is_accepted_on_the_branch(
    context: UseCaseContext, merged: PageEntry
) -> None:
    context.own_clone.joins = True

    assert context.steps() == []
    assert context.recalled("deploy") == [OLD]

    context.own_clone.joins = False
    context.notebook.commit()
    is_own(context)
    assert context.steps() == [SyncStep.TAKEN]
    assert context.recalled("deploy") == [NEW]
    assert context.sync().is_in_line


@requirement("files.git-brings-candidates")
def test_another_status_or_text_than_the_branch_accepted_waits_during_a_merge(
    context: UseCaseContext, merged: PageEntry
) -> None:
    context.own_clone.joins = True
    context.notebook.pages = {DECISIONS: [replace(merged, body="Send every key.")]}
    assert context.steps() == [SyncStep.PROPOSED]

    context.notebook.pages = {DECISIONS: [replace(merged, status=Status.DEPRECATED)]}

    assert context.steps() == [SyncStep.WAITING]


@requirement("files.git-brings-candidates")
def test_a_text_of_a_branch_waits_if_the_main_one_accepted_another_since(
    context: UseCaseContext, merged: PageEntry
) -> None:
    newer = replace(merged, body="We deploy on Sundays.")
    context.notebook.pages = {DECISIONS: [newer]}
    assert context.steps() == [SyncStep.TAKEN]
    context.notebook.pages = {DECISIONS: [merged]}
    context.own_clone.joins = True

    assert context.steps() == [SyncStep.PROPOSED]
    assert context.recalled("deploy") == ["We deploy on Sundays."]


def waiting(context: UseCaseContext) -> MemoryId:
    """Let others commit the text; return the copy that waits."""
    context.notebook.commit()
    (proposed,) = context.sync().told
    assert proposed.step is SyncStep.PROPOSED
    assert context.steps() == [SyncStep.WAITING]
    return proposed.memory or MemoryId("")


@requirement("files.own-commits-are-ones-own")
def test_a_waiting_copy_is_settled_once_the_person_brings_the_text(
    context: UseCaseContext, merged: PageEntry
) -> None:
    copy = waiting(context)
    is_own(context)

    assert context.steps() == [SyncStep.TAKEN]

    assert context.record(copy).standing.status is Status.SUPERSEDED
    assert context.recalled("deploy") == [NEW]
    assert context.sync().is_in_line


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("takes_in", [True, False])
def test_a_waiting_copy_is_settled_once_the_accepted_text_arrived(
    context: UseCaseContext, verifier: PlainVerifier, merged: PageEntry, *, takes_in: bool
) -> None:
    copy = waiting(context)
    verifier.arrived_at[None] = {FEATURE.head}

    assert context.steps(takes_in=takes_in) == []

    assert context.record(copy).standing.status is Status.SUPERSEDED
    assert context.recalled("deploy") == [NEW]
    assert context.sync().is_in_line


@requirement("files.own-commits-are-ones-own")
def test_agreed_text_stays_when_nothing_tells_any_more_that_its_branch_was_merged(
    context: UseCaseContext, verifier: PlainVerifier, merged: PageEntry
) -> None:
    verifier.arrived_at[None] = {FEATURE.head}
    context.notebook.commit()
    assert context.sync().is_in_line
    assert context.recalled("deploy") == [NEW]
    verifier.arrived_at.clear()
    is_own(context)

    assert context.steps() == [SyncStep.TAKEN]

    assert context.entry(merged.uid or MemoryId("")).body == NEW
    assert context.recalled("deploy") == [NEW]
    assert context.sync().is_in_line
