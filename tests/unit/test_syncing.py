from __future__ import annotations

import pytest

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages.syncing import (
    Absence,
    Outcome,
    Sights,
    Step,
    Synced,
    absent,
    are_too_many,
    three_way,
)
from tests.requirements import requirement


@requirement("files.both-changed-both-kept")
@pytest.mark.parametrize(
    ("base", "file", "store", "step"),
    [
        ("a", "a", "a", Step.AGREED),
        ("a", "b", "b", Step.AGREED),
        (None, "a", "a", Step.AGREED),
        ("a", "a", "b", Step.WRITTEN),
        ("a", "b", "a", Step.TAKEN),
        ("a", "b", "c", Step.CONFLICT),
        (None, "b", "c", Step.CONFLICT),
        (None, "old", "c", Step.WRITTEN),
    ],
)
def test_who_changed_an_entry_decides_what_happens(
    base: str | None, file: str, store: str, step: Step
) -> None:
    assert three_way(Sights(base=base, file=file, store=store, earlier=["old"])) is step


def test_a_text_from_git_that_nobody_agreed_on_is_new_and_no_conflict() -> None:
    seen = Sights(base=None, file="b", store="c", is_committed=True)

    assert three_way(seen) is Step.TAKEN


@requirement("files.absence-is-not-deletion")
@pytest.mark.parametrize(
    ("git", "now", "once", "ours", "step"),
    [
        (False, False, True, True, Step.RESTORED),
        (True, True, True, True, Step.REMOVAL_PENDING),
        (True, False, False, True, Step.RESTORED),
        (True, False, True, True, Step.DEPRECATED),
        (True, False, True, False, Step.ELSEWHERE),
    ],
)
def test_a_missing_entry_is_removed_only_where_git_shows_it(
    *, git: bool, now: bool, once: bool, ours: bool, step: Step
) -> None:
    seen = Absence(has_git=git, is_committed=now, was_committed=once, is_of_here=ours)

    assert absent(seen) is step


@requirement("files.mass-removals-are-refused")
@pytest.mark.parametrize(
    ("gone", "of", "refused"), [(8, 8, False), (9, 12, True), (30, 100, False), (31, 100, True)]
)
def test_more_than_eight_and_a_third_are_too_many(gone: int, of: int, *, refused: bool) -> None:
    assert are_too_many(gone, of) is refused


def test_a_sync_tells_what_somebody_wants_to_hear() -> None:
    steps = (Step.AGREED, Step.TAKEN, Step.CONFLICT, Step.WAITING)
    synced = Synced(outcomes=tuple(Outcome(step=step) for step in steps))

    assert [one.step for one in synced.told] == [Step.TAKEN, Step.CONFLICT, Step.WAITING]
    assert [one.step for one in synced.open] == [Step.CONFLICT]
    assert not synced.is_in_line


def test_what_only_waits_for_trust_is_in_line_and_a_flaw_is_not() -> None:
    waiting = Synced(outcomes=(Outcome(step=Step.WAITING), Outcome(step=Step.PROPOSED)))
    flawed = Synced(flaws=(Flaw(path="a.md", line=1, problem="It is broken."),))

    assert waiting.is_in_line
    assert not flawed.is_in_line


@pytest.mark.parametrize(
    ("synced", "waits"),
    [
        (Synced(), False),
        (Synced(notes=("A save was set aside.",)), True),
        (Synced(outcomes=(Outcome(step=Step.TAKEN),)), False),
        (Synced(outcomes=(Outcome(step=Step.PROPOSED),)), True),
        (Synced(outcomes=(Outcome(step=Step.WAITING),)), True),
    ],
)
def test_a_sync_tells_whether_anything_waits_for_a_person(synced: Synced, *, waits: bool) -> None:
    assert synced.waits is waits
