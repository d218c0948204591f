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
from holdfast.usecases.pages.sync.conflicts import MANY
from holdfast.usecases.review.recognise import supersede
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.curating import curation
from tests.usecases.pages import DECISIONS, UseCaseContext, a_decision, from_git
from tests.usecases.wishes import SECRET, a_wish, approve, proposed, reject, said


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


@requirement("files.store-changes-are-written")
def test_what_a_person_decided_stands_in_the_page_after_a_sync(context: UseCaseContext) -> None:
    record = context.decided("We deploy on Tuesdays.")

    entry = context.entry(record.memory.id)
    assert (entry.body, entry.label, entry.status) == (
        "We deploy on Tuesdays.",
        "DEC-001",
        Status.ACCEPTED,
    )
    assert entry.evidence == ("statement: I decided it.",)
    assert context.record(record.memory.id).standing.label == "DEC-001"


@requirement("files.store-changes-are-written")
def test_of_two_entries_the_superseded_one_ends_and_the_other_stays(
    context: UseCaseContext, holdfast: Holdfast
) -> None:
    old = context.decided("Auto reload is off in staging.")
    new = context.decided("Auto reload is on in staging.")
    wish = Resolve(
        reference=new.memory.id, other=old.memory.id, by="ada", way=ResolutionWay.SUPERSEDE
    )

    curation(holdfast).resolve(wish)
    context.sync()

    assert context.sync().is_in_line
    first, second = context.entry(old.memory.id), context.entry(new.memory.id)
    assert (first.body, first.status) == (old.memory.claim, Status.SUPERSEDED)
    assert (second.body, second.status) == (new.memory.claim, Status.ACCEPTED)


@requirement("files.sync-is-idempotent")
def test_a_second_sync_changes_nothing(context: UseCaseContext, store: InMemoryStore) -> None:
    context.decided()
    with store.reading() as tx:
        before = tx.diary.events.head()
    pages, bases = context.notebook.read(), context.notebook.bases()

    again = context.sync()

    with store.reading() as tx:
        assert tx.diary.events.head() == before
    assert again.is_in_line
    assert (context.notebook.read(), context.notebook.bases()) == (pages, bases)


@requirement("files.edits-are-taken-in")
def test_an_edit_becomes_a_memory_that_takes_the_place_of_the_old_one(
    context: UseCaseContext, clock: FixedClock
) -> None:
    record = context.decided("We deploy on Tuesdays.")
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    clock.advance(hours=48)

    outcome = context.only()

    assert outcome.step is SyncStep.TAKEN
    assert outcome.memory is not None
    new, old = context.record(outcome.memory), context.record(record.memory.id)
    assert (new.memory.claim, new.memory.origin) == ("We deploy on Wednesdays.", Origin.HUMAN)
    assert [item.reference for item in new.evidence] == [
        "I decided it.",
        f"edited in {DECISIONS}",
    ]
    assert (old.standing.status, old.standing.superseded_by) == (
        Status.SUPERSEDED,
        new.memory.id,
    )
    entry = context.entry(record.memory.id)
    assert (entry.uid, entry.updated) == (record.memory.id, "2026-11-17")
    assert context.recalled("deploy") == ["We deploy on Wednesdays."]
    assert context.sync().is_in_line


@requirement("files.edits-are-taken-in")
def test_an_edit_keeps_key_weight_and_end_of_what_it_edits(context: UseCaseContext) -> None:
    wish = a_wish(
        "We deploy on Tuesdays.", kind=Kind.DECISION, key="deploy", keep_for=timedelta(days=9)
    )
    wish = replace(wish, weight=2.0, importance=0.9, pinned=True)
    record = context.memory.memories.remember(wish).record
    context.sync()
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")

    edited = context.record(context.only().memory or "")
    new = edited.memory
    assert (edited.standing.label, edited.standing.pinned) == ("DEC-001", True)

    old = record.memory
    assert (new.key, new.weight, new.importance, new.expires_at) == (
        old.key,
        old.weight,
        old.importance,
        old.expires_at,
    )


@requirement("files.one-per-key")
def test_a_new_entry_with_a_used_key_waits_for_a_decision(context: UseCaseContext) -> None:
    old = context.decided("We deploy on Tuesdays.", key="deploy")
    context.notebook.add(
        a_decision("We ship on Fridays, after lunch.", uid=None, label=None, key="deploy")
    )

    for _ in range(2):
        synced = context.sync()

        (outcome,) = synced.told
        assert outcome.step is SyncStep.WAITING
        assert context.record(outcome.memory or "").standing.status is Status.CANDIDATE
    assert context.recalled("deploy ship") == [old.memory.claim]
    (conflict,) = context.memory.review.conflicts(limit=5)
    assert conflict.standing.memory.id == old.memory.id


@requirement("files.one-per-key")
def test_many_new_entries_with_a_used_key_wait_too(context: UseCaseContext) -> None:
    context.decided("We deploy on Tuesdays.", key="deploy")
    for number in range(MANY):
        context.notebook.add(a_decision(f"Room {number} is blue.", uid=None, label=None))
    context.notebook.add(a_decision("Lunch is at noon.", uid=None, label=None, key="deploy"))

    steps = [one.step for one in context.sync().outcomes if one.claim == "Lunch is at noon."]

    assert steps == [SyncStep.WAITING]


@requirement("files.edits-are-taken-in")
def test_evidence_that_a_person_takes_out_or_writes_down_is_that_of_the_new_memory(
    context: UseCaseContext,
) -> None:
    record = context.decided(
        "Tokens rotate.",
        grounds=Grounds(places=("src/app.py:1-2",), because="I decided it."),
    )
    page = context.notebook.pages[DECISIONS]
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

    new = context.record(context.only().memory or "")

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
    known = context.entry(record.memory.id).evidence
    assert known == (page[0].evidence[0], *entry.evidence[1:])
    assert known[0].startswith("src/app.py:1-2#")
    assert context.sync().is_in_line


@requirement("files.both-changed-both-kept")
def test_an_entry_that_changed_on_both_sides_is_kept_twice_until_somebody_decides(
    context: UseCaseContext,
) -> None:
    record = context.decided("We deploy on Tuesdays.", key="deploy")
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    other = said(context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    outcome = context.only()

    assert outcome.step is SyncStep.CONFLICT
    assert context.entry(record.memory.id).body == "We deploy on Wednesdays."
    kept = context.record(outcome.memory or "")
    assert (kept.memory.claim, kept.standing.status) == (
        "We deploy on Wednesdays.",
        Status.CANDIDATE,
    )
    with context.memory.store.reading() as tx:
        links = tx.links.touching(kept.memory.id)
    assert [(link.dst, link.kind) for link in links] == [(other.memory.id, LinkKind.CONTRADICTS)]
    again = context.only()
    assert (again.step, again.words) == (SyncStep.CONFLICT, outcome.words)


@requirement("files.both-changed-both-kept")
@pytest.mark.parametrize("keeps_page", [True, False])
def test_a_decided_conflict_is_in_line_with_the_decision(
    context: UseCaseContext, *, keeps_page: bool
) -> None:
    record = context.decided("We deploy on Tuesdays.", key="deploy")
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    rival = said(context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")
    kept = context.only().memory or ""

    if keeps_page:
        wish = Resolve(reference=kept, other=rival.memory.id, by="ada", way=ResolutionWay.SUPERSEDE)
        context.memory.review.resolve(wish)
    else:
        reject(context.memory, kept, by="ada")
    context.sync()

    wanted = "We deploy on Wednesdays." if keeps_page else "We deploy on Fridays."
    assert context.entry(record.memory.id).body == wanted
    assert context.recalled("deploy") == [wanted]
    assert context.sync().is_in_line


@requirement("files.hand-written-entries")
def test_an_entry_written_by_hand_is_remembered_and_gets_its_names(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body="\nNever rebase main.\n", kind=Kind.RULE, tags=("git",)))

    outcome = context.only()

    assert (outcome.step, outcome.label) == (SyncStep.TAKEN, "RUL-001")
    entry = context.entry(outcome.uid or "")
    assert (entry.label, entry.uid) == ("RUL-001", outcome.memory)
    record = context.record(outcome.memory or "")
    assert (record.memory.claim, record.memory.tags) == ("Never rebase main.", ("git",))
    assert record.standing.status is Status.ACCEPTED
    assert context.sync().is_in_line


@requirement("files.hand-written-entries")
def test_an_entry_whose_words_are_remembered_already_gets_that_memorys_name(
    context: UseCaseContext,
) -> None:
    record = said(context.memory, "Never rebase main.", kind=Kind.RULE)
    context.notebook.add(PageEntry(body="Never rebase main", kind=Kind.RULE))

    outcome = context.only()

    assert (outcome.step, outcome.uid) == (SyncStep.WRITTEN, record.memory.id)
    assert [one.entry.uid for one in context.notebook.read().entries] == [record.memory.id]


@requirement("files.hand-written-entries")
def test_a_persons_entry_is_not_merged_into_what_an_agent_proposed(context: UseCaseContext) -> None:
    candidate = proposed(context.memory, "Never rebase main.", kind=Kind.RULE)
    context.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))

    outcome = context.only()

    assert outcome.step is SyncStep.TAKEN
    assert outcome.memory != candidate.memory.id


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_was_never_committed_comes_back(context: UseCaseContext) -> None:
    record = context.decided()
    context.notebook.remove(record.memory.id)

    assert context.steps() == [SyncStep.RESTORED]

    assert context.entry(record.memory.id).body == record.memory.claim


@requirement("files.absence-is-not-deletion")
def test_an_entry_that_is_gone_but_still_committed_is_left_alone_and_told(
    context: UseCaseContext,
) -> None:
    record = context.decided()
    context.notebook.commit()
    context.sync()
    context.notebook.remove(record.memory.id)

    assert context.steps() == [SyncStep.REMOVAL_PENDING]

    assert context.record(record.memory.id).standing.status is Status.ACCEPTED
    assert context.notebook.read().entries == ()


@requirement("files.absence-is-not-deletion")
def test_a_committed_removal_deprecates_the_memory(context: UseCaseContext) -> None:
    record = context.decided()
    context.notebook.commit()
    context.sync()
    context.notebook.remove(record.memory.id)
    context.notebook.commit()

    assert context.steps() == [SyncStep.DEPRECATED]

    standing = context.record(record.memory.id).standing
    assert (standing.status, standing.decided_by) == (Status.DEPRECATED, "ada")
    assert context.sync().is_in_line
    assert [one.is_removed for one in context.notebook.bases().values()] == [True]


@requirement("files.removals-say-how-to-undo")
def test_a_sync_names_what_a_committed_removal_deprecates_and_how_to_undo_it(
    context: UseCaseContext,
) -> None:
    record = context.decided("We deploy on Tuesdays.")
    removed(context, record)

    [shown] = context.sync(dry_run=True).told
    [done] = context.sync().told

    for one in (shown, done):
        assert (one.step, one.memory, one.claim) == (
            SyncStep.DEPRECATED,
            record.memory.id,
            "We deploy on Tuesdays.",
        )
        assert "'holdfast undo'" in with_advice(one.words)
    curation(context.memory).undo(Undo(by="ada"))
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


def removed(context: UseCaseContext, record: MemoryRecord) -> None:
    """Let a commit take an entry out of the pages that a commit had before."""
    context.notebook.commit()
    context.sync()
    context.notebook.remove(record.memory.id)
    context.notebook.commit()


@requirement("files.agents-remove-nothing")
def test_a_removal_that_an_agent_syncs_waits_for_a_person_who_says_so(
    context: UseCaseContext,
) -> None:
    record = context.decided()
    removed(context, record)

    assert context.steps(voice=Origin.AGENT) == [SyncStep.REMOVAL_PROPOSED]
    assert context.steps() == [SyncStep.REMOVAL_PROPOSED]
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED
    assert not context.sync().is_in_line

    assert context.steps(accepts_removals=True) == [SyncStep.DEPRECATED]
    assert context.record(record.memory.id).standing.decided_by == "ada"


@requirement("files.agents-remove-nothing")
def test_an_entry_that_git_brings_back_is_not_proposed_for_removal_any_more(
    context: UseCaseContext,
) -> None:
    record = context.decided()
    entry = context.entry(record.memory.id)
    removed(context, record)
    context.sync(voice=Origin.AGENT)
    from_git(context, entry)

    assert context.sync(voice=Origin.AGENT).is_in_line

    removed(context, record)
    assert context.steps() == [SyncStep.DEPRECATED]


@requirement("files.agents-remove-nothing")
def test_nothing_is_removed_while_a_merge_is_not_finished(context: UseCaseContext) -> None:
    record = context.decided()
    removed(context, record)
    context.own_clone.joins = True

    assert context.steps() == [SyncStep.REMOVAL_PENDING]
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED

    context.own_clone.joins = False
    assert context.steps() == [SyncStep.DEPRECATED]


@requirement("files.decisions-take-nothing-in")
def test_a_sync_that_takes_nothing_in_writes_and_leaves_every_edit(context: UseCaseContext) -> None:
    edited, gone = context.decided(), context.decided("We test first.")
    removed(context, gone)
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], body="We deploy on Fridays.")
    context.notebook.add(a_decision("Send every key.", uid=None, label=None))
    new = said(context.memory, "We review on Mondays.", kind=Kind.DECISION)

    steps = context.steps(takes_in=False)

    assert sorted(steps) == sorted([SyncStep.LEFT, SyncStep.LEFT, SyncStep.LEFT, SyncStep.WRITTEN])
    assert context.recalled("deploy Fridays send key") == [edited.memory.claim]
    assert context.record(gone.memory.id).standing.status is Status.ACCEPTED
    assert context.entry(new.memory.id).body.strip() == "We review on Mondays."
    assert sorted(context.steps()) == sorted([SyncStep.TAKEN, SyncStep.TAKEN, SyncStep.DEPRECATED])


@requirement("files.absence-is-not-deletion")
def test_without_git_absence_always_comes_back(context: UseCaseContext) -> None:
    context.notebook.has_git = False
    record = context.decided()
    context.notebook.remove(record.memory.id)

    assert context.steps() == [SyncStep.RESTORED]


@requirement("files.absence-is-not-deletion")
def test_a_page_that_cannot_be_read_removes_nothing(context: UseCaseContext) -> None:
    record = context.decided()
    context.notebook.commit()
    context.sync()
    context.notebook.remove(record.memory.id)
    context.notebook.commit()
    context.notebook.flaws.append(Flaw(path=DECISIONS, line=3, problem="It is no frontmatter."))

    synced = context.sync()

    assert (synced.told, len(synced.flaws), synced.is_in_line) == ((), 1, False)
    assert context.record(record.memory.id).standing.status is Status.ACCEPTED
    assert record.memory.id in context.notebook.bases()


@requirement("files.mass-removals-are-refused")
def test_many_removals_at_once_are_refused_unless_a_person_insists(context: UseCaseContext) -> None:
    records = [context.decided(f"Rule number {number} stands.") for number in range(12)]
    context.notebook.commit()
    context.sync()
    for record in records[:9]:
        context.notebook.remove(record.memory.id)
    context.notebook.commit()

    assert context.steps() == [SyncStep.REMOVAL_REFUSED] * 9
    assert all(context.record(one.memory.id).standing.status is Status.ACCEPTED for one in records)

    assert context.steps(accepts_removals=True) == [SyncStep.DEPRECATED] * 9


@requirement("files.forgotten-stays-forgotten")
def test_a_forgotten_memory_does_not_come_back_from_a_page(context: UseCaseContext) -> None:
    record = context.decided()
    context.memory.memories.forget(Forget(reference=record.memory.id, by="ada"))

    outcome = context.only()

    assert (outcome.step, outcome.path, outcome.line) == (SyncStep.FORGOTTEN, DECISIONS, 1)
    assert context.recalled("deploy") == []


@requirement("files.gates")
def test_a_secret_in_a_page_is_refused_with_its_place_and_the_rest_goes_on(
    context: UseCaseContext,
) -> None:
    context.notebook.add(PageEntry(body=f"The token is {SECRET}.", kind=Kind.FACT))
    context.notebook.add(PageEntry(body="Tokens rotate hourly.", kind=Kind.FACT))

    refused, taken = context.sync().told

    assert (refused.step, taken.step) == (SyncStep.REFUSED, SyncStep.TAKEN)
    assert ".holdfast/memory/facts.md:1" in refused.words
    assert SECRET not in refused.words + refused.claim
    assert context.recalled("token") == ["Tokens rotate hourly."]


@requirement("files.gates")
def test_a_label_with_a_secret_in_it_is_refused(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body="Tokens rotate hourly.", kind=Kind.FACT, label=SECRET))

    assert context.steps() == [SyncStep.REFUSED]


@requirement("files.labels-are-unique")
def test_of_two_entries_with_one_label_the_later_gets_another_and_remembers(
    context: UseCaseContext,
) -> None:
    first, second = context.decided("Rule one."), context.decided("Rule two.")
    page = context.notebook.pages[DECISIONS]
    page[1] = replace(page[1], label="DEC-001")

    outcome = context.only()

    assert (outcome.step, outcome.uid, outcome.label) == (
        SyncStep.RELABELLED,
        second.memory.id,
        "DEC-003",
    )
    entry = context.entry(second.memory.id)
    assert (entry.label, entry.was) == ("DEC-003", ("DEC-001",))
    assert context.entry(first.memory.id).label == "DEC-001"
    assert context.record(second.memory.id).standing.label == "DEC-003"
    assert context.sync().is_in_line


@requirement("files.equal-texts-are-named")
@pytest.mark.parametrize("voice", [Origin.HUMAN, Origin.AGENT])
def test_a_new_entry_with_an_equal_text_says_where_the_other_one_stands(
    context: UseCaseContext, voice: Origin
) -> None:
    context.decided("We deploy on Tuesdays.")
    context.notebook.add(PageEntry(body="we deploy  on Tuesdays", kind=Kind.DECISION))
    context.notebook.add(PageEntry(body="We test first.", kind=Kind.DECISION))
    context.notebook.add(PageEntry(body="We test first.", kind=Kind.DECISION))

    told = context.sync(voice=voice).told

    equal = "has the same text"
    assert [equal in one.words for one in told] == [True, False, True]
    lines = [one.line for one in context.notebook.read().entries]
    assert f"{DECISIONS}:{lines[0]} {equal};" in told[0].words


@requirement("files.labels-are-unique")
def test_a_waiting_entry_that_repeats_a_label_says_where_the_other_one_stands(
    context: UseCaseContext,
) -> None:
    record = context.decided("Rule one.")
    context.notebook.add(PageEntry(body="Rule two.", kind=Kind.DECISION, label="DEC-001"))

    [proposed_now] = context.sync(voice=Origin.AGENT).told
    [waiting] = context.sync().told

    for one in (proposed_now, waiting):
        assert "also has the label DEC-001" in one.words
    assert context.entry(record.memory.id).label == "DEC-001"


@requirement("files.labels-are-unique")
def test_a_label_that_came_back_from_the_store_is_named_by_its_memory(
    context: UseCaseContext,
) -> None:
    record = context.decided("Rule one.")
    context.notebook.remove(record.memory.id)
    context.notebook.add(PageEntry(body="Rule two.", kind=Kind.DECISION, label="DEC-001"))

    told = {one.step: one for one in context.sync(voice=Origin.AGENT).told}

    assert told.keys() == {SyncStep.PROPOSED, SyncStep.RESTORED}
    assert f"{record.memory.id} also has the label" in told[SyncStep.PROPOSED].words


@requirement("files.labels-are-unique")
def test_a_label_that_a_merge_changed_is_known_to_the_store(context: UseCaseContext) -> None:
    record = context.decided()
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], label="DEC-008", was=("DEC-001",))

    assert context.steps(takes_in=False) == [SyncStep.LEFT]
    assert context.sync().is_in_line

    assert context.record(record.memory.id).standing.label == "DEC-008"


@requirement("files.labels-are-unique")
def test_an_entry_that_lost_its_label_gets_one(context: UseCaseContext) -> None:
    record = context.decided()
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], label=None)

    assert context.steps() == [SyncStep.RELABELLED]

    assert context.entry(record.memory.id).label == "DEC-002"


@requirement("files.only-knowledge-of-the-team")
def test_only_accepted_knowledge_of_this_repository_stands_in_pages(
    context: UseCaseContext,
) -> None:
    said(context.memory, "Mine alone.", tags=("private",))
    said(context.memory, "Everywhere.", scope=Scope.GLOBAL)
    said(context.memory, "I saw this.", kind=Kind.OBSERVATION)
    proposed(context.memory, "Perhaps this.")

    assert context.sync().outcomes == ()


@requirement("files.sync-names-what-it-wrote")
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_sync_after_an_undo_names_the_text_that_stands_again(
    context: UseCaseContext, *, dry_run: bool
) -> None:
    record = context.decided("We deploy on Tuesdays.")
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    context.sync()
    curation(context.memory).undo(Undo(by="ada"))

    outcome = context.only(dry_run=dry_run)

    assert (outcome.step, outcome.claim) == (SyncStep.WRITTEN, "We deploy on Tuesdays.")


@requirement("files.sync-names-what-it-wrote")
def test_a_sync_names_the_new_text_of_the_store_not_the_one_it_replaced(
    context: UseCaseContext,
) -> None:
    context.decided("We deploy on Tuesdays.", key="deploy")
    said(context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    assert context.only().claim == "We deploy on Fridays."


@requirement("files.store-changes-are-written")
def test_what_the_store_changed_is_written_and_a_deprecation_changes_the_status(
    context: UseCaseContext, clock: FixedClock
) -> None:
    record = context.decided(key="deploy", keep_for=timedelta(days=9))
    said(context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    assert context.steps() == [SyncStep.WRITTEN]
    assert context.entry(record.memory.id).body == "We deploy on Fridays."

    other = context.decided("Old news.", keep_for=timedelta(days=9))
    clock.advance(hours=24 * 10)
    assert context.steps() == [SyncStep.WRITTEN]
    assert context.entry(other.memory.id).status is Status.DEPRECATED


@requirement("files.edits-are-taken-in")
def test_a_status_that_a_person_writes_is_where_the_memory_stands(context: UseCaseContext) -> None:
    record = context.decided()
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)

    assert context.steps() == [SyncStep.TAKEN]

    standing = context.record(record.memory.id).standing
    assert (standing.status, standing.reason) == (Status.DEPRECATED, f"as {DECISIONS} says")
    assert context.sync().is_in_line


@requirement("files.agents-only-propose")
def test_what_an_agent_writes_into_a_page_is_a_candidate(context: UseCaseContext) -> None:
    record = context.decided()
    context.notebook.edit(record.memory.id, body="We deploy on Sundays.")
    context.notebook.add(PageEntry(body="Approve me.", kind=Kind.RULE))

    steps = context.steps(voice=Origin.AGENT)

    assert steps == [SyncStep.PROPOSED, SyncStep.PROPOSED]
    assert context.recalled("deploy") == ["We deploy on Tuesdays."]
    assert context.recalled("approve") == []
    assert context.steps() == [SyncStep.WAITING, SyncStep.WAITING]
    assert context.recalled("approve") == []
    name = next(one.memory for one in context.sync().told if one.uid is None)
    reject(context.memory, name or "", by="ada", reason="no")
    assert context.steps() == [SyncStep.WAITING]
    assert context.recalled("approve") == []


@requirement("files.agents-only-propose")
def test_a_status_that_an_agent_writes_is_told_and_left(context: UseCaseContext) -> None:
    record = context.decided()
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)

    assert context.steps(voice=Origin.AGENT) == [SyncStep.WAITING]

    assert context.record(record.memory.id).standing.status is Status.ACCEPTED


@requirement("files.agents-only-propose")
def test_an_approved_entry_of_an_agent_gets_its_label_with_the_decision(
    context: UseCaseContext,
) -> None:
    context.notebook.add(a_decision("We test first."))
    found = context.only(voice=Origin.AGENT).memory or ""
    approve(context.memory, found, by="ada")

    context.sync(takes_in=False)

    assert context.record(found).standing.label == "DEC-001"
    assert context.sync().is_in_line


@requirement("files.agents-only-propose")
def test_an_approved_edit_of_an_agent_stands_and_a_rejected_one_leaves_the_page(
    context: UseCaseContext,
) -> None:
    one, two = context.decided("We deploy on Tuesdays."), context.decided("We test on Mondays.")
    context.notebook.edit(one.memory.id, body="We deploy on Sundays.")
    context.notebook.edit(two.memory.id, body="We test on Sundays.")
    first, second = context.sync(voice=Origin.AGENT).told
    approve(context.memory, first.memory or "", by="ada")
    reject(context.memory, second.memory or "", by="ada")

    assert context.steps() == [SyncStep.WRITTEN]

    assert context.entry(one.memory.id).body == "We deploy on Sundays."
    assert context.entry(two.memory.id).body == "We test on Mondays."
    assert context.record(one.memory.id).standing.superseded_by == first.memory
    assert context.sync().is_in_line


@requirement("files.foreign-uids-are-refused")
def test_a_uid_that_names_something_else_is_refused(context: UseCaseContext) -> None:
    elsewhere = said(context.memory, "Everywhere.", scope=Scope.GLOBAL)
    record = context.decided()
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    newer = context.only().memory
    context.memory.memories.link(
        Link(src=record.memory.id, dst=elsewhere.memory.id, kind="related")
    )
    for uid in (elsewhere.memory.id, newer, "m_not a name"):
        entry = PageEntry(body="Take my place.", kind=Kind.RULE, uid=MemoryId(uid or ""))
        context.notebook.add(entry)

    assert context.steps() == [SyncStep.REFUSED] * 3

    assert context.record(elsewhere.memory.id).memory.claim == "Everywhere."


def test_a_dry_run_says_what_would_happen_and_changes_nothing(context: UseCaseContext) -> None:
    record = context.decided()
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")
    context.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))
    before = (context.notebook.read(), context.notebook.bases())

    synced = context.sync(dry_run=True)

    assert [one.step for one in synced.told] == [SyncStep.TAKEN, SyncStep.TAKEN]
    assert synced.is_dry
    assert (context.notebook.read(), context.notebook.bases()) == before
    assert context.recalled("deploy") == ["We deploy on Tuesdays."]


def test_where_there_are_no_pages_nothing_happens(context: UseCaseContext) -> None:
    context.notebook.has_pages = False

    synced = context.sync()

    assert (synced.has_pages, synced.outcomes) == (False, ())


def test_outside_a_repository_there_are_no_pages(
    context: UseCaseContext, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place()

    with pytest.raises(PagesNeedRepositoryError):
        context.sync()


def test_what_cannot_be_healed_and_settings_that_may_not_be_are_told(
    context: UseCaseContext,
) -> None:
    healed = Flaw(path=DECISIONS, line=7, problem="A merge was not finished here.")
    setting = Flaw(path=".holdfast/config.toml", line=1, problem="'hooks' may not be set there.")
    context.notebook.unhealed.append(healed)
    context.settings.found = (setting,)

    assert context.sync().flaws == (healed, setting)


def test_a_file_that_was_saved_meanwhile_is_looked_at_the_next_time(
    context: UseCaseContext,
) -> None:
    class Busy(InMemoryNotebook):
        def write(self, puts: Sequence[Put]) -> Sequence[Written]:
            return tuple(Written(put=put, path=None) for put in puts)

    context.notebook = Busy()
    said(context.memory, "We deploy on Tuesdays.", kind=Kind.DECISION)
    context.notebook.add(PageEntry(body="Never rebase main.", kind=Kind.RULE))

    synced = context.sync()

    assert {one.step for one in synced.told} == {SyncStep.TAKEN, SyncStep.WAITING}
    assert all("the next sync reads it again" in one.words for one in synced.told)
    calm = InMemoryNotebook()
    calm.pages, calm.agreed = context.notebook.pages, context.notebook.agreed
    context.notebook = calm
    assert context.steps() == [SyncStep.WRITTEN, SyncStep.WRITTEN]
    assert context.sync().is_in_line


@requirement("files.never-in-gits-way")
def test_a_new_page_that_another_commit_has_is_to_be_committed_first(
    context: UseCaseContext,
) -> None:
    class Shared(InMemoryNotebook):
        def write(self, puts: Sequence[Put]) -> Sequence[Written]:
            return tuple(replace(one, is_elsewhere=True) for one in super().write(puts))

    context.notebook = Shared()
    said(context.memory, "We deploy on Tuesdays.", kind=Kind.DECISION)

    [told] = context.sync().outcomes
    assert (told.step, told.path) == (SyncStep.WRITTEN, DECISIONS)
    assert "commit it before you switch branches" in told.words


@requirement("files.never-in-gits-way")
def test_an_entry_of_a_page_that_another_commit_has_is_written_later(
    context: UseCaseContext,
) -> None:
    class Away(InMemoryNotebook):
        def write(self, puts: Sequence[Put]) -> Sequence[Written]:
            return tuple(Written(put=put, path=None, is_elsewhere=True) for put in puts)

    context.notebook = Away()
    said(context.memory, "We deploy on Tuesdays.", kind=Kind.DECISION)

    assert [one.step for one in context.sync().outcomes] == [SyncStep.BEHIND]
    context.notebook = InMemoryNotebook()
    assert context.steps() == [SyncStep.WRITTEN]


def test_the_page_of_what_waits_lists_candidates_and_what_they_contradict(
    context: UseCaseContext,
) -> None:
    context.decided("We deploy on Tuesdays.", key="deploy")
    proposed(
        context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy", source="bot"
    )
    from_git(
        context, a_decision(uid=MemoryId("m_9"), body="We deploy on Sundays.", label="DEC-009")
    )

    context.sync()

    page = context.notebook.generated["memory/candidates.md"][0]
    assert "> We deploy on Fridays." in page
    assert "- said by: agent, bot" in page
    assert "## m_9 (decision)" in page
    assert "approve m_9" in page


def test_a_repository_that_wants_no_pages_has_none(context: UseCaseContext) -> None:
    assert context.filing.has_pages()

    context.settings.values["files"] = "false"

    assert not context.filing.has_pages()


@requirement("files.labels-are-unique")
def test_what_no_longer_stands_needs_no_label(context: UseCaseContext) -> None:
    record = context.decided()
    page = context.notebook.pages[DECISIONS]
    page[0] = replace(page[0], status=Status.DEPRECATED)
    context.sync()
    page[0] = replace(page[0], label=None)

    assert context.sync().is_in_line

    assert context.entry(record.memory.id).label is None


@requirement("files.gates")
def test_hidden_characters_are_taken_out_of_the_page_too(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body="Tokens\u200b rotate.", kind=Kind.FACT))

    outcome = context.only()

    assert context.entry(outcome.uid or "").body == "Tokens rotate."
    assert context.sync().is_in_line


def test_an_entry_whose_memory_was_merged_into_another_is_superseded_there(
    context: UseCaseContext,
) -> None:
    one, two = context.decided("We deploy on Tuesdays."), context.decided("We ship on Tuesdays.")
    merged = said(context.memory, "We deploy and ship on Tuesdays.", kind=Kind.DECISION)
    with context.memory.store.writing(context.memory.clock.now()) as tx:
        for old in (one, two):
            supersede(
                tx.memories.get(old.memory.id), merged, by="ada", at=merged.memory.created_at, tx=tx
            )

    assert context.steps() == [SyncStep.WRITTEN, SyncStep.WRITTEN]

    assert context.entry(one.memory.id).body == "We deploy and ship on Tuesdays."
    assert context.entry(two.memory.id).status is Status.SUPERSEDED
    context.notebook.edit(two.memory.id, body="We ship on Fridays.")
    assert context.steps() == [SyncStep.TAKEN]
    assert context.sync().is_in_line


@requirement("files.gates")
def test_an_entry_that_is_larger_than_a_memory_is_refused_and_not_shown(
    context: UseCaseContext,
) -> None:
    context.notebook.add(PageEntry(body="long " * 20_000, kind=Kind.FACT))

    outcome = context.only()

    assert (outcome.step, outcome.claim) == (SyncStep.REFUSED, "")
    assert "Correct the entry" in outcome.words


@requirement("files.gates")
def test_a_dry_run_shows_no_secret_either(context: UseCaseContext) -> None:
    context.notebook.add(PageEntry(body=f"The token is {SECRET}.", kind=Kind.FACT))

    assert SECRET not in context.only(dry_run=True).claim


@requirement("files.check-foresees-refusals")
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_dry_run_refuses_what_a_sync_refuses_and_is_not_in_line(
    context: UseCaseContext, *, dry_run: bool
) -> None:
    context.notebook.add(PageEntry(body=f"The token is {SECRET}.", kind=Kind.FACT, label="FAC-001"))
    context.notebook.add(PageEntry(body="It is fine.", kind=Kind.FACT, label=f"token={SECRET}"))

    synced = context.sync(dry_run=dry_run)

    secret, labelled = synced.outcomes
    assert not synced.is_in_line
    assert [secret.step, labelled.step] == [SyncStep.REFUSED] * 2
    assert "looks like a secret" in secret.words
    assert SECRET not in secret.claim + secret.words + str(labelled.label)


@requirement("files.check-foresees-refusals")
def test_a_dry_run_names_a_conflict_again_whose_text_is_known(context: UseCaseContext) -> None:
    record = context.decided(key="deploy")
    said(context.memory, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")
    context.notebook.edit(record.memory.id, body="We deploy on Wednesdays.")

    steps = [context.only().step, context.only(dry_run=True).step]

    assert steps == [SyncStep.CONFLICT] * 2
