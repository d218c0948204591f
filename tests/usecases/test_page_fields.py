"""What a page carries beside its text: the key, the expiry and the status."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.errors import AlreadyDecidedError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.values import replace
from holdfast.ports.anchors.clone import BroughtText
from holdfast.usecases.pages.trust import Trust
from tests.requirements import requirement
from tests.usecases.pages import DECISIONS, UseCaseContext, a_decision, from_git
from tests.usecases.wishes import approve, said


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def change(context: UseCaseContext, **changes: Any) -> None:
    """Change the only entry of the page, as a person does."""
    (entry,) = context.notebook.pages[DECISIONS]
    context.notebook.pages[DECISIONS] = [replace(entry, **changes)]


@requirement("files.key-and-expiry")
def test_a_page_carries_key_and_expiry_to_another_store(context: UseCaseContext) -> None:
    from_git(context, a_decision(key="deploy", expires="2026-12-24T00:00:00Z"))

    candidate = context.record(context.only().memory or "")
    approve(context.memory, candidate.memory.id, by="ada")
    newer = said(context.memory, "We deploy on Mondays.", kind=Kind.DECISION, key="deploy")

    assert candidate.memory.key == "deploy"
    assert candidate.memory.expires_at == datetime(2026, 12, 24, tzinfo=UTC)
    old = context.record(candidate.memory.id).standing
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, newer.memory.id)


@requirement("files.key-and-expiry")
def test_key_and_expiry_stand_in_the_page_and_are_edited_there(context: UseCaseContext) -> None:
    record = context.decided(key="deploy", keep_for=timedelta(days=9))
    entry = context.entry(record.memory.id)
    assert (entry.key, entry.expires) == ("deploy", "2026-11-24T12:00:00Z")
    assert context.sync().is_in_line

    change(context, key="deploy-day", expires="")
    new = context.record(context.only().memory or "").memory

    assert (new.key, new.expires_at) == ("deploy-day", None)
    assert context.sync().is_in_line


def without_key(context: UseCaseContext) -> None:
    """Let the page and the last agreement be as they were before pages had keys."""
    change(context, key="", expires="")
    (entry,) = context.notebook.pages[DECISIONS]
    ((branch, bases),) = context.notebook.agreed.items()
    context.notebook.agreed[branch] = {
        uid: replace(base, digest=entry.digest) for uid, base in bases.items()
    }


@requirement("files.key-and-expiry")
def test_a_page_from_before_keys_gets_the_key(context: UseCaseContext) -> None:
    record = context.decided(key="deploy")
    without_key(context)

    assert context.steps() == [SyncStep.WRITTEN]

    assert context.entry(record.memory.id).key == "deploy"


@requirement("files.key-and-expiry")
def test_a_page_from_before_keys_gets_the_key_in_a_clone_that_never_synced(
    context: UseCaseContext,
) -> None:
    record = context.decided(key="deploy")
    without_key(context)
    context.notebook.agreed.clear()
    context.notebook.commit()

    assert context.steps() == [SyncStep.WRITTEN]

    assert context.entry(record.memory.id).key == "deploy"


@requirement("files.key-and-expiry")
def test_an_edit_of_a_page_from_before_keys_keeps_the_key(context: UseCaseContext) -> None:
    record = context.decided(key="deploy")
    without_key(context)
    change(context, body="We deploy on Mondays.")

    new = context.record(context.only().memory or "").memory

    assert (new.claim, new.key) == ("We deploy on Mondays.", "deploy")
    assert context.entry(record.memory.id).key == "deploy"
    assert context.sync().is_in_line


@requirement("files.key-and-expiry")
def test_a_proposed_edit_of_a_page_from_before_keys_is_proposed_once(
    context: UseCaseContext,
) -> None:
    record = context.decided(key="deploy")
    without_key(context)
    change(context, body="We deploy on Mondays.")

    first = context.only(voice=Origin.AGENT)
    second = context.only(voice=Origin.AGENT)

    assert (first.step, second.step) == (SyncStep.PROPOSED, SyncStep.WAITING)
    assert context.record(first.memory or "").memory.key == "deploy"
    assert second.memory == first.memory
    approve(context.memory, first.memory or "", by="ada")
    assert context.steps() == [SyncStep.WRITTEN]
    assert context.entry(record.memory.id).key == "deploy"
    assert context.sync().is_in_line


@requirement("files.key-and-expiry")
def test_a_status_in_a_page_from_before_keys_is_the_status_of_the_memory(
    context: UseCaseContext,
) -> None:
    record = context.decided(key="deploy")
    without_key(context)
    change(context, status=Status.DEPRECATED)

    assert context.only().memory == record.memory.id

    assert context.record(record.memory.id).standing.status is Status.DEPRECATED
    assert context.steps() == [SyncStep.WRITTEN]
    assert context.entry(record.memory.id).key == "deploy"


@requirement("files.ended-entries-are-not-proposed")
def test_a_deprecated_entry_that_nobody_here_knows_is_left_alone(context: UseCaseContext) -> None:
    from_git(context, a_decision(status=Status.DEPRECATED))

    assert context.steps() == []

    with context.memory.store.reading() as tx:
        assert tx.memories.count(Selection()) == 0


@requirement("files.ended-entries-are-not-proposed")
def test_a_deprecated_entry_arrives_deprecated_through_trust(context: UseCaseContext) -> None:
    from_git(context, a_decision(status=Status.DEPRECATED))
    context.sync()

    shown = context.filing.pending(by="ada").shown
    context.filing.trust(Trust(clone="/home/ada/app", by="ada", shown=shown))

    assert context.record("m_01k0000000000000000000000a").standing.status is Status.DEPRECATED


@requirement("files.ended-entries-are-not-proposed")
def test_a_candidate_that_the_page_deprecates_no_longer_waits(context: UseCaseContext) -> None:
    from_git(context, a_decision())
    candidate = context.only().memory or ""
    change(context, status=Status.DEPRECATED)
    context.notebook.commit()

    assert context.steps() == [SyncStep.DEPRECATED]

    assert context.record(candidate).standing.status is Status.DEPRECATED
    with pytest.raises(AlreadyDecidedError):
        approve(context.memory, candidate, by="ada")
    assert context.sync().is_in_line


@requirement("files.ended-entries-are-not-proposed")
@pytest.mark.parametrize("voice", [Origin.HUMAN, Origin.AGENT])
def test_an_edit_that_also_deprecates_is_not_proposed_as_live(
    context: UseCaseContext, voice: Origin
) -> None:
    context.decided()
    change(context, body="We never deploy.", status=Status.DEPRECATED)
    if voice is Origin.HUMAN:
        context.notebook.commit()

    assert context.only(voice=voice).step is SyncStep.WAITING

    assert context.recalled("deploy") == ["We deploy on Tuesdays."]


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize(
    "field",
    [{"status": Status.DEPRECATED}, {"tags": ("new",)}, {"key": "taken"}, {"key": ""},
     {"expires": "2026-12-24T00:00:00Z"}, {"expires": ""}, {"checks": ("file a must exist",)},
     {"evidence": ("url: https://evil.example",)}, {"kind": Kind.GOTCHA}],
)  # fmt: skip
@pytest.mark.parametrize("is_others", [True, False])
def test_each_field_that_others_changed_waits(
    context: UseCaseContext, field: dict[str, Any], *, is_others: bool
) -> None:
    record = context.decided(key="deploy", keep_for=timedelta(days=9))
    theirs = replace(context.entry(record.memory.id), **field)
    if is_others:
        context.own_clone.fields = {record.memory.id: theirs.field_marks}

    change(context, body="We deploy on Mondays.", **field)

    found = context.steps()
    assert found == ([SyncStep.TAKEN] if not is_others else found)
    assert is_others == (found in ([SyncStep.PROPOSED], [SyncStep.WAITING]))


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize(
    ("before", "now"),
    [
        ({"tags": ("a", "b")}, {"tags": ("a",)}),
        (
            {"checks": ("file a must exist", "file b must exist")},
            {"checks": ("file a must exist",)},
        ),
        ({"body": "We deploy.\nOften."}, {"body": "We deploy."}),
    ],
)
@pytest.mark.parametrize("is_others", [True, False])
def test_an_item_that_others_removed_waits(
    context: UseCaseContext, before: dict[str, Any], now: dict[str, Any], *, is_others: bool
) -> None:
    record = context.decided()
    change(context, **before)
    assert context.steps() == [SyncStep.TAKEN]
    (entry,) = context.notebook.pages[DECISIONS]
    if is_others:
        theirs = replace(entry, **now).removal_marks(entry)
        context.own_clone.fields = {record.memory.id: theirs}

    change(context, **now)

    assert context.steps() == [SyncStep.PROPOSED if is_others else SyncStep.TAKEN]


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_line_of_others_waits_unless_it_was_accepted_here(
    context: UseCaseContext, *, is_accepted: bool
) -> None:
    context.decided()
    if is_accepted:
        said(context.memory, "Nobody deploys alone.", kind=Kind.DECISION)
    context.own_clone.others = {"Nobody deploys alone."}
    (entry, *_) = context.notebook.pages[DECISIONS]

    context.notebook.pages[DECISIONS][0] = replace(
        entry, body=f"{entry.body}\nNobody deploys alone."
    )

    assert (SyncStep.TAKEN if is_accepted else SyncStep.PROPOSED) in context.steps()


@requirement("files.git-brings-candidates")
def test_a_line_that_others_changed_too_is_ones_own_to_change(context: UseCaseContext) -> None:
    record = context.decided()
    entry = context.entry(record.memory.id)
    context.own_clone.fields = {record.memory.id: replace(entry, body=" ").removal_marks(entry)}

    change(context, body="We deploy on Mondays.")

    assert context.steps() == [SyncStep.TAKEN]


@requirement("files.git-brings-candidates")
def test_a_value_that_was_accepted_here_before_is_nobodys_news(context: UseCaseContext) -> None:
    record = context.decided(key="deploy")
    old = context.entry(record.memory.id)
    context.own_clone.fields = {record.memory.id: old.field_marks}
    change(context, tags=("new",))
    assert context.steps() == [SyncStep.TAKEN]

    change(context, tags=())
    assert context.steps() == [SyncStep.TAKEN]
    change(context, status=Status.DEPRECATED)
    assert context.steps() == [SyncStep.TAKEN]
    change(context, status=Status.ACCEPTED)

    assert context.steps() == [SyncStep.TAKEN]


@requirement("files.git-brings-candidates")
def test_a_key_that_pages_once_lacked_is_not_removed_by_others(context: UseCaseContext) -> None:
    record = context.decided(key="deploy")
    without_key(context)
    old = context.entry(record.memory.id)
    context.own_clone.fields = {record.memory.id: old.field_marks}

    change(context, body="We deploy on Mondays.")

    assert context.steps() == [SyncStep.TAKEN]


@requirement("files.git-brings-candidates")
def test_a_field_waits_if_git_cannot_tell_whose_it_is() -> None:
    assert BroughtText(fields=None).has_field_of("m_1", {"a mark"})
    assert not BroughtText(fields=None).has_field_of("m_1", set())
    assert not BroughtText().has_field_of("m_1", {"a mark"})


def test_fields_in_a_page_that_is_too_large_may_be_anybodys() -> None:
    brought = BroughtText(unread=frozenset({"m_1"}))

    assert brought.has_field_of("m_1", {"a mark"})
    assert not brought.has_field_of("m_2", {"a mark"})


def test_a_line_that_only_earlier_commits_have_is_no_trace_of_others() -> None:
    brought = BroughtText(
        lines=frozenset({"now", "earlier"}),
        past=frozenset({"earlier"}),
        retouched=frozenset({"changed"}),
    )

    assert brought.traces == {"now", "changed"}
