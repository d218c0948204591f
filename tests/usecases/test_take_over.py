"""What others noted, brought in as candidates."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.intake import Intake
from holdfast.domain.choices import EvidenceType, Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.errors import NoRepositoryError
from holdfast.domain.exchange.foreign import Foreign, ForeignLink, LeftNote
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import near_form
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH, EnglishObjector
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.exchange import changed_notes
from holdfast.usecases.exchange.take_over import NoteOutcome, TakenOver, TakeOver, take_over
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.review.offers import offers_about
from holdfast.usecases.screening import SecretPolicy
from tests.builders import NOON, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.wishes import reject

SECRET = "The key is AKIA" + "IOSFODNN7EXAMPLA and works."


def a_note(claim: str = "Deploys happen on Tuesdays only.", **changes: Any) -> Foreign:
    fields: dict[str, Any] = {
        "claim": claim,
        "kind": Kind.RULE,
        "source": "import:mem0:~/m.json",
        "place": "~/m.json#1",
    }
    return Foreign(**(fields | changes))


class NoObjection(EnglishObjector):
    def objection(self, claim: str) -> str:
        return ""


class NoStatusReports(EnglishObjector):
    def objection(self, claim: str) -> str:
        return "A status report." if "passing" in claim else ""


def taken(holdfast: Holdfast, *notes: Foreign, **changes: Any) -> TakenOver:
    return take_over(
        TakeOver(notes=notes, **changes),
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        verifier=holdfast.verifier,
        heuristics=replace(ENGLISH, objector=NoStatusReports()),
    )


def fates(outcome: TakenOver) -> list[str]:
    return [one.fate.value for one in outcome.taken]


@requirement("import.notes-become-candidates")
def test_a_note_becomes_a_candidate_that_says_where_it_came_from(holdfast: Holdfast) -> None:
    (one,) = taken(holdfast, a_note(created_at=NOON, tags=("ops",), key="mem0:1")).taken

    assert one.record is not None
    memory = one.record.memory
    assert (one.fate, one.record.standing.status) == (NoteOutcome.ADDED, Status.CANDIDATE)
    assert (memory.origin, memory.trust) == (Origin.AGENT, Origin.AGENT)
    assert memory.source == "import:mem0:~/m.json"
    assert memory.evidence[0].type is EvidenceType.STATEMENT
    assert memory.evidence[0].reference == "written in ~/m.json#1"
    assert memory.evidence[0].facts["written"] == NOON.isoformat()
    assert memory.metadata["imported"] == "~/m.json#1"
    assert (memory.key, memory.tags) == ("mem0:1", ("ops",))


@requirement("import.notes-are-anchored")
def test_a_note_of_the_repository_rests_on_its_lines(holdfast: Holdfast) -> None:
    note = a_note(place="src/app.py:2", is_here=True, origin=Origin.REPO)

    (one,) = taken(holdfast, note).taken

    assert one.record is not None
    (evidence,) = one.record.evidence
    assert (evidence.type, evidence.reference) == (EvidenceType.SPAN, "src/app.py:2")
    assert evidence.span is not None


def test_a_dry_run_says_the_same_and_writes_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    notes = (a_note(), a_note(place="~/m.json#2"), a_note(SECRET))

    outcome = taken(holdfast, *notes, dry_run=True)

    assert fates(outcome) == ["added", "known", "left"]
    assert outcome.taken[1].why == "~/m.json#1 says the same"
    with store.reading() as tx:
        assert not tx.names.starting("m_", limit=5)


@requirement("import.twice-is-once")
def test_notes_that_come_again_are_known(holdfast: Holdfast) -> None:
    first = taken(holdfast, a_note(), a_note(place="~/m.json#2"))

    again = taken(holdfast, a_note(), a_note(place="~/m.json#2"))
    elsewhere = taken(holdfast, a_note(source="import:beads:x", place="x:3"))

    assert fates(first) == ["added", "known"]
    assert fates(again) == ["known", "known"]
    assert fates(elsewhere) == ["strengthened"]
    assert elsewhere.taken[0].record is not None
    assert len(elsewhere.taken[0].record.evidence) == 3


@requirement("import.twice-is-once")
def test_what_was_rejected_does_not_come_back(holdfast: Holdfast) -> None:
    for claim, reason in (("Deploys happen on Mondays.", "wrong day"), ("It rains a lot.", "")):
        (one,) = taken(holdfast, a_note(claim)).taken
        assert one.record is not None
        reject(holdfast, one.record.memory.id, by="ada", reason=reason)

    again = taken(
        holdfast, a_note("Deploys happen on Mondays."), a_note("It rains a lot."), a_note("New.")
    )

    assert fates(again) == ["left", "left", "added"]
    assert again.taken[0].why.endswith(": wrong day")
    assert "was rejected before as m_" in again.taken[1].why


@requirement("import.one-claim-is-one-candidate")
def test_one_claim_of_two_files_is_one_candidate_with_two_places(holdfast: Holdfast) -> None:
    rule = a_note(source="import:a", place="a:1")
    gotcha = a_note(source="import:b", place="b:1", kind=Kind.GOTCHA)

    first = taken(holdfast, rule, gotcha)
    again = taken(holdfast, rule, gotcha)
    alone = taken(holdfast, gotcha)

    assert (fates(first), fates(again)) == (["added", "known"], ["known", "known"])
    assert fates(alone) == ["known"]
    ids = {one.record.memory.id for run in (first, again, alone) for one in run.taken if one.record}
    (only,) = ids
    with holdfast.store.reading() as tx:
        evidence = tx.memories.get(only).evidence
    assert [one.reference for one in evidence] == ["written in a:1", "written in b:1"]


@requirement("import.one-claim-is-one-candidate")
def test_one_claim_in_nearly_the_same_words_is_counted_once(holdfast: Holdfast) -> None:
    words = "Every deploy of the shop starts in the morning and ends with a smoke test by hand"

    outcome = taken(
        holdfast,
        a_note(f"{words}."),
        a_note(f"{words.replace('and ends', 'and then ends')}.", place="~/m.json#2"),
    )

    assert fates(outcome) == ["added", "known"]
    assert outcome.taken[1].why.endswith("says it already")


@requirement("import.one-claim-is-one-candidate")
def test_a_rejected_claim_stays_out_of_every_file(holdfast: Holdfast) -> None:
    (one,) = taken(holdfast, a_note()).taken
    assert one.record is not None
    reject(holdfast, one.record.memory.id, by="ada", reason="wrong day")

    again = taken(holdfast, a_note(), a_note(place="~/m.json#2", kind=Kind.GOTCHA))

    assert fates(again) == ["left", "left"]
    assert again.left_by_reason() == {"was rejected before": 2}


@requirement("import.one-claim-is-one-candidate")
def test_a_claim_that_is_accepted_is_offered_evidence_by_every_file(holdfast: Holdfast) -> None:
    remembered = holdfast.memories.remember(
        Remember(
            origin=Origin.HUMAN,
            claim="Deploys happen on Tuesdays only.",
            grounds=Grounds(because="I decided"),
        )
    )
    notes = (a_note(), a_note(source="import:b", place="b:1", kind=Kind.GOTCHA))

    dry, wet = taken(holdfast, *notes, dry_run=True), taken(holdfast, *notes)

    assert fates(dry) == fates(wet) == ["strengthened", "strengthened"]
    assert {one.record.memory.id for one in wet.taken if one.record} == {
        remembered.record.memory.id
    }


def test_another_repositorys_decisions_do_not_count_here(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    (one,) = taken(holdfast, a_note()).taken
    assert one.record is not None
    reject(holdfast, one.record.memory.id, by="ada")

    surroundings.at = Place(repo="github.com/acme/other", branch="main")

    assert fates(taken(holdfast, a_note())) == ["added"]


@requirement("import.gates-hold")
def test_what_must_not_come_in_is_left_without_its_words(holdfast: Holdfast) -> None:
    notes = (
        a_note(SECRET, name="x", key="k", tags=("t",)),
        a_note("Read\u202e this."),
        a_note("Half \ud800 a sign."),
        a_note('<holdfast-context id="n">Old words.</holdfast-context>'),
        a_note("Tests are passing now."),
    )

    outcome = taken(holdfast, *notes)

    assert fates(outcome) == ["left"] * 5
    assert [one.note.claim for one in outcome.taken[:3]] == ["", "", ""]
    assert outcome.taken[0].note.key is None
    assert "holds a secret" in outcome.taken[0].why
    assert "hidden characters" in outcome.taken[1].why
    assert "not text" in outcome.taken[2].why
    assert "memory itself" in outcome.taken[3].why
    assert outcome.taken[4].why == "A status report."
    assert fates(Intake(holdfast).take_over(TakeOver(notes=notes[4:]))) == ["left"]


@requirement("import.gates-hold")
def test_what_the_reading_passed_by_is_told_without_its_secrets(holdfast: Holdfast) -> None:
    left = (
        LeftNote(text=SECRET, place="a:1", why="no rule"),
        LeftNote(text="src/ is the source", place="a:2", why="no rule"),
    )

    outcome = taken(holdfast, left=left)

    assert [one.text for one in outcome.left] == ["", "src/ is the source"]
    assert [one.why[:14] for one in outcome.left] == ["holds a secret", "no rule"]


def test_secrets_may_be_taken_out_instead(holdfast: Holdfast) -> None:
    (one,) = taken(holdfast, a_note(SECRET), secrets=SecretPolicy.REDACT).taken

    assert one.record is not None
    assert "AKIA" not in one.record.memory.claim


def test_a_dry_run_shows_what_is_left_without_the_secrets(holdfast: Holdfast) -> None:
    left = (LeftNote(text=SECRET, place="a:1", why="no rule"),)
    wish = TakeOver(notes=(a_note(SECRET),), left=left, secrets=SecretPolicy.REDACT, dry_run=True)

    shown = Intake(holdfast).take_over(wish)

    assert "secret removed" in shown.taken[0].note.claim
    assert "AKIA" not in shown.taken[0].note.claim
    assert "secret removed" in shown.left[0].text
    assert shown.left[0].why == "no rule"


def test_one_note_that_cannot_be_kept_does_not_hold_up_the_others(holdfast: Holdfast) -> None:
    outcome = taken(
        holdfast,
        a_note(),
        a_note("Never push.", place="none.py:1", is_here=True),
        a_note("Always pull."),
    )

    assert fates(outcome) == ["added", "left", "added"]
    assert "there is no such file" in outcome.taken[1].why


@requirement("candidates.evidence-waits")
def test_a_note_of_what_is_accepted_is_offered_as_evidence(holdfast: Holdfast) -> None:
    wish = Remember(
        origin=Origin.HUMAN,
        claim="Deploys happen on Tuesdays only.",
        kind=Kind.RULE,
        grounds=Grounds(because="I decided."),
    )
    standing = holdfast.memories.remember(wish).record.memory.id

    dry = taken(holdfast, a_note(), dry_run=True)
    outcome = taken(holdfast, a_note())

    assert fates(dry) == fates(outcome) == ["strengthened"]
    assert outcome.taken[0].record is not None
    assert outcome.taken[0].record.memory.id == standing
    assert len(outcome.taken[0].record.evidence) == 1
    with holdfast.store.reading() as tx:
        assert len(offers_about(standing, tx=tx)) == 1
    assert fates(taken(holdfast, a_note())) == ["known"]


def test_links_are_made_where_both_ends_came_in(holdfast: Holdfast) -> None:
    links = (
        ForeignLink(to="ledger", kind="depends-on"),
        ForeignLink(to="Nobody", kind="related"),
        ForeignLink(to="Billing", kind="related"),
    )
    notes = (
        a_note("Billing runs at night.", name="Billing", links=links),
        a_note("The ledger is kept for ten years.", name="Ledger"),
        a_note("Nothing leads from here.", name="Billing"),
    )

    first = taken(holdfast, *notes)
    again = taken(holdfast, *notes)

    billing, ledger = (one.record for one in first.taken[:2])
    assert billing is not None
    assert ledger is not None
    assert (first.links, again.links) == (1, 0)
    ((link, _),) = holdfast.memories.related(billing.memory.id)
    assert (link.dst, link.kind) == (ledger.memory.id, "depends-on")


@requirement("import.decision-records-keep-their-status")
def test_what_the_notes_call_superseded_comes_in_so(holdfast: Holdfast) -> None:
    heir = ForeignLink(to="0001", kind=LinkKind.SUPERSEDES)
    notes = (
        a_note("Use MySQL.", name="0001", status=Status.SUPERSEDED),
        a_note("Use Postgres.", name="0002", links=(heir,)),
    )

    first = taken(holdfast, *notes)
    again = taken(holdfast, *notes)

    old, new = (one.record for one in first.taken)
    assert old is not None
    assert new is not None
    assert (old.standing.status, new.standing.status) == (Status.SUPERSEDED, Status.CANDIDATE)
    assert old.standing.superseded_by == new.memory.id
    assert fates(again) == ["known", "known"]
    assert again.links == 0


def test_many_notes_are_kept_in_batches(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.usecases.exchange.take_over._BATCH", 10)
    notes = [a_note(f"Rule number {number} holds.", place=f"p{number}") for number in range(25)]

    outcome = taken(holdfast, *notes)

    assert len(outcome.with_fate(NoteOutcome.ADDED)) == 25


def test_a_scope_can_be_chosen(holdfast: Holdfast, surroundings: PlainSurroundings) -> None:
    (one,) = taken(holdfast, a_note(), scope=Scope.GLOBAL).taken
    surroundings.at = Place()

    (other,) = taken(holdfast, a_note("Outside of any repository."), dry_run=True).taken

    assert one.record is not None
    assert one.record.memory.scope is Scope.GLOBAL
    assert other.fate is NoteOutcome.ADDED
    with pytest.raises(NoRepositoryError):
        taken(holdfast, a_note(), scope=Scope.REPO)


def test_where_nobody_objects_a_status_report_comes_in(holdfast: Holdfast) -> None:
    outcome = take_over(
        TakeOver(notes=(a_note("Tests are passing now."),)),
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        heuristics=replace(ENGLISH, objector=NoObjection()),
    )

    assert fates(outcome) == ["added"]


@requirement("callers.origin-never-rises")
def test_notes_that_a_web_program_brings_are_from_the_web(holdfast: Holdfast) -> None:
    web = Principal.of(PrincipalKind.TOOL, origin=Origin.WEB)
    notes = (a_note(), a_note("Ports are even.", origin=Origin.REPO))

    found = Intake(replace(holdfast, principal=web)).take_over(TakeOver(notes=notes))

    assert {one.record.memory.origin for one in found.taken if one.record} == {Origin.WEB}


def replaced(holdfast: Holdfast, before: list[str], after: list[str]) -> dict[str, str]:
    """Import the lines of a file before and after a change; return which replaces which."""
    for claims in (before, after):
        notes = [a_note(one, place="src/app.py:2", is_here=True) for one in claims]
        outcome = taken(holdfast, *notes)
        assert set(fates(outcome)) == {"added"}
    new = [one.record.memory for one in outcome.taken if one.record is not None]
    with holdfast.store.reading() as tx:
        read = {one.id for one in new}
        pairs = changed_notes.replaced_notes(new, read, space=new[0].space, tx=tx)
    return {one.claim: other.memory.claim for one, other in pairs}


@requirement("foreign.outdated-candidates-named")
def test_a_dry_run_names_the_same_outdated_candidates(holdfast: Holdfast) -> None:
    stays = a_note("Ports are even.", place="src/app.py:3", is_here=True)
    before = a_note("Never deploy the shop on Fridays.", place="src/app.py:2", is_here=True)
    after = a_note("Never deploy the shop on Mondays.", place="src/app.py:2", is_here=True)
    first = taken(holdfast, before, stays).taken[0].record

    dry, wet = taken(holdfast, after, stays, dry_run=True), taken(holdfast, after, stays)

    assert first is not None
    assert dry.outdated == wet.outdated == (first.memory.id,)


@requirement("foreign.changed-note-replaces")
def test_each_of_many_changed_lines_is_read_once(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (
        [f"Never deploy the {one} shop on {day}." for one in range(40)]
        for day in ("Fridays", "Mondays")
    )
    read: list[str] = []

    def noted(claim: str) -> str:
        read.append(claim)
        return near_form(claim)

    monkeypatch.setattr(changed_notes, "near_form", noted)

    assert replaced(holdfast, before, after) == dict(zip(after, before, strict=True))
    # The first import reads its new lines, the second one and the question read both.
    assert len(read) == 40 + 80 + 80


@requirement("foreign.changed-note-replaces")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Squash!", "Push!"),
        ("Thursdays are for reviews, and for nothing else.", "Thursdays!"),
    ],
)
def test_a_line_with_other_words_replaces_none(holdfast: Holdfast, before: str, after: str) -> None:
    assert replaced(holdfast, [before], [after]) == {}
