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
from holdfast.usecases.pages.trust import Trust
from tests.requirements import requirement
from tests.usecases.pages import DECISIONS, Desk, a_decision, from_git
from tests.usecases.wishes import approve, said


@pytest.fixture
def desk(holdfast: Holdfast) -> Desk:
    return Desk(memory=holdfast)


def change(desk: Desk, **changes: Any) -> None:
    """Change the only entry of the page, as a person does."""
    (entry,) = desk.notebook.pages[DECISIONS]
    desk.notebook.pages[DECISIONS] = [replace(entry, **changes)]


@requirement("files.key-and-expiry")
def test_a_page_carries_key_and_expiry_to_another_store(desk: Desk) -> None:
    from_git(desk, a_decision(key="deploy", expires="2026-12-24T00:00:00Z"))

    candidate = desk.record(desk.only().memory or "")
    approve(desk.memory, candidate.memory.id, by="ada")
    newer = said(desk.memory, "We deploy on Mondays.", kind=Kind.DECISION, key="deploy")

    assert candidate.memory.key == "deploy"
    assert candidate.memory.expires_at == datetime(2026, 12, 24, tzinfo=UTC)
    old = desk.record(candidate.memory.id).standing
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, newer.memory.id)


@requirement("files.key-and-expiry")
def test_key_and_expiry_stand_in_the_page_and_are_edited_there(desk: Desk) -> None:
    record = desk.decided(key="deploy", keep_for=timedelta(days=9))
    entry = desk.entry(record.memory.id)
    assert (entry.key, entry.expires) == ("deploy", "2026-11-24T12:00:00Z")
    assert desk.sync().is_in_line

    change(desk, key="deploy-day", expires="")
    new = desk.record(desk.only().memory or "").memory

    assert (new.key, new.expires_at) == ("deploy-day", None)
    assert desk.sync().is_in_line


def without_key(desk: Desk) -> None:
    """Let the page and the last agreement be as they were before pages had keys."""
    change(desk, key="", expires="")
    (entry,) = desk.notebook.pages[DECISIONS]
    ((branch, bases),) = desk.notebook.agreed.items()
    desk.notebook.agreed[branch] = {
        uid: replace(base, digest=entry.digest) for uid, base in bases.items()
    }


@requirement("files.key-and-expiry")
def test_a_page_from_before_keys_gets_the_key(desk: Desk) -> None:
    record = desk.decided(key="deploy")
    without_key(desk)

    assert desk.steps() == [SyncStep.WRITTEN]

    assert desk.entry(record.memory.id).key == "deploy"


@requirement("files.key-and-expiry")
def test_a_page_from_before_keys_gets_the_key_in_a_clone_that_never_synced(desk: Desk) -> None:
    record = desk.decided(key="deploy")
    without_key(desk)
    desk.notebook.agreed.clear()
    desk.notebook.commit()

    assert desk.steps() == [SyncStep.WRITTEN]

    assert desk.entry(record.memory.id).key == "deploy"


@requirement("files.key-and-expiry")
def test_an_edit_of_a_page_from_before_keys_keeps_the_key(desk: Desk) -> None:
    record = desk.decided(key="deploy")
    without_key(desk)
    change(desk, body="We deploy on Mondays.")

    new = desk.record(desk.only().memory or "").memory

    assert (new.claim, new.key) == ("We deploy on Mondays.", "deploy")
    assert desk.entry(record.memory.id).key == "deploy"
    assert desk.sync().is_in_line


@requirement("files.key-and-expiry")
def test_a_proposed_edit_of_a_page_from_before_keys_is_proposed_once(desk: Desk) -> None:
    record = desk.decided(key="deploy")
    without_key(desk)
    change(desk, body="We deploy on Mondays.")

    first = desk.only(voice=Origin.AGENT)
    second = desk.only(voice=Origin.AGENT)

    assert (first.step, second.step) == (SyncStep.PROPOSED, SyncStep.WAITING)
    assert desk.record(first.memory or "").memory.key == "deploy"
    assert second.memory == first.memory
    approve(desk.memory, first.memory or "", by="ada")
    assert desk.steps() == [SyncStep.WRITTEN]
    assert desk.entry(record.memory.id).key == "deploy"
    assert desk.sync().is_in_line


@requirement("files.key-and-expiry")
def test_a_status_in_a_page_from_before_keys_is_the_status_of_the_memory(desk: Desk) -> None:
    record = desk.decided(key="deploy")
    without_key(desk)
    change(desk, status=Status.DEPRECATED)

    assert desk.only().memory == record.memory.id

    assert desk.record(record.memory.id).standing.status is Status.DEPRECATED
    assert desk.steps() == [SyncStep.WRITTEN]
    assert desk.entry(record.memory.id).key == "deploy"


@requirement("files.ended-entries-are-not-proposed")
def test_a_deprecated_entry_that_nobody_here_knows_is_left_alone(desk: Desk) -> None:
    from_git(desk, a_decision(status=Status.DEPRECATED))

    assert desk.steps() == []

    with desk.memory.store.reading() as tx:
        assert tx.memories.count(Selection()) == 0


@requirement("files.ended-entries-are-not-proposed")
def test_a_deprecated_entry_arrives_deprecated_through_trust(desk: Desk) -> None:
    from_git(desk, a_decision(status=Status.DEPRECATED))
    desk.sync()

    shown = desk.filing.pending(by="ada").shown
    desk.filing.trust(Trust(clone="/home/ada/app", by="ada", shown=shown))

    assert desk.record("m_01k0000000000000000000000a").standing.status is Status.DEPRECATED


@requirement("files.ended-entries-are-not-proposed")
def test_a_candidate_that_the_page_deprecates_no_longer_waits(desk: Desk) -> None:
    from_git(desk, a_decision())
    candidate = desk.only().memory or ""
    change(desk, status=Status.DEPRECATED)
    desk.notebook.commit()

    assert desk.steps() == [SyncStep.DEPRECATED]

    assert desk.record(candidate).standing.status is Status.DEPRECATED
    with pytest.raises(AlreadyDecidedError):
        approve(desk.memory, candidate, by="ada")
    assert desk.sync().is_in_line


@requirement("files.ended-entries-are-not-proposed")
@pytest.mark.parametrize("voice", [Origin.HUMAN, Origin.AGENT])
def test_an_edit_that_also_deprecates_is_not_proposed_as_live(desk: Desk, voice: Origin) -> None:
    desk.decided()
    change(desk, body="We never deploy.", status=Status.DEPRECATED)
    if voice is Origin.HUMAN:
        desk.notebook.commit()

    assert desk.only(voice=voice).step is SyncStep.WAITING

    assert desk.recalled("deploy") == ["We deploy on Tuesdays."]
