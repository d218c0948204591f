from __future__ import annotations

import pytest

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages.syncing import (
    EntryDigests,
    EntryOutcome,
    MissingEntry,
    Synced,
    SyncStep,
    absent,
    are_too_many,
    three_way,
)
from tests.requirements import requirement


@requirement("files.both-changed-both-kept")
@pytest.mark.parametrize(
    ("base", "file", "store", "step"),
    [
        ("a", "a", "a", SyncStep.AGREED),
        ("a", "b", "b", SyncStep.AGREED),
        (None, "a", "a", SyncStep.AGREED),
        ("a", "a", "b", SyncStep.WRITTEN),
        ("a", "b", "a", SyncStep.TAKEN),
        ("a", "b", "c", SyncStep.CONFLICT),
        (None, "b", "c", SyncStep.CONFLICT),
        (None, "old", "c", SyncStep.WRITTEN),
    ],
)
def test_who_changed_an_entry_decides_what_happens(
    base: str | None, file: str, store: str, step: SyncStep
) -> None:
    assert three_way(EntryDigests(base=base, file=file, store=store, earlier=["old"])) is step


def test_a_text_from_git_that_nobody_agreed_on_is_new_and_no_conflict() -> None:
    seen = EntryDigests(base=None, file="b", store="c", is_committed=True)

    assert three_way(seen) is SyncStep.TAKEN


@requirement("files.absence-is-not-deletion")
@pytest.mark.parametrize(
    ("git", "now", "once", "ours", "step"),
    [
        (False, False, True, True, SyncStep.RESTORED),
        (True, True, True, True, SyncStep.REMOVAL_PENDING),
        (True, False, False, True, SyncStep.RESTORED),
        (True, False, True, True, SyncStep.DEPRECATED),
        (True, False, True, False, SyncStep.ELSEWHERE),
    ],
)
def test_a_missing_entry_is_removed_only_where_git_shows_it(
    *, git: bool, now: bool, once: bool, ours: bool, step: SyncStep
) -> None:
    seen = MissingEntry(has_git=git, is_committed=now, was_committed=once, is_of_here=ours)

    assert absent(seen) is step


@requirement("files.mass-removals-are-refused")
@pytest.mark.parametrize(
    ("gone", "of", "refused"), [(8, 8, False), (9, 12, True), (30, 100, False), (31, 100, True)]
)
def test_more_than_eight_and_a_third_are_too_many(gone: int, of: int, *, refused: bool) -> None:
    assert are_too_many(gone, of) is refused


def test_a_sync_tells_what_somebody_wants_to_hear() -> None:
    steps = (SyncStep.AGREED, SyncStep.TAKEN, SyncStep.CONFLICT, SyncStep.WAITING)
    synced = Synced(outcomes=tuple(EntryOutcome(step=step) for step in steps))

    assert [one.step for one in synced.told] == [
        SyncStep.TAKEN,
        SyncStep.CONFLICT,
        SyncStep.WAITING,
    ]
    assert [one.step for one in synced.open] == [SyncStep.CONFLICT]
    assert not synced.is_in_line


def test_what_only_waits_for_trust_is_in_line_and_a_flaw_is_not() -> None:
    waiting = Synced(
        outcomes=(EntryOutcome(step=SyncStep.WAITING), EntryOutcome(step=SyncStep.PROPOSED))
    )
    flawed = Synced(flaws=(Flaw(path="a.md", line=1, problem="It is broken."),))

    assert waiting.is_in_line
    assert not flawed.is_in_line


@pytest.mark.parametrize(
    ("synced", "waits"),
    [
        (Synced(), False),
        (Synced(notes=("A save was set aside.",)), True),
        (Synced(outcomes=(EntryOutcome(step=SyncStep.TAKEN),)), False),
        (Synced(outcomes=(EntryOutcome(step=SyncStep.PROPOSED),)), True),
        (Synced(outcomes=(EntryOutcome(step=SyncStep.WAITING),)), True),
    ],
)
def test_a_sync_tells_whether_anything_waits_for_a_person(synced: Synced, *, waits: bool) -> None:
    assert synced.waits is waits
