"""sync after an undo: what a decision brought into a page goes with it."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Status
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.review.resolve import ResolutionWay
from holdfast.usecases.review.undo import Undo
from tests.requirements import requirement
from tests.usecases.curating import DAILY, HOURLY, approved, curation, resolved
from tests.usecases.pages import UseCaseContext, a_decision, from_git
from tests.usecases.wishes import proposed, reject


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def set_status(context: UseCaseContext, status: Status) -> None:
    (page,) = context.notebook.pages.values()
    page[:] = [replace(page[0], status=status)]


def undo(context: UseCaseContext) -> None:
    curation(context.memory).undo(Undo(by="ada"))


@requirement("files.undone-decisions-leave-the-pages")
@pytest.mark.parametrize("dry_run", [False, True])
def test_an_approval_that_was_undone_takes_its_entry_out(
    context: UseCaseContext, *, dry_run: bool
) -> None:
    record = proposed(context.memory, DAILY, kind=Kind.DECISION)
    approved(context.memory, record)
    context.sync()
    undo(context)

    synced = context.sync(dry_run=dry_run)

    assert [(one.step, one.claim) for one in synced.told] == [(SyncStep.TAKEN_OUT, DAILY)]
    assert not synced.is_in_line
    assert bool(context.notebook.pages) is dry_run
    assert dry_run or (context.sync().told, context.notebook.bases()) == ((), {})


@requirement("files.undone-decisions-leave-the-pages")
def test_an_approval_after_an_undo_writes_the_entry_again(context: UseCaseContext) -> None:
    record = proposed(context.memory, DAILY, kind=Kind.DECISION)
    approved(context.memory, record)
    context.sync()
    first = context.notebook.read().entries
    undo(context)
    context.sync()

    approved(context.memory, record)
    context.sync()

    assert context.notebook.read().entries == first


@requirement("files.undone-decisions-leave-the-pages")
def test_a_resolution_that_was_undone_gives_the_entry_its_text_again(
    context: UseCaseContext,
) -> None:
    old = context.decided(HOURLY, key="rotation")
    before = context.notebook.read().entries
    new = proposed(context.memory, DAILY, kind=Kind.DECISION, key="rotation")
    resolved(context.memory, new, ResolutionWay.SUPERSEDE)
    context.sync()
    assert context.entry(old.memory.id).body == DAILY
    undo(context)

    assert context.steps() == [SyncStep.WRITTEN]
    assert context.notebook.read().entries == before


@requirement("files.undone-decisions-leave-the-pages")
@pytest.mark.parametrize("is_committed", [False, True])
def test_a_rejection_that_was_undone_gives_an_entry_of_others_its_status_again(
    context: UseCaseContext, *, is_committed: bool
) -> None:
    found = a_decision()
    from_git(context, found)
    name = context.only().memory or ""
    reject(context.memory, name, by="ada")
    context.sync(takes_in=False)
    assert context.entry(found.uid or "").status is Status.REJECTED
    if is_committed:
        context.notebook.commit()
        assert context.sync().told == ()
    undo(context)

    context.sync(takes_in=False)

    assert context.entry(found.uid or "").digest == found.digest
    assert context.steps() == [SyncStep.WAITING]
    assert context.record(name).standing.status is Status.CANDIDATE
    approved(context.memory, context.record(name))
    assert context.sync().told == ()


@requirement("files.undone-decisions-leave-the-pages")
def test_an_entry_that_others_ended_themselves_is_not_revived_by_an_undo(
    context: UseCaseContext,
) -> None:
    found = a_decision()
    from_git(context, found)
    name = context.only().memory or ""
    reject(context.memory, name, by="ada")
    context.sync(takes_in=False)
    set_status(context, Status.DEPRECATED)
    undo(context)

    assert context.steps() == [SyncStep.DEPRECATED]

    assert context.entry(found.uid or "").status is Status.DEPRECATED


@requirement("files.statuses-of-pages-stay")
@pytest.mark.parametrize("status", [Status.REJECTED, Status.SUPERSEDED, Status.DEPRECATED])
def test_an_entry_that_a_person_ended_in_its_page_stays_there(
    context: UseCaseContext, status: Status
) -> None:
    record = context.decided()
    set_status(context, status)
    context.sync()
    before = context.notebook.read().entries

    assert context.sync().told == ()

    assert context.record(record.memory.id).standing.status is status
    assert context.notebook.read().entries == before


@requirement("files.statuses-of-pages-stay")
def test_an_entry_that_a_person_made_a_candidate_in_its_page_waits_there(
    context: UseCaseContext,
) -> None:
    record = context.decided()
    set_status(context, Status.CANDIDATE)
    context.sync()

    assert context.steps() == [SyncStep.WAITING]

    assert context.entry(record.memory.id).status is Status.CANDIDATE


@requirement("files.undone-decisions-leave-the-pages")
def test_a_file_that_is_saved_meanwhile_keeps_the_entry_for_the_next_sync(
    context: UseCaseContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = proposed(context.memory, DAILY, kind=Kind.DECISION)
    approved(context.memory, record)
    context.sync()
    undo(context)
    bases = context.notebook.bases()
    with monkeypatch.context() as patched:
        patched.setattr(context.notebook, "_written", lambda _: None)

        assert context.steps() == [SyncStep.WAITING]

    assert context.notebook.bases() == bases
    assert context.steps() == [SyncStep.TAKEN_OUT]


@requirement("files.undone-decisions-leave-the-pages")
@pytest.mark.parametrize("changed", ["a comment", "label", "source"])
def test_an_entry_whose_frontmatter_was_edited_stays_and_says_so(
    context: UseCaseContext, changed: str
) -> None:
    record = proposed(context.memory, DAILY, kind=Kind.DECISION)
    approved(context.memory, record)
    context.sync()
    if changed == "a comment":
        context.notebook.annotate(record.memory.id)
    else:
        (page,) = context.notebook.pages.values()
        named = {"label": page[0].label, "source": page[0].source} | {changed: "ADR-1"}
        page[:] = [replace(page[0], label=named["label"], source=named["source"] or "")]
    before = context.notebook.read()
    undo(context)

    told = context.only()

    assert (told.step, told.words) == (SyncStep.WAITING, messages.NOT_TAKEN_OUT)
    assert context.notebook.read() == before
    approved(context.memory, record)
    assert context.sync().told == ()
    assert context.notebook.read().entries[0].has_more is (changed == "a comment")
