from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.app.intake import Intake
from holdfast.domain.choices import EvidenceType, Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import ProposerFailedError
from holdfast.domain.sessions.session import Proposal
from holdfast.domain.sessions.transcript import Transcript
from holdfast.domain.text.fencing import fenced
from holdfast.domain.text.paragraphs import DocumentParagraph
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH, EnglishObjector
from holdfast.usecases.review.offers import offers_about
from holdfast.usecases.sessions.propose import (
    MOST_WAITING,
    Propose,
    Proposed,
    ProposerSetup,
    propose,
)
from tests.builders import AN_AGENT, PlainSurroundings, a_branch_point
from tests.requirements import requirement
from tests.unit.talks import DECIDING, a_talk
from tests.usecases.wishes import SECRET, given, proposed, reject, said

RULING = "Never deploy the billing service on Fridays."
TALK = a_talk(f"U: {RULING}", "A: OK.")


class Pages:
    """Documents without a disk."""

    def __init__(self, *lines: str) -> None:
        self.lines = lines

    def passages(self) -> Sequence[DocumentParagraph]:
        """Return each line as a paragraph."""
        return [
            DocumentParagraph(path="README.md", line=n, text=x) for n, x in enumerate(self.lines, 1)
        ]


class Says:
    """A proposer that says what it was told to."""

    name = "parrot"

    def __init__(self, *proposals: Proposal) -> None:
        self.proposals = proposals

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return them all, whatever the limit."""
        return self.proposals


class Fails(Says):
    """A proposer that is out of order."""

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Fail."""
        raise ProposerFailedError(name=self.name, problem="does not answer")


MORE = ("anchor", "ballast", "capstan", "davit", "ensign", "fathom", "gunwale", "halyard", "keel")


def taken(holdfast: Holdfast, talk: Transcript = TALK, **changes: Any) -> Proposed:
    parts = {name: changes.pop(name) for name in ("proposer", "documents") if name in changes}
    return Intake(holdfast, **parts).propose(Propose(transcript=talk, **changes))


def a_proposal(**changes: Any) -> Proposal:
    fields: dict[str, Any] = {
        "claim": RULING,
        "kind": Kind.RULE,
        "turn": 1,
        "quote": RULING,
        "first": 0,
        "last": len(RULING),
        "rule": "parrot",
    }
    return Proposal(**(fields | changes))


def kept(holdfast: Holdfast) -> int:
    with holdfast.store.reading() as tx:
        return tx.memories.count(Selection())


@requirement("propose.only-candidates")
def test_what_was_settled_waits_for_a_person_with_its_turn_as_evidence(
    holdfast: Holdfast,
) -> None:
    [one] = taken(holdfast).added

    record = one.record
    assert record is not None
    assert record.standing.status is Status.CANDIDATE
    assert (record.memory.origin, record.memory.trust) == (Origin.TOOL, Origin.TOOL)
    assert (record.memory.claim, record.memory.kind) == (RULING, Kind.RULE)
    assert record.memory.source == "claude:5f1c"
    assert record.memory.scope is Scope.REPO
    assert record.memory.metadata == {"rule": "always-never", "confidence": 0.7, "by": "rules"}
    [evidence] = record.memory.evidence
    assert (evidence.type, evidence.reference) == (EvidenceType.TURN, "claude:5f1c#1")
    assert evidence.facts == {
        "turn": "1",
        "speaker": "user",
        "first": "0",
        "last": str(len(RULING)),
        "sha256": hashlib.sha256(RULING.encode()).hexdigest(),
        "rule": "always-never",
        "transcript": "session.jsonl",
    }
    assert given(holdfast, "deploy billing Fridays") == []


def test_outside_a_repository_it_reaches_everywhere(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place()

    [one] = taken(holdfast).added

    assert one.record is not None
    assert one.record.memory.scope is Scope.GLOBAL


def test_a_claim_in_other_words_than_its_quote_keeps_the_quote(holdfast: Holdfast) -> None:
    told = a_proposal(claim="Do never deploy billing on Fridays.")

    [one] = taken(holdfast, proposals=(told,)).added

    assert one.record is not None
    assert one.record.memory.evidence[0].facts["quote"] == RULING


def test_the_turn_in_which_a_person_agreed_is_evidence_too(holdfast: Holdfast) -> None:
    talk, _ = DECIDING["confirmed"]

    [one, *_] = taken(holdfast, talk).added

    assert one.record is not None
    said_in, agreed_in = one.record.memory.evidence
    assert (said_in.reference, said_in.facts["speaker"]) == ("claude:5f1c#4", "assistant")
    assert (agreed_in.reference, agreed_in.facts["agrees"]) == ("claude:5f1c#5", "yes")
    assert taken(holdfast, talk).strengthened == ()


def test_a_yes_that_nobody_said_is_no_evidence(holdfast: Holdfast) -> None:
    told = (a_proposal(agreed=2), a_proposal(claim=f"{RULING} Always.", agreed=9))

    found = taken(holdfast, proposals=told).added

    assert [len(one.record.memory.evidence) for one in found if one.record] == [1, 1]


def test_a_run_is_cited_as_a_run_and_is_the_source(holdfast: Holdfast) -> None:
    talk = replace(TALK, source="")

    [one] = taken(holdfast, talk, run="run-2026-01-27-3").added

    assert one.record is not None
    [evidence] = one.record.memory.evidence
    assert (evidence.type, evidence.reference) == (EvidenceType.JOB_RUN, "run-2026-01-27-3")
    assert "transcript" not in evidence.facts
    assert one.record.memory.source == "run-2026-01-27-3"


def test_a_source_that_is_named_wins(holdfast: Holdfast) -> None:
    [one] = taken(holdfast, source="import:transcripts").added

    assert one.record is not None
    assert one.record.memory.source == "import:transcripts"


@requirement("propose.twice-is-once")
def test_the_same_conversation_twice_adds_nothing(holdfast: Holdfast) -> None:
    [first] = taken(holdfast).added
    before = _everything(holdfast)

    again = taken(holdfast)

    assert (again.added, again.strengthened) == ((), ())
    assert first.record is not None
    assert [left.reason for left in again.left] == [
        f"{first.record.memory.id} says it already, from here."
    ]
    assert _everything(holdfast) == before


@requirement("propose.twice-is-once")
def test_the_same_conversation_twice_adds_nothing_on_a_branch(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = a_branch_point()
    taken(holdfast)
    before = _everything(holdfast)

    assert taken(holdfast).strengthened == ()
    assert _everything(holdfast) == before


def _everything(holdfast: Holdfast) -> object:
    with holdfast.store.reading() as tx:
        return tx.memories.find(Selection(), Page())


@requirement("candidates.evidence-waits")
def test_a_claim_we_know_is_offered_one_more_reason(holdfast: Holdfast) -> None:
    record = said(holdfast, RULING, kind=Kind.RULE)

    found = taken(holdfast)

    assert found.added == ()
    [one] = found.strengthened
    assert one.record is not None
    assert one.record.memory.id == record.memory.id
    assert one.record.added_evidence == ()
    with holdfast.store.reading() as tx:
        [offer] = offers_about(record.memory.id, tx=tx)
    assert [reason.reference for reason in offer.evidence] == ["claude:5f1c#1"]

    again = taken(holdfast)

    assert (again.added, again.strengthened) == ((), ())
    assert "offered for it before" in again.left[0].reason


def test_a_dry_run_says_the_same_and_writes_nothing(holdfast: Holdfast) -> None:
    said(holdfast, RULING, kind=Kind.RULE)
    talk = a_talk(f"U: {RULING} We decided to move invoices to the new ledger.", "A: OK.")

    dry = taken(holdfast, talk, dry_run=True)
    assert kept(holdfast) == 1
    real = taken(holdfast, talk)

    assert [one.proposal for one in dry.added] == [one.proposal for one in real.added]
    assert [one.proposal for one in dry.strengthened] == [o.proposal for o in real.strengthened]
    assert [one.record for one in dry.added] == [None]
    assert kept(holdfast) == 3


@requirement("propose.gates-first")
def test_a_secret_is_left_out_and_written_nowhere(holdfast: Holdfast) -> None:
    talk = a_talk(f"U: Always use the token {SECRET} for the mirror.", "A: OK.")

    found = taken(holdfast, talk)

    [left] = found.left
    assert left.reason.startswith("It holds a secret (")
    assert (left.proposal.claim, left.proposal.quote) == ("", "")
    assert SECRET not in repr(found)
    assert SECRET not in repr(_everything(holdfast))


@requirement("propose.gates-first")
def test_hidden_characters_leave_a_proposal_out(holdfast: Holdfast) -> None:
    talk = a_talk("U: Never deploy\N{ZERO WIDTH SPACE} billing on Fridays.", "A: OK.")

    [left] = taken(holdfast, talk).left

    assert left.reason == "It holds hidden characters (ZERO WIDTH SPACE)."
    assert left.proposal.claim == ""


def test_what_is_not_text_is_left_out(holdfast: Holdfast) -> None:
    [left] = taken(holdfast, proposals=(a_proposal(claim="a\0b"),)).left

    assert left.reason == "It holds something that is not text."


@requirement("propose.gates-first")
def test_what_was_rejected_before_is_left_out_with_the_reason(holdfast: Holdfast) -> None:
    record = proposed(holdfast, RULING, kind=Kind.RULE)
    reject(holdfast, record.memory.id, by="ada", reason="out of date")

    [left] = taken(holdfast).left

    assert left.reason == f"It was rejected before as {record.memory.id}: out of date."


def test_what_was_rejected_without_a_reason_is_left_out_too(holdfast: Holdfast) -> None:
    record = proposed(holdfast, RULING, kind=Kind.RULE)
    reject(holdfast, record.memory.id, by="ada")

    [left] = taken(holdfast).left

    assert left.reason == f"It was rejected before as {record.memory.id}."


def test_what_was_rejected_elsewhere_may_be_proposed_here(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    record = proposed(holdfast, RULING, kind=Kind.RULE)
    reject(holdfast, record.memory.id, by="ada")
    surroundings.at = replace(surroundings.at, repo="github.com/acme/other")

    assert len(taken(holdfast).added) == 1


def test_what_was_superseded_does_not_come_back_from_the_same_turn(holdfast: Holdfast) -> None:
    [one] = taken(holdfast).added
    assert one.record is not None
    old = one.record
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        tx.memories.set_standing(old.memory.id, replace(old.standing, status=Status.DEPRECATED))

    [left] = taken(holdfast).left
    elsewhere = taken(holdfast, replace(TALK, session="6a2d"))

    assert left.reason == f"{old.memory.id} said it from here, and is deprecated."
    assert len(elsewhere.added) == 1


@requirement("propose.gates-first")
def test_what_the_repositorys_pages_say_is_left_out_with_the_place(holdfast: Holdfast) -> None:
    pages = Pages("A guide.", "Never deploy the billing service on Fridays, it is busy then.")

    [left] = taken(holdfast, documents=pages).left

    assert left.reason == "README.md:2 says it already."
    assert kept(holdfast) == 0


def test_pages_that_say_something_else_are_no_reason(holdfast: Holdfast) -> None:
    assert len(taken(holdfast, documents=Pages("Deploy on Mondays.")).added) == 1


class NoFridays(EnglishObjector):
    def objection(self, claim: str) -> str:
        return "a truism" if "Fridays" in claim else ""


def test_an_objection_leaves_a_proposal_out(holdfast: Holdfast) -> None:
    found = propose(
        Propose(transcript=TALK),
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        reading=ProposerSetup(heuristics=replace(ENGLISH, objector=NoFridays())),
    )

    assert [left.reason for left in found.left] == ["It is not worth keeping: a truism."]


@requirement("propose.injected-never-returns")
def test_what_recall_gave_is_not_learned_again(holdfast: Holdfast) -> None:
    talk = a_talk(f"U: {fenced(RULING, nonce='ab12')}", "A: OK.")

    assert taken(holdfast, talk).added == ()


@requirement("propose.source-is-bounded")
def test_one_source_cannot_fill_the_queue(holdfast: Holdfast) -> None:
    rules = [f"Never rename column {n} of the ledger." for n in range(MOST_WAITING + 5)]
    talk = a_talk(f"U: {' '.join(rules)}", "A: OK.")
    told = tuple(a_proposal(claim=rule, quote=rule, first=0, last=0) for rule in (*rules, rules[0]))

    found = taken(holdfast, talk, proposals=told, limit=100)
    other = taken(holdfast, replace(talk, session="6a2d"), proposals=told[-7:-1], limit=100)

    assert len(found.added) == MOST_WAITING
    assert {left.reason for left in found.left} == {"50 candidates of claude:5f1c wait already."}
    assert len(other.added) == 5


@requirement("propose.conflicts-noted")
def test_a_candidate_that_contradicts_says_so_and_is_linked(holdfast: Holdfast) -> None:
    standing = said(holdfast, "The API listens on port 8080.", key="api.port")
    told = "The API listens on port 9090."
    talk = a_talk(f"U: {told}", "A: OK.")
    proposal = a_proposal(claim=told, quote=told, kind=Kind.FACT, key="api.port")

    dry = taken(holdfast, talk, proposals=(proposal,), dry_run=True)
    [one] = taken(holdfast, talk, proposals=(proposal,)).added

    assert [c.standing.memory.id for c in dry.added[0].conflicts] == [standing.memory.id]
    assert [c.standing.memory.id for c in one.conflicts] == [standing.memory.id]
    assert one.record is not None
    links = [
        (link.kind, neighbour.memory.id)
        for link, neighbour in holdfast.memories.related(one.record.memory.id)
    ]
    assert (LinkKind.CONTRADICTS, standing.memory.id) in links


@requirement("propose.model-not-believed")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "Deploy on Fridays."}, "Turn 1 does not say what it quotes."),
        ({"turn": 7}, "It quotes nothing of the conversation."),
        ({"quote": "  ", "first": 0, "last": 0}, "It quotes nothing of the conversation."),
        ({"claim": "Cats purr when they are stroked."}, "Turn 1 says something else."),
        ({"claim": f"{RULING} {' '.join(MORE)}"}, "Turn 1 says something else."),
        ({"claim": " "}, "Turn 1 says something else."),
        ({"claim": RULING * 100}, "It is longer than 4,000 characters."),
        ({"tags": ("x" * 65,)}, "It has too many or too long tags."),
        ({"turn": 3, "quote": "billing"}, "A tool said it, and nobody took it up."),
    ],
)
def test_a_proposer_is_not_believed(
    holdfast: Holdfast, changes: dict[str, Any], reason: str
) -> None:
    talk = a_talk(f"U: {RULING}", "A: OK.", "T: billing is up")
    liar = Says(a_proposal(**changes))

    found = taken(holdfast, talk, proposer=liar)

    assert (found.added, found.by) == ((), "parrot")
    assert [left.reason for left in found.left] == [reason]


def test_a_quote_that_stands_elsewhere_in_its_turn_is_put_right(holdfast: Holdfast) -> None:
    talk = a_talk(f"U: Listen. {RULING}", "A: OK.")

    [one] = taken(holdfast, talk, proposer=Says(a_proposal())).added

    assert (one.proposal.first, one.proposal.last) == (8, 8 + len(RULING))


@requirement("propose.rules-where-models-fail")
def test_where_a_proposer_fails_the_rules_answer(holdfast: Holdfast) -> None:
    found = taken(holdfast, proposer=Fails())

    assert [one.proposal.claim for one in found.added] == [RULING]
    assert found.by == "rules"
    [note] = found.notes
    assert note.startswith("The proposer parrot does not answer.")
    assert note.endswith("The rules were used instead.")


def test_no_more_is_taken_than_was_asked_for(holdfast: Holdfast) -> None:
    talk = a_talk(f"U: {RULING} Never rename the ledger.", "A: OK.")
    two = (a_proposal(), a_proposal(claim="Never rename the ledger."))

    assert len(taken(holdfast, talk, proposer=Says(*two), limit=1).added) == 1
    with pytest.raises(BadFieldError):
        taken(holdfast, limit=0)


def test_a_conversation_without_decisions_gives_nothing(holdfast: Holdfast) -> None:
    found = taken(holdfast, a_talk("U: Hello.", "A: Hello."), documents=Pages())

    assert (found.added, found.strengthened, found.left) == ((), (), ())


def test_a_session_that_looks_like_a_secret_goes_by_its_hash(holdfast: Holdfast) -> None:
    talk = replace(TALK, session=SECRET)

    [one] = taken(holdfast, talk).added

    assert one.record is not None
    assert one.record.memory.source == (
        f"claude:{hashlib.sha256(SECRET.encode()).hexdigest()[:12]}"
    )
    assert SECRET not in repr(_everything(holdfast))


@requirement("callers.origin-never-rises")
@pytest.mark.parametrize("origin", list(Origin))
def test_proposals_have_no_higher_origin_than_their_caller(
    holdfast: Holdfast, origin: Origin
) -> None:
    caller = Principal.of(PrincipalKind.TOOL, origin=origin)

    found = taken(replace(holdfast, principal=caller))

    expected = origin if origin in {Origin.REPO, Origin.WEB} else Origin.TOOL
    assert {one.record.memory.origin for one in found.added if one.record} == {expected}


@requirement("review.hourly")
def test_a_hook_proposes_no_more_than_the_hour_has_room_for(holdfast: Holdfast) -> None:
    rules = [f"Never rename column {n} of the ledger." for n in range(4)]
    talk = a_talk(f"U: {' '.join(rules)}", "A: OK.")
    told = tuple(a_proposal(claim=rule, quote=rule, first=0, last=0) for rule in rules)

    hook = replace(holdfast, principal=AN_AGENT, most_hourly=3)
    wide = replace(hook, most_hourly=900)

    found = taken(hook, talk, proposals=told)
    more = taken(wide, replace(talk, session="6a2d"), proposals=told[3:])

    assert len(found.added) == 3
    reason = "3 candidates of claude:5f1c came within the last hour."
    assert [left.reason for left in found.left] == [reason]
    assert len(more.added) == 1
