"""Entries that nobody edited: stale copies and cut-off syncs make no edit and no conflict."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.memory.entry import SetAside
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync import Sync
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.pages import UseCaseContext
from tests.usecases.wishes import said


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def on(day: str) -> str:
    return f"We deploy on {day}s."


@requirement("files.no-false-conflicts")
def test_a_sync_that_was_cut_off_before_it_noted_its_write_makes_no_conflict(
    context: UseCaseContext,
) -> None:
    record = context.decided(on("Tuesday"), key="deploy")
    noted = dict(context.notebook.bases())
    context.decided(on("Friday"), key="deploy")
    context.notebook.set_bases(noted)
    said(context.memory, on("Monday"), kind=Kind.DECISION, key="deploy")

    assert context.only().step is SyncStep.WRITTEN

    assert context.entry(record.memory.id).body == on("Monday")


@requirement("files.no-false-conflicts")
def test_an_editor_that_saves_an_old_copy_undoes_no_change_of_the_store(
    context: UseCaseContext,
) -> None:
    record = context.decided(on("Tuesday"), key="deploy")
    context.decided(on("Thursday"), key="deploy")
    context.decided(on("Friday"), key="deploy")
    context.notebook.edit(record.memory.id, body=on("Tuesday"))

    outcome = context.only()

    assert (outcome.step, outcome.words) == (SyncStep.WRITTEN, messages.OLD_COPY)
    assert context.entry(record.memory.id).body == on("Friday")
    assert context.recalled("deploy") == [on("Friday")]


@requirement("files.no-false-conflicts")
def test_an_old_copy_is_no_conflict_when_the_store_has_changed_once_more(
    context: UseCaseContext,
) -> None:
    record = context.decided(on("Tuesday"), key="deploy")
    context.decided(on("Friday"), key="deploy")
    context.notebook.edit(record.memory.id, body=on("Tuesday"))
    said(context.memory, on("Monday"), kind=Kind.DECISION, key="deploy")

    assert context.only().step is SyncStep.WRITTEN

    assert context.entry(record.memory.id).body == on("Monday")


@requirement("files.no-false-conflicts")
def test_a_person_who_goes_back_to_the_old_text_twice_means_it(context: UseCaseContext) -> None:
    record = context.decided(on("Tuesday"), key="deploy")
    context.decided(on("Friday"), key="deploy")
    context.notebook.edit(record.memory.id, body=on("Tuesday"))
    context.sync()
    assert context.sync().is_in_line
    context.notebook.edit(record.memory.id, body=on("Tuesday"))

    assert context.only().step is SyncStep.TAKEN

    assert context.recalled("deploy") == [on("Tuesday")]


@requirement("files.no-false-conflicts")
def test_after_an_hour_the_old_text_is_what_a_person_wrote(
    context: UseCaseContext, clock: FixedClock
) -> None:
    record = context.decided(on("Tuesday"), key="deploy")
    context.decided(on("Friday"), key="deploy")
    clock.advance(hours=2)
    context.notebook.edit(record.memory.id, body=on("Tuesday"))

    assert context.only().step is SyncStep.TAKEN


@requirement("files.absence-is-not-deletion")
def test_many_entries_that_an_old_copy_lacks_come_back_if_no_commit_had_them(
    context: UseCaseContext,
) -> None:
    records = [context.decided(f"Rule number {number} stands.") for number in range(12)]
    for record in records[:9]:
        context.notebook.remove(record.memory.id)

    assert context.steps() == [SyncStep.RESTORED] * 9


@requirement("files.no-false-conflicts")
def test_only_one_sync_of_a_clone_runs_at_a_time(context: UseCaseContext) -> None:
    turns: list[bool] = []

    def turn() -> AbstractContextManager[None]:
        turns.append(True)
        return nullcontext()

    filing = replace(context.filing, turn=turn)
    filing.sync(Sync(voice=Origin.HUMAN, by="ada"))
    filing.sync(Sync(voice=Origin.HUMAN, by="ada", dry_run=True))

    assert turns == [True]


@requirement("files.displaced-saves-are-named")
def test_a_sync_names_a_save_that_was_set_aside(context: UseCaseContext) -> None:
    context.notebook.aside = (SetAside(page="decisions.md", copy="/clone/kept/1-decisions.md"),)

    (note,) = context.sync().notes

    assert "decisions.md" in note
    assert "/clone/kept/1-decisions.md" in note
