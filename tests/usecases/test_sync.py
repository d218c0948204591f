from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import Flaw, PageEntry
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import Place
from holdfast.domain.pages.syncing import SyncStep
from holdfast.domain.refusals import PagesNeedRepositoryError
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Put, Written
from holdfast.surfaces.cli.advising.sync_advice import with_advice
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.recognise import supersede
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.curating import curation
from tests.usecases.pages import DECISIONS, Desk, a_decision, from_git
from tests.usecases.wishes import SECRET, a_wish, approve, proposed, reject, said


@pytest.fixture
def desk(holdfast: Holdfast) -> Desk:
    return Desk(memory=holdfast)


@requirement("files.store-changes-are-written")
def test_what_a_person_decided_stands_in_the_page_after_a_sync(desk: Desk) -> None:
    record = desk.decided("We deploy on Tuesdays.")

    entry = desk.entry(record.memory.id)
    assert (entry.body, entry.label, entry.status) == (
        "We deploy on Tuesdays.",
        "DEC-001",
        Status.ACCEPTED,
    )
    assert entry.evidence == ("statement: I decided it.",)
    assert desk.record(record.memory.id).standing.label == "DEC-001"


@requirement("files.sync-is-idempotent")
def test_a_second_sync_changes_nothing(desk: Desk, store: InMemoryStore) -> None:
    desk.decided()
    with store.reading() as tx:
        before = tx.diary.events.head()
    pages, bases = desk.notebook.read(), desk.notebook.bases()

    again = desk.sync()

    with store.reading() as tx:
        assert tx.diary.events.head() == before
    assert again.is_in_line
    assert (desk.notebook.read(), desk.notebook.bases()) == (pages, bases)


@requirement("files.edits-are-taken-in")
def test_an_edit_becomes_a_memory_that_takes_the_place_of_the_old_one(
    desk: Desk, clock: FixedClock
) -> None:
    record = desk.decided("We deploy on Tuesdays.")
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    clock.advance(hours=48)

    outcome = desk.only()

    assert outcome.step is SyncStep.TAKEN
    assert outcome.memory is not None
    new, old = desk.record(outcome.memory), desk.record(record.memory.id)
    assert (new.memory.claim, new.memory.origin) == ("We deploy on Wednesdays.", Origin.HUMAN)
    assert [item.reference for item in new.evidence] == [
        "I decided it.",
        f"edited in {DECISIONS}",
    ]
    assert (old.standing.status, old.standing.superseded_by) == (
        Status.SUPERSEDED,
        new.memory.id,
    )
    entry = desk.entry(record.memory.id)
    assert (entry.uid, entry.updated) == (record.memory.id, "2026-11-17")
    assert desk.recalled("deploy") == ["We deploy on Wednesdays."]
    assert desk.sync().is_in_line


@requirement("files.edits-are-taken-in")
def test_an_edit_keeps_key_weight_and_end_of_what_it_edits(desk: Desk) -> None:
    wish = a_wish(
        "We deploy on Tuesdays.", kind=Kind.DECISION, key="deploy", keep_for=timedelta(days=9)
    )
    record = desk.memory.memories.remember(replace(wish, weight=2.0, importance=0.9)).record
    desk.sync()
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")

    new = desk.record(desk.only().memory or "").memory

    old = record.memory
    assert (new.key, new.weight, new.importance, new.expires_at) == (
        old.key,
        old.weight,
        old.importance,
        old.expires_at,
    )


@requirement("files.edits-are-taken-in")
def test_evidence_that_a_person_takes_out_or_writes_down_is_that_of_the_new_memory(
    desk: Desk,
) -> None:
    record = desk.decided(
        "Tokens rotate.",
        grounds=Grounds(places=("src/app.py:1-2",), because="I decided it."),
    )
    page = desk.notebook.pages[DECISIONS]
    entry = replace(
        page[0],
        evidence=(
            "src/app.py:1-2",
            "src/app.py:3",
            "src/gone.py:1",
            "https://example.org/why",
            "abc1234",
            "command: pytest -q",
            "because",
        ),
    )
    page[0] = entry

    new = desk.record(desk.only().memory or "")

    assert [(item.type.value, item.reference) for item in new.evidence] == [
        ("span", "src/app.py:1-2"),
        ("span", "src/app.py:3"),
        ("span", "src/gone.py:1"),
        ("url", "https://example.org/why"),
        ("commit", "abc1234"),
        ("command", "pytest -q"),
        ("statement", "because"),
        ("statement", f"edited in {DECISIONS}"),
    ]
    spans = [item.span is not None for item in new.evidence]
    assert spans == [True, True, *[False] * 6]
    known = desk.entry(record.memory.id).evidence
    assert known == (page[0].evidence[0], *entry.evidence[1:])
    assert known[0].startswith("src/app.py:1-2#")
    assert desk.sync().is_in_line


@requirement("files.both-changed-both-kept")
def test_an_entry_that_changed_on_both_sides_is_kept_twice_until_somebody_decides(
    desk: Desk,
) -> None:
    record = desk.decided("We deploy on Tuesdays.", key="deploy")
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    other = said(desk.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    outcome = desk.only()

    assert outcome.step is SyncStep.CONFLICT
    assert desk.entry(record.memory.id).body == "We deploy on Wednesdays."
    kept = desk.record(outcome.memory or "")
    assert (kept.memory.claim, kept.standing.status) == (
        "We deploy on Wednesdays.",
        Status.CANDIDATE,
    )
    with desk.memory.store.reading() as tx:
        links = tx.links.touching(kept.memory.id)
    assert [(link.dst, link.kind) for link in links] == [(other.memory.id, LinkKind.CONTRADICTS)]
    again = desk.only()
    assert (again.step, again.words) == (SyncStep.CONFLICT, outcome.words)


@requirement("files.both-changed-both-kept")
@pytest.mark.parametrize("keeps_page", [True, False])
def test_a_decided_conflict_is_in_line_with_the_decision(desk: Desk, *, keeps_page: bool) -> None:
    record = desk.decided("We deploy on Tuesdays.", key="deploy")
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    rival = said(desk.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")
    kept = desk.only().memory or ""

    if keeps_page:
        wish = Resolve(reference=kept, other=rival.memory.id, by="ada", way=ResolutionWay.SUPERSEDE)
        desk.memory.review.resolve(wish)
    else:
        reject(desk.memory, kept, by="ada")
    desk.sync()

    wanted = "We deploy on Wednesdays." if keeps_page else "We deploy on Fridays."
    assert desk.entry(record.memory.id).body == wanted
    assert desk.recalled("deploy") == [wanted]
    assert desk.sync().is_in_line


@requirement("files.hand-written-entries")
def test_an_entry_written_by_hand_is_remembered_and_gets_its_names(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body="\nNever rebase main.\n", kind=Kind.RULE, tags=("git",)))

    outcome = desk.only()

    assert (outcome.step, outcome.label) == (SyncStep.TAKEN, "RUL-001")
    entry = desk.entry(outcome.uid or "")
    assert (entry.label, entry.uid) == ("RUL-001", outcome.memory)
    record = desk.record(outcome.memory or "")
    assert (record.memory.claim, record.memory.tags) == ("Never rebase main.", ("git",))
    assert record.standing.status is Status.ACCEPTED
    assert desk.sync().is_in_line


@requirement("files.hand-written-entries")
def test_an_entry_whose_words_are_remembered_already_gets_that_memorys_name(desk: Desk) -> None:
    record = said(desk.memory, "Never rebase main.", kind=Kind.RULE)
    desk.notebook.add(PageEntry(body="Never rebase main", kind=Kind.RULE))

    outcome = desk.only()

    assert (outcome.step, outcome.uid) == (SyncStep.WRITTEN, record.memory.id)
    assert [one.entry.uid for one in desk.notebook.read().entries] == [record.memory.id]


@requirement("files.hand-written-entries")
def test_a_persons_entry_is_not_merged_into_what_an_agent_proposed(desk: Desk) -> None:
    candidate = proposed(desk.memory, "Never rebase main.", kind=Kind.RULE)
    desk.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))

    outcome = desk.only()

    assert outcome.step is SyncStep.TAKEN
    assert outcome.memory != candidate.memory.id


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_was_never_committed_comes_back(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.remove(record.memory.id)

    assert desk.steps() == [SyncStep.RESTORED]

    assert desk.entry(record.memory.id).body == record.memory.claim


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_is_gone_but_still_committed_is_left_alone_and_told(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.commit()
    desk.sync()
    desk.notebook.remove(record.memory.id)

    assert desk.steps() == [SyncStep.REMOVAL_PENDING]

    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED
    assert desk.notebook.read().entries == ()


@requirement("files.absence-is-not-deletion")
def test_a_committed_removal_deprecates_the_memory(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.commit()
    desk.sync()
    desk.notebook.remove(record.memory.id)
    desk.notebook.commit()

    assert desk.steps() == [SyncStep.DEPRECATED]

    standing = desk.record(record.memory.id).standing
    assert (standing.status, standing.decided_by) == (Status.DEPRECATED, "ada")
    assert desk.sync().is_in_line
    assert desk.notebook.bases() == {}


@requirement("files.removals-say-how-to-undo")
def test_a_sync_names_what_a_committed_removal_deprecates_and_how_to_undo_it(desk: Desk) -> None:
    record = desk.decided("We deploy on Tuesdays.")
    removed(desk, record)

    [shown] = desk.sync(dry_run=True).told
    [done] = desk.sync().told

    for one in (shown, done):
        assert (one.step, one.memory, one.claim) == (
            SyncStep.DEPRECATED,
            record.memory.id,
            "We deploy on Tuesdays.",
        )
        assert "'holdfast undo'" in with_advice(one.words)
    curation(desk.memory).undo(Undo(by="ada"))
    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED


def removed(desk: Desk, record: MemoryRecord) -> None:
    """Let a commit take an entry out of the pages that a commit had before."""
    desk.notebook.commit()
    desk.sync()
    desk.notebook.remove(record.memory.id)
    desk.notebook.commit()


@requirement("files.agents-remove-nothing")
def test_a_removal_that_an_agent_syncs_waits_for_a_person_who_says_so(desk: Desk) -> None:
    record = desk.decided()
    removed(desk, record)

    assert desk.steps(voice=Origin.AGENT) == [SyncStep.REMOVAL_PROPOSED]
    assert desk.steps() == [SyncStep.REMOVAL_PROPOSED]
    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED
    assert not desk.sync().is_in_line

    assert desk.steps(accepts_removals=True) == [SyncStep.DEPRECATED]
    assert desk.record(record.memory.id).standing.decided_by == "ada"


@requirement("files.agents-remove-nothing")
def test_an_entry_that_git_brings_back_is_not_proposed_for_removal_any_more(desk: Desk) -> None:
    record = desk.decided()
    entry = desk.entry(record.memory.id)
    removed(desk, record)
    desk.sync(voice=Origin.AGENT)
    from_git(desk, entry)

    assert desk.sync(voice=Origin.AGENT).is_in_line

    removed(desk, record)
    assert desk.steps() == [SyncStep.DEPRECATED]


@requirement("files.agents-remove-nothing")
def test_nothing_is_removed_while_a_merge_is_not_finished(desk: Desk) -> None:
    record = desk.decided()
    removed(desk, record)
    desk.own_clone.joins = True

    assert desk.steps() == [SyncStep.REMOVAL_PENDING]
    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED

    desk.own_clone.joins = False
    assert desk.steps() == [SyncStep.DEPRECATED]


@requirement("files.decisions-take-nothing-in")
def test_a_sync_that_takes_nothing_in_writes_and_leaves_every_edit(desk: Desk) -> None:
    edited, gone = desk.decided(), desk.decided("We test first.")
    removed(desk, gone)
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], body="We deploy on Fridays.")
    desk.notebook.add(a_decision("Send every key.", uid=None, label=None))
    new = said(desk.memory, "We review on Mondays.", kind=Kind.DECISION)

    steps = desk.steps(takes_in=False)

    assert sorted(steps) == sorted([SyncStep.LEFT, SyncStep.LEFT, SyncStep.LEFT, SyncStep.WRITTEN])
    assert desk.recalled("deploy Fridays send key") == [edited.memory.claim]
    assert desk.record(gone.memory.id).standing.status is Status.ACCEPTED
    assert desk.entry(new.memory.id).body.strip() == "We review on Mondays."
    assert sorted(desk.steps()) == sorted([SyncStep.TAKEN, SyncStep.TAKEN, SyncStep.DEPRECATED])


@requirement("files.absence-is-not-deletion")
def test_without_git_absence_always_comes_back(desk: Desk) -> None:
    desk.notebook.has_git = False
    record = desk.decided()
    desk.notebook.remove(record.memory.id)

    assert desk.steps() == [SyncStep.RESTORED]


@requirement("files.absence-is-not-deletion")
def test_a_page_that_cannot_be_read_removes_nothing(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.commit()
    desk.sync()
    desk.notebook.remove(record.memory.id)
    desk.notebook.commit()
    desk.notebook.flaws.append(Flaw(path=DECISIONS, line=3, problem="It is no frontmatter."))

    synced = desk.sync()

    assert (synced.told, len(synced.flaws), synced.is_in_line) == ((), 1, False)
    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED
    assert record.memory.id in desk.notebook.bases()


@requirement("files.mass-removals-are-refused")
def test_many_removals_at_once_are_refused_unless_a_person_insists(desk: Desk) -> None:
    records = [desk.decided(f"Rule number {number} stands.") for number in range(12)]
    desk.notebook.commit()
    desk.sync()
    for record in records[:9]:
        desk.notebook.remove(record.memory.id)
    desk.notebook.commit()

    assert desk.steps() == [SyncStep.REMOVAL_REFUSED] * 9
    assert all(desk.record(one.memory.id).standing.status is Status.ACCEPTED for one in records)

    assert desk.steps(accepts_removals=True) == [SyncStep.DEPRECATED] * 9


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_memory_does_not_come_back_from_a_page(desk: Desk) -> None:
    record = desk.decided()
    desk.memory.memories.forget(Forget(reference=record.memory.id, by="ada"))

    outcome = desk.only()

    assert (outcome.step, outcome.path, outcome.line) == (SyncStep.FORGOTTEN, DECISIONS, 1)
    assert desk.recalled("deploy") == []


@requirement("files.gates")
def test_a_secret_in_a_page_is_refused_with_its_place_and_the_rest_goes_on(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body=f"The token is {SECRET}.", kind=Kind.FACT))
    desk.notebook.add(PageEntry(body="Tokens rotate hourly.", kind=Kind.FACT))

    refused, taken = desk.sync().told

    assert (refused.step, taken.step) == (SyncStep.REFUSED, SyncStep.TAKEN)
    assert ".holdfast/memory/facts.md:1" in refused.words
    assert SECRET not in refused.words + refused.claim
    assert desk.recalled("token") == ["Tokens rotate hourly."]


@requirement("files.gates")
def test_a_label_with_a_secret_in_it_is_refused(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body="Tokens rotate hourly.", kind=Kind.FACT, label=SECRET))

    assert desk.steps() == [SyncStep.REFUSED]


@requirement("files.labels-are-unique")
def test_of_two_entries_with_one_label_the_later_gets_another_and_remembers(desk: Desk) -> None:
    first, second = desk.decided("Rule one."), desk.decided("Rule two.")
    page = desk.notebook.pages[DECISIONS]
    page[1] = replace(page[1], label="DEC-001")

    outcome = desk.only()

    assert (outcome.step, outcome.uid, outcome.label) == (
        SyncStep.RELABELLED,
        second.memory.id,
        "DEC-003",
    )
    entry = desk.entry(second.memory.id)
    assert (entry.label, entry.was) == ("DEC-003", ("DEC-001",))
    assert desk.entry(first.memory.id).label == "DEC-001"
    assert desk.record(second.memory.id).standing.label == "DEC-003"
    assert desk.sync().is_in_line


@requirement("files.equal-texts-are-named")
@pytest.mark.parametrize("voice", [Origin.HUMAN, Origin.AGENT])
def test_a_new_entry_with_an_equal_text_says_where_the_other_one_stands(
    desk: Desk, voice: Origin
) -> None:
    desk.decided("We deploy on Tuesdays.")
    desk.notebook.add(PageEntry(body="we deploy  on Tuesdays", kind=Kind.DECISION))
    desk.notebook.add(PageEntry(body="We test first.", kind=Kind.DECISION))
    desk.notebook.add(PageEntry(body="We test first.", kind=Kind.DECISION))

    told = desk.sync(voice=voice).told

    equal = "has the same text"
    assert [equal in one.words for one in told] == [True, False, True]
    lines = [one.line for one in desk.notebook.read().entries]
    assert f"{DECISIONS}:{lines[0]} {equal};" in told[0].words


@requirement("files.labels-are-unique")
def test_a_waiting_entry_that_repeats_a_label_says_where_the_other_one_stands(desk: Desk) -> None:
    record = desk.decided("Rule one.")
    desk.notebook.add(PageEntry(body="Rule two.", kind=Kind.DECISION, label="DEC-001"))

    [proposed_now] = desk.sync(voice=Origin.AGENT).told
    [waiting] = desk.sync().told

    for one in (proposed_now, waiting):
        assert "also has the label DEC-001" in one.words
    assert desk.entry(record.memory.id).label == "DEC-001"


@requirement("files.labels-are-unique")
def test_a_label_that_came_back_from_the_store_is_named_by_its_memory(desk: Desk) -> None:
    record = desk.decided("Rule one.")
    desk.notebook.remove(record.memory.id)
    desk.notebook.add(PageEntry(body="Rule two.", kind=Kind.DECISION, label="DEC-001"))

    told = {one.step: one for one in desk.sync(voice=Origin.AGENT).told}

    assert told.keys() == {SyncStep.PROPOSED, SyncStep.RESTORED}
    assert f"{record.memory.id} also has the label" in told[SyncStep.PROPOSED].words


@requirement("files.labels-are-unique")
def test_a_label_that_a_merge_changed_is_known_to_the_store(desk: Desk) -> None:
    record = desk.decided()
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], label="DEC-008", was=("DEC-001",))

    assert desk.steps(takes_in=False) == [SyncStep.LEFT]
    assert desk.sync().is_in_line

    assert desk.record(record.memory.id).standing.label == "DEC-008"


@requirement("files.labels-are-unique")
def test_an_entry_that_lost_its_label_gets_one(desk: Desk) -> None:
    record = desk.decided()
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], label=None)

    assert desk.steps() == [SyncStep.RELABELLED]

    assert desk.entry(record.memory.id).label == "DEC-002"


@requirement("files.only-knowledge-of-the-team")
def test_only_accepted_knowledge_of_this_repository_stands_in_pages(desk: Desk) -> None:
    said(desk.memory, "Mine alone.", tags=("private",))
    said(desk.memory, "Everywhere.", scope=Scope.GLOBAL)
    said(desk.memory, "I saw this.", kind=Kind.OBSERVATION)
    proposed(desk.memory, "Perhaps this.")

    assert desk.sync().outcomes == ()


@requirement("files.sync-names-what-it-wrote")
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_sync_after_an_undo_names_the_text_that_stands_again(
    desk: Desk, *, dry_run: bool
) -> None:
    record = desk.decided("We deploy on Tuesdays.")
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    desk.sync()
    curation(desk.memory).undo(Undo(by="ada"))

    outcome = desk.only(dry_run=dry_run)

    assert (outcome.step, outcome.claim) == (SyncStep.WRITTEN, "We deploy on Tuesdays.")


@requirement("files.sync-names-what-it-wrote")
def test_a_sync_names_the_new_text_of_the_store_not_the_one_it_replaced(desk: Desk) -> None:
    desk.decided("We deploy on Tuesdays.", key="deploy")
    said(desk.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    assert desk.only().claim == "We deploy on Fridays."


@requirement("files.store-changes-are-written")
def test_what_the_store_changed_is_written_and_a_deprecation_changes_the_status(
    desk: Desk, clock: FixedClock
) -> None:
    record = desk.decided(key="deploy", keep_for=timedelta(days=9))
    said(desk.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    assert desk.steps() == [SyncStep.WRITTEN]
    assert desk.entry(record.memory.id).body == "We deploy on Fridays."

    other = desk.decided("Old news.", keep_for=timedelta(days=9))
    clock.advance(hours=24 * 10)
    assert desk.steps() == [SyncStep.WRITTEN]
    assert desk.entry(other.memory.id).status is Status.DEPRECATED


@requirement("files.edits-are-taken-in")
def test_a_status_that_a_person_writes_is_where_the_memory_stands(desk: Desk) -> None:
    record = desk.decided()
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)

    assert desk.steps() == [SyncStep.TAKEN]

    standing = desk.record(record.memory.id).standing
    assert (standing.status, standing.reason) == (Status.DEPRECATED, f"as {DECISIONS} says")
    assert desk.sync().is_in_line


@requirement("files.agents-only-propose")
def test_what_an_agent_writes_into_a_page_is_a_candidate(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.edit(record.memory.id, body="We deploy on Sundays.")
    desk.notebook.add(PageEntry(body="Approve me.", kind=Kind.RULE))

    steps = desk.steps(voice=Origin.AGENT)

    assert steps == [SyncStep.PROPOSED, SyncStep.PROPOSED]
    assert desk.recalled("deploy") == ["We deploy on Tuesdays."]
    assert desk.recalled("approve") == []
    assert desk.steps() == [SyncStep.WAITING, SyncStep.WAITING]
    assert desk.recalled("approve") == []
    name = next(one.memory for one in desk.sync().told if one.uid is None)
    reject(desk.memory, name or "", by="ada", reason="no")
    assert desk.steps() == [SyncStep.WAITING]
    assert desk.recalled("approve") == []


@requirement("files.agents-only-propose")
def test_a_status_that_an_agent_writes_is_told_and_left(desk: Desk) -> None:
    record = desk.decided()
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)

    assert desk.steps(voice=Origin.AGENT) == [SyncStep.WAITING]

    assert desk.record(record.memory.id).standing.status is Status.ACCEPTED


@requirement("files.agents-only-propose")
def test_an_approved_entry_of_an_agent_gets_its_label_with_the_decision(desk: Desk) -> None:
    desk.notebook.add(a_decision("We test first."))
    found = desk.only(voice=Origin.AGENT).memory or ""
    approve(desk.memory, found, by="ada")

    desk.sync(takes_in=False)

    assert desk.record(found).standing.label == "DEC-001"
    assert desk.sync().is_in_line


@requirement("files.agents-only-propose")
def test_an_approved_edit_of_an_agent_stands_and_a_rejected_one_leaves_the_page(
    desk: Desk,
) -> None:
    one, two = desk.decided("We deploy on Tuesdays."), desk.decided("We test on Mondays.")
    desk.notebook.edit(one.memory.id, body="We deploy on Sundays.")
    desk.notebook.edit(two.memory.id, body="We test on Sundays.")
    first, second = desk.sync(voice=Origin.AGENT).told
    approve(desk.memory, first.memory or "", by="ada")
    reject(desk.memory, second.memory or "", by="ada")

    assert desk.steps() == [SyncStep.WRITTEN]

    assert desk.entry(one.memory.id).body == "We deploy on Sundays."
    assert desk.entry(two.memory.id).body == "We test on Mondays."
    assert desk.record(one.memory.id).standing.superseded_by == first.memory
    assert desk.sync().is_in_line


@requirement("files.foreign-uids-are-refused")
def test_a_uid_that_names_something_else_is_refused(desk: Desk) -> None:
    elsewhere = said(desk.memory, "Everywhere.", scope=Scope.GLOBAL)
    record = desk.decided()
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    newer = desk.only().memory
    desk.memory.memories.link(Link(src=record.memory.id, dst=elsewhere.memory.id, kind="related"))
    for uid in (elsewhere.memory.id, newer, "m_not a name"):
        entry = PageEntry(body="Take my place.", kind=Kind.RULE, uid=MemoryId(uid or ""))
        desk.notebook.add(entry)

    assert desk.steps() == [SyncStep.REFUSED] * 3

    assert desk.record(elsewhere.memory.id).memory.claim == "Everywhere."


def test_a_dry_run_says_what_would_happen_and_changes_nothing(desk: Desk) -> None:
    record = desk.decided()
    desk.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    desk.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))
    before = (desk.notebook.read(), desk.notebook.bases())

    synced = desk.sync(dry_run=True)

    assert [one.step for one in synced.told] == [SyncStep.TAKEN, SyncStep.TAKEN]
    assert synced.is_dry
    assert (desk.notebook.read(), desk.notebook.bases()) == before
    assert desk.recalled("deploy") == ["We deploy on Tuesdays."]


def test_where_there_are_no_pages_nothing_happens(desk: Desk) -> None:
    desk.notebook.has_pages = False

    synced = desk.sync()

    assert (synced.has_pages, synced.outcomes) == (False, ())


def test_outside_a_repository_there_are_no_pages(
    desk: Desk, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place()

    with pytest.raises(PagesNeedRepositoryError):
        desk.sync()


def test_what_cannot_be_healed_and_settings_that_may_not_be_are_told(desk: Desk) -> None:
    healed = Flaw(path=DECISIONS, line=7, problem="A merge was not finished here.")
    setting = Flaw(path=".holdfast/config.toml", line=1, problem="'hooks' may not be set there.")
    desk.notebook.unhealed.append(healed)
    desk.settings.found = (setting,)

    assert desk.sync().flaws == (healed, setting)


def test_a_file_that_was_saved_meanwhile_is_looked_at_the_next_time(desk: Desk) -> None:
    class Busy(InMemoryNotebook):
        def write(self, puts: Sequence[Put]) -> Sequence[Written]:
            return tuple(Written(put=put, path=None) for put in puts)

    desk.notebook = Busy()
    said(desk.memory, "We deploy on Tuesdays.", kind=Kind.DECISION)
    desk.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))

    synced = desk.sync()

    assert {one.step for one in synced.told} == {SyncStep.TAKEN, SyncStep.WAITING}
    assert all("the next sync reads it again" in one.words for one in synced.told)
    calm = InMemoryNotebook()
    calm.pages, calm.agreed = desk.notebook.pages, desk.notebook.agreed
    desk.notebook = calm
    assert desk.steps() == [SyncStep.WRITTEN, SyncStep.WRITTEN]
    assert desk.sync().is_in_line


def test_the_page_of_what_waits_lists_candidates_and_what_they_contradict(desk: Desk) -> None:
    desk.decided("We deploy on Tuesdays.", key="deploy")
    proposed(desk.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy", source="bot")
    from_git(desk, a_decision(uid=MemoryId("m_9"), body="We deploy on Sundays.", label="DEC-009"))

    desk.sync()

    page = desk.notebook.generated["memory/candidates.md"][0]
    assert "> We deploy on Fridays." in page
    assert "- said by: agent, bot" in page
    assert "## m_9 (decision)" in page
    assert "approve m_9" in page


def test_a_repository_that_wants_no_pages_has_none(desk: Desk) -> None:
    assert desk.filing.has_pages()

    desk.settings.values["files"] = "false"

    assert not desk.filing.has_pages()


@requirement("files.labels-are-unique")
def test_what_no_longer_stands_needs_no_label(desk: Desk) -> None:
    record = desk.decided()
    page = desk.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)
    desk.sync()
    page[0] = replace(page[0], label=None)

    assert desk.sync().is_in_line

    assert desk.entry(record.memory.id).label is None


@requirement("files.gates")
def test_hidden_characters_are_taken_out_of_the_page_too(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body="Tokens\u200b rotate.", kind=Kind.FACT))

    outcome = desk.only()

    assert desk.entry(outcome.uid or "").body == "Tokens rotate."
    assert desk.sync().is_in_line


def test_an_entry_whose_memory_was_merged_into_another_is_superseded_there(desk: Desk) -> None:
    one, two = desk.decided("We deploy on Tuesdays."), desk.decided("We ship on Tuesdays.")
    merged = said(desk.memory, "We deploy and ship on Tuesdays.", kind=Kind.DECISION)
    with desk.memory.store.writing(desk.memory.clock.now()) as tx:
        for old in (one, two):
            supersede(
                tx.memories.get(old.memory.id), merged, by="ada", at=merged.memory.created_at, tx=tx
            )

    assert desk.steps() == [SyncStep.WRITTEN, SyncStep.WRITTEN]

    assert desk.entry(one.memory.id).body == "We deploy and ship on Tuesdays."
    assert desk.entry(two.memory.id).status is Status.SUPERSEDED
    desk.notebook.edit(two.memory.id, body="We ship on Fridays.")
    assert desk.steps() == [SyncStep.TAKEN]
    assert desk.sync().is_in_line


@requirement("files.gates")
def test_an_entry_that_is_larger_than_a_memory_is_refused_and_not_shown(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body="long " * 20_000, kind=Kind.FACT))

    outcome = desk.only()

    assert (outcome.step, outcome.claim) == (SyncStep.REFUSED, "")
    assert "Correct the entry" in outcome.words


@requirement("files.gates")
def test_a_dry_run_shows_no_secret_either(desk: Desk) -> None:
    desk.notebook.add(PageEntry(body=f"The token is {SECRET}.", kind=Kind.FACT))

    assert SECRET not in desk.only(dry_run=True).claim
