"""Forgetting beyond the store: what is looked for, and what is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.refusals import PagesBusyError
from holdfast.domain.review.traces import GoneText, Reach, Trace, remains
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Traces
from holdfast.usecases.memory.forget import Forget
from tests.requirements import requirement
from tests.usecases.pages import UseCaseContext
from tests.usecases.wishes import said


class Looked:
    """A place that notes what it was asked for."""

    def __init__(self, *found: Trace) -> None:
        self.found = found
        self.asked: list[GoneText] = []

    def __str__(self) -> str:
        return "some place"

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        self.asked += gone
        return self.found


class Busy(Looked):
    """A place that cannot be looked at."""

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        raise PagesBusyError(gone[0].memory, "another process holds it")


def with_places(memory: Holdfast, *places: Traces) -> Holdfast:
    return replace(memory, traces_of=lambda _repo: places)


@requirement("forget.reaches-what-was-written")
def test_every_place_is_asked_and_what_it_found_is_told_once(holdfast: Holdfast) -> None:
    trace = Trace(place="a.md", reach=Reach.REMOVED)
    place = Looked(trace)
    record = said(holdfast, "We deploy on Tuesdays.")

    gone = with_places(holdfast, place, Looked(trace)).memories.forget(
        Forget(reference=record.memory.id)
    )

    assert gone.traces == (trace,)
    assert [one.claim for one in place.asked] == ["We deploy on Tuesdays."]
    assert not remains(gone.traces)


@requirement("forget.dry-run-changes-nothing")
def test_a_dry_run_asks_no_place(holdfast: Holdfast) -> None:
    place = Looked()
    record = said(holdfast, "We deploy on Tuesdays.")

    with_places(holdfast, place).memories.forget(Forget(reference=record.memory.id, dry_run=True))

    assert place.asked == []


@requirement("forget.reaches-what-was-written")
def test_a_place_that_cannot_be_looked_at_is_told_and_the_memory_is_gone(
    holdfast: Holdfast,
) -> None:
    record = said(holdfast, "We deploy on Tuesdays.")

    gone = with_places(holdfast, Busy()).memories.forget(Forget(reference=record.memory.id))

    (trace,) = gone.traces
    assert (trace.place, trace.reach) == ("some place", Reach.LEFT)
    assert "another process holds it" in trace.advice
    assert remains(gone.traces)


@requirement("forget.reaches-what-was-written")
def test_an_entry_is_known_by_every_version_before_it_and_what_stands_now(
    holdfast: Holdfast,
) -> None:
    place = Looked()
    first, second, third = (
        said(holdfast, f"We deploy on {day}s.", kind=Kind.DECISION, key="deploy").memory
        for day in ("Monday", "Tuesday", "Friday")
    )

    with_places(holdfast, place).memories.forget(Forget(reference=second.id))
    with_places(holdfast, place).memories.forget(Forget(reference=first.id))

    middle, oldest = place.asked
    assert middle.names == {first.id, second.id}
    assert middle.later == (third.claim,)
    assert oldest.later == ()
    assert middle.is_entry(first.id, "we deploy on tuesdays")
    assert middle.is_entry(None, second.claim)
    assert middle.is_entry(second.id, third.claim)
    assert not middle.is_entry(third.id, second.claim)
    assert not middle.is_entry(first.id, third.claim)


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("A page.\nThe old gateway listens on\nport 9443.\n", True),
        ("> The old gateway\n> listens on port 9443.", True),
        ("The old gateway listens on port 8443.", False),
    ],
)
def test_a_text_is_found_however_it_is_broken_into_lines(text: str, *, is_there: bool) -> None:
    gone = GoneText(memory=MemoryId("m_1"), claim="The old gateway listens on port 9443.")

    assert gone.is_in(text) is is_there


def test_a_text_of_a_few_letters_is_looked_for_by_its_entry_only() -> None:
    assert not GoneText(memory=MemoryId("m_1"), claim="No.").is_in("No.")


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_text_without_its_uid_is_not_taken_in_from_a_page(holdfast: Holdfast) -> None:
    context = UseCaseContext(memory=holdfast)
    entry = PageEntry(body="We deploy on Tuesdays.", kind=Kind.DECISION)
    context.notebook.add(entry)
    context.notebook.forgotten = frozenset({entry.digest})

    outcome = context.only()

    assert (outcome.step, outcome.words) == (SyncStep.FORGOTTEN, messages.FORGOTTEN_TEXT)
    assert context.recalled("deploy") == []


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_text_that_a_person_remembers_anew_stands_again(holdfast: Holdfast) -> None:
    context = UseCaseContext(memory=holdfast)
    entry = PageEntry(body="We deploy on Tuesdays.", kind=Kind.DECISION)
    context.notebook.add(entry)
    context.notebook.forgotten = frozenset({entry.digest})
    said(holdfast, "We deploy on Tuesdays.", kind=Kind.DECISION)

    assert context.only().step is SyncStep.WRITTEN
