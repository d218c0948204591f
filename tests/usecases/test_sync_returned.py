"""sync: an entry that a commit took out of the pages comes back."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Origin, Status
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.usecases.pages.sync.decide import certain
from holdfast.usecases.review.undo import Undo
from tests.builders import PlainSurroundings
from tests.requirements import requirement
from tests.usecases.curating import curation
from tests.usecases.pages import UseCaseContext, from_git
from tests.usecases.test_sync import removed
from tests.usecases.test_sync_git import go_to, trusted

MAIN = BranchPoint(branch="main", head="1" * 40)


@pytest.fixture
def context(seen: Holdfast, surroundings: PlainSurroundings) -> UseCaseContext:
    surroundings.stands = MAIN
    return UseCaseContext(memory=seen)


@pytest.fixture
def gone(context: UseCaseContext) -> PageEntry:
    """An entry that a commit took out; a sync deprecated its memory, and another one followed."""
    record = context.decided()
    entry = context.entry(record.memory.id)
    removed(context, record)
    assert context.steps() == [SyncStep.DEPRECATED]
    go_to(context, replace(MAIN, head="4" * 40))
    assert context.sync().is_in_line
    return entry


def status(context: UseCaseContext, entry: PageEntry) -> Status:
    """Return the status of the memory of an entry."""
    return context.record(entry.uid or "").standing.status


@requirement("files.a-return-is-ones-own")
@pytest.mark.parametrize("way", ["commit", "revert", "edit"])
def test_an_entry_that_its_person_brings_back_is_accepted_again(
    context: UseCaseContext, gone: PageEntry, way: str
) -> None:
    uid = certain(gone.uid)
    context.notebook.add(gone)
    if way != "edit":
        own = context.own_clone
        (own.own_since if way == "commit" else own.reverted_since).add("4" * 40)
        context.notebook.commit()
        go_to(context, replace(MAIN, head="5" * 40))

    assert context.steps() == [SyncStep.TAKEN]

    assert status(context, gone) is Status.ACCEPTED
    assert context.entry(uid) == gone
    assert not context.notebook.bases()[uid].is_removed
    assert context.sync().is_in_line


@requirement("files.git-brings-candidates")
def test_an_entry_that_commits_of_others_bring_back_waits_for_trust(
    context: UseCaseContext, gone: PageEntry
) -> None:
    uid = certain(gone.uid)
    from_git(context, gone)
    go_to(context, replace(MAIN, head="5" * 40))

    assert context.steps() == [SyncStep.WAITING]
    assert context.steps() == [SyncStep.WAITING]

    assert (status(context, gone), context.entry(uid)) == (Status.DEPRECATED, gone)
    assert trusted(context) == [SyncStep.TAKEN]
    assert status(context, gone) is Status.ACCEPTED


@requirement("files.agents-only-propose")
def test_an_entry_that_an_agent_brings_back_waits(context: UseCaseContext, gone: PageEntry) -> None:
    context.notebook.add(gone)

    assert context.steps(voice=Origin.AGENT) == [SyncStep.WAITING]

    assert status(context, gone) is Status.DEPRECATED


@requirement("files.store-changes-are-written")
def test_an_entry_that_comes_back_after_its_memory_changed_gets_the_later_text(
    context: UseCaseContext, gone: PageEntry
) -> None:
    uid = certain(gone.uid)
    curation(context.memory).undo(Undo(by="ada"))
    context.sync()
    context.notebook.edit(uid, body="We deploy on Fridays.")
    context.sync()
    bases = context.notebook.bases()
    was_gone = replace(bases[uid], digest="", is_removed=True)
    context.notebook.set_bases({uid: was_gone})
    context.notebook.remove(uid)
    from_git(context, gone)

    assert context.steps() == [SyncStep.WRITTEN]

    assert context.entry(uid).body == "We deploy on Fridays."
