"""Protecting a memory covers all of its wordings, and names what else says nearly the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from holdfast.adapters.encryption.key_ring import KeyRingFile
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Status
from holdfast.domain.encryption.errors import SensitiveError
from holdfast.domain.encryption.placeholder import MADE_SENSITIVE, is_sensitive
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.decision import evidence_offer
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MemoryRecord, Standing, Tombstone
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.memory.shared_words import SharedWords
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.review.traces import GoneText, Reach, Trace
from holdfast.domain.review_errors import NoOwnClaimError, UndoRevealsError
from holdfast.domain.sessions.cache import NoteKind
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.encryption.ciphering import Cipher, KeyRing
from holdfast.ports.store.store import Store
from holdfast.usecases.agents.noting import AgentNote
from holdfast.usecases.agents.opening import OpenAgent
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.encryption.keeping import writing_cipher
from holdfast.usecases.memory import protecting
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.protecting import Protect, ProtectedMemory
from holdfast.usecases.memory.wordings import earlier_wordings
from holdfast.usecases.review.offers import bury
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo
from holdfast.usecases.tasks.adding import AddTask
from tests.builders import (
    ADA,
    FixedClock,
    PlainSurroundings,
    WordCounter,
    a_cache_note,
    a_project,
    a_session_cache,
    a_session_turn,
    a_turn,
)
from tests.requirements import requirement
from tests.usecases.curating import approved
from tests.usecases.wishes import asked, now, proposed, reject, said

FIRST, SECOND = "The gate opens with Zwiebelkuchen.", "The gate opens with Apfelstrudel."
WORDS = ("Zwiebelkuchen", "Apfelstrudel")


@pytest.fixture
def memory(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Holdfast:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    monkeypatch.delenv("HOLDFAST_ENCRYPTION_KEY", raising=False)
    opened = Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        keys=KeyRingFile(tmp_path / "home"),
    )
    opened.encryption.create()
    return opened


def edited(memory: Holdfast, reference: str, claim: str) -> MemoryRecord:
    wish = Edit(reference=reference, claim=claim, by="ada")
    return memory.review.edit(wish).records[0]


def protected(memory: Holdfast, reference: str, *, dry_run: bool = False) -> ProtectedMemory:
    wish = Protect(reference=reference, by="ada", dry_run=dry_run)
    return memory.encryption.protect(wish)


def all_of(memory: Holdfast) -> list[MemoryRecord]:
    with memory.store.reading() as tx:
        return list(tx.memories.find(Selection(), Page(limit=99, oldest_first=True)))


def in_clear(memory: Holdfast) -> list[str]:
    """Return the words that an export or a listing contains in clear."""
    everything = f"{list(memory.exchange.export())}{all_of(memory)}"
    return [word for word in WORDS if word in everything]


def claims_of(memory: Holdfast) -> dict[str, Status]:
    """Return the status of every claim, decrypted."""
    return {
        memory.encryption.reveal(one).memory.claim: one.standing.status for one in all_of(memory)
    }


@requirement("encryption.protect-wordings")
@pytest.mark.parametrize("key", ["gate", None])
def test_every_earlier_wording_is_encrypted_too(memory: Holdfast, key: str | None) -> None:
    first = said(memory, FIRST, key=key, label="GATE")
    second = edited(memory, first.memory.id, SECOND)
    asked(memory, "what opens the gate")
    before = protected(memory, second.memory.id, dry_run=True)

    done = protected(memory, second.memory.id)

    assert done.record is not None
    assert before.forgotten.earlier == done.forgotten.earlier
    assert [one.memory.id for one in done.forgotten.earlier] == [first.memory.id]
    assert in_clear(memory) == []
    assert claims_of(memory) == {FIRST: Status.SUPERSEDED, SECOND: Status.ACCEPTED}
    old = next(one for one in all_of(memory) if one.standing.status is Status.SUPERSEDED)
    assert old.standing.superseded_by == done.record.memory.id
    with memory.store.reading() as tx:
        assert earlier_wordings(done.record, tx=tx) == (old,)


@requirement("encryption.protect-wordings")
def test_an_undo_brings_no_clear_text_back(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    edited(memory, first.memory.id, SECOND)
    protected(memory, "gate")

    undone = memory.review.undo(Undo(by="ada"))

    assert len(undone) == 1
    assert in_clear(memory) == []
    assert claims_of(memory) == {FIRST: Status.ACCEPTED, SECOND: Status.DEPRECATED}


@requirement("encryption.protect-wordings")
@pytest.mark.parametrize("key", ["gate", None])
def test_the_wording_of_an_edit_that_was_undone_is_encrypted(
    memory: Holdfast, key: str | None
) -> None:
    first = said(memory, FIRST, key=key)
    edited(memory, first.memory.id, SECOND)
    memory.review.undo(Undo(by="ada"))

    protected(memory, first.memory.id)

    assert in_clear(memory) == []
    assert claims_of(memory) == {FIRST: Status.ACCEPTED, SECOND: Status.DEPRECATED}


def test_evidence_and_reasons_of_decisions_do_not_stay(memory: Holdfast) -> None:
    first = said(memory, "The gate is open.", key="gate")
    ran = Evidence(type=EvidenceType.COMMAND, reference=f"open --with {WORDS[0]}")
    offer = proposed(memory, "The gate is open.", key="gate", grounds=Grounds(given=(ran,)))
    approved(memory, offer)
    candidate = proposed(memory, "The yard is open.", key="yard")
    reject(memory, candidate.memory.id, by="ada", reason=f"It needs {WORDS[1]}.")

    before = in_clear(memory)
    protected(memory, candidate.memory.id)
    done = protected(memory, first.memory.id)

    assert before == list(WORDS)
    assert done.record is not None
    assert ran.reference in repr(memory.encryption.reveal(done.record).memory.evidence)
    assert in_clear(memory) == []


@requirement("encryption.protect-wordings")
def test_what_says_nearly_the_same_is_named(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    same_key = proposed(memory, "Nobody guards it.", key="gate")
    near = proposed(memory, "With Zwiebelkuchen, the gate opens at once.")
    other = said(memory, "Lunch is at noon.")
    memory.tasks.add(AddTask(title="Open the gate with Zwiebelkuchen."))
    rehearsed = protected(memory, first.memory.id, dry_run=True)

    done = protected(memory, first.memory.id)

    named = {one.place for one in done.repeated}
    assert {same_key.memory.id, near.memory.id} < named
    assert any(place.startswith("the task ") for place in named)
    assert other.memory.id not in named
    assert {one.place for one in rehearsed.repeated} == named
    assert rehearsed.record is None

    protected(memory, near.memory.id)
    again = protected(memory, same_key.memory.id)

    assert again.repeated == ()


@requirement("encryption.protect-wordings")
@pytest.mark.parametrize("where", ["asked", "query", "note", "project"])
def test_what_sessions_keep_is_named_too(memory: Holdfast, where: str) -> None:
    words = f"Try {WORDS[0]}, with which the gate opens."
    session = memory.sessions.start(tool="cli", user="ada")
    note = a_cache_note(text=words if where == "note" else "Lunch.")
    with memory.store.writing(memory.now()) as tx:
        caches = tx.sessions.caches
        text = words if where == "asked" else "Lunch?"
        caches.put_turn(a_session_turn(session_id=session.id, asked=text))
        caches.put(a_session_cache(session_id=session.id, notes=(note,)))
        if where == "query":
            tx.sessions.add_turn(a_turn(session_id=session.id, query=words))
        if where == "project":
            goal = a_cache_note(kind=NoteKind.GOAL, text=words)
            caches.projects.put(a_project(notes=(goal,)))
    first = said(memory, FIRST)

    done = protected(memory, first.memory.id)

    named = "the state of the project" if where == "project" else f"the session {session.id}"
    assert [one.place for one in done.repeated] == [named]


@requirement("encryption.protect-answers")
def test_stored_answers_tell_nothing_about_what_became_sensitive(memory: Holdfast) -> None:
    other = said(memory, "The gate is green.")
    first = said(memory, FIRST, key="gate")
    telling = asked(memory, f"does the gate open with {WORDS[0]}").bundle
    harmless = asked(memory, "what about the gate").bundle
    short = asked(memory, "is the gate green", limit=1).bundle
    aside = asked(memory, "lunch").bundle

    protected(memory, first.memory.id)

    def kept(bundle: Bundle) -> Bundle:
        return memory.answers.shown(bundle.id).bundle

    assert kept(telling).question.text == "[forgotten]"
    assert kept(harmless).question.text == "what about the gate"
    assert kept(aside) == aside
    assert [one.memory_id for one in kept(short).left_out] == [first.memory.id]
    hashes = {
        one.memory_id: one.content_hash
        for bundle in (telling, harmless)
        for one in kept(bundle).items
    }
    assert hashes == {first.memory.id: "", other.memory.id: other.memory.content_hash}
    assert in_clear(memory) == []


@requirement("encryption.protect-wordings")
def test_a_sensitive_memory_may_have_an_earlier_wording_in_clear(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    secret = said(memory, SECOND, key="gate", sensitive=True)

    done = protected(memory, "gate")

    assert done.record == now(memory, secret)
    assert done.forgotten.record.memory.id == first.memory.id
    assert in_clear(memory) == []
    with pytest.raises(SensitiveError, match="already"):
        protected(memory, "gate")


@requirement("encryption.protect-goes-on")
def test_a_run_that_was_stopped_is_finished_by_the_same_request(memory: Holdfast) -> None:
    places: list[Sequence[GoneText]] = []

    class Page:
        left = True

        def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
            if not places:
                places.append(gone)
                raise KeyboardInterrupt
            places.append(gone)
            found, Page.left = Page.left, False
            return [Trace(place="facts.md", reach=Reach.REMOVED)] if found else []

    elsewhere = said(memory, "Lunch is at noon.")
    memory.memories.forget(Forget(reference=elsewhere.memory.id))
    here = replace(memory, traces_of=lambda _repo: (Page(),))
    first = said(here, FIRST, key="gate")
    second = edited(here, first.memory.id, SECOND)
    with pytest.raises(KeyboardInterrupt):
        protected(here, "gate")
    with pytest.raises(SensitiveError):
        protected(here, "gate", dry_run=True)

    done = protected(here, "gate")

    stopped, again = ({(one.memory, one.claim) for one in texts} for texts in places)
    assert stopped == again == {(first.memory.id, FIRST), (second.memory.id, SECOND)}
    assert [one.place for one in done.forgotten.traces] == ["facts.md"]
    assert in_clear(here) == []
    with pytest.raises(SensitiveError, match="already"):
        protected(here, "gate")


def test_two_who_protect_by_key_at_once_do_it_once(
    memory: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(memory, FIRST, key="gate")
    is_first = True

    def meddling(keys: KeyRing | None) -> Cipher:
        nonlocal is_first
        if is_first:
            is_first = False
            protected(memory, "gate")
        return writing_cipher(keys)

    monkeypatch.setattr(protecting, "writing_cipher", meddling)
    with pytest.raises(SensitiveError):
        protecting.protect(
            Protect(reference="gate", by="ada"),
            store=memory.store,
            clock=memory.clock,
            keys=memory.keys,
            traces_of=lambda _repo: (),
        )

    assert claims_of(memory) == {FIRST: Status.ACCEPTED}


def test_an_old_wording_is_protected_without_its_successor(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    said(memory, SECOND, key="gate")
    last = said(memory, "The gate stays shut.", key="gate")
    aside = said(memory, "Elsewhere.", key="yard")
    said(memory, "Elsewhere too.", key="yard")

    protected(memory, first.memory.id)

    assert in_clear(memory) == [WORDS[1]]
    assert now(memory, last) == last
    assert now(memory, aside).memory.claim == "Elsewhere."
    protected(memory, last.memory.id)
    assert in_clear(memory) == []
    assert sum(is_sensitive(one.memory) for one in all_of(memory)) == 3


def test_a_candidate_is_protected_alone(memory: Holdfast) -> None:
    said(memory, FIRST, key="gate")
    said(memory, SECOND, key="gate")
    candidate = proposed(memory, "The gate is broken.", key="gate")

    done = protected(memory, candidate.memory.id)

    assert done.forgotten.earlier == ()
    assert in_clear(memory) == list(WORDS)


def test_the_same_key_elsewhere_is_named_and_stays(memory: Holdfast) -> None:
    said(memory, FIRST, key="gate")
    said(memory, SECOND, key="gate")
    there = replace(
        memory, surroundings=PlainSurroundings(at=Place(space=ADA.space, repo="repo_other"))
    )
    said(there, "It was blue.", key="gate")
    blue = said(there, "It is green.", key="gate")

    done = protected(memory, next(n for n, s in _accepted(memory) if s == SECOND))

    assert in_clear(memory) == []
    assert blue.memory.id in {one.place for one in done.repeated}
    assert len(done.forgotten.earlier) == 1


def _accepted(memory: Holdfast) -> list[tuple[str, str]]:
    return [
        (one.memory.id, one.memory.claim)
        for one in all_of(memory)
        if one.standing.status is Status.ACCEPTED
    ]


@requirement("encryption.undo-reveals-nothing")
def test_an_undo_that_would_accept_a_clear_wording_again_is_refused(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    second = edited(memory, first.memory.id, SECOND)
    _forget_as_made_sensitive(memory, second.memory.id)

    for dry_run in (True, False):
        with pytest.raises(UndoRevealsError, match=first.memory.id):
            memory.review.undo(Undo(by="ada", dry_run=dry_run))

    assert now(memory, first).standing.status is Status.SUPERSEDED
    protected(memory, first.memory.id)
    assert in_clear(memory) == []
    memory.review.undo(Undo(by="ada"))
    assert claims_of(memory) == {FIRST: Status.ACCEPTED}


def test_an_undo_after_a_plain_forgetting_is_allowed(memory: Holdfast) -> None:
    first = said(memory, FIRST, key="gate")
    second = edited(memory, first.memory.id, SECOND)
    memory.memories.forget(Forget(reference=second.memory.id, by="ada"))

    memory.review.undo(Undo(by="ada"))

    assert now(memory, first).standing.status is Status.ACCEPTED


def _forget_as_made_sensitive(memory: Holdfast, name: MemoryId) -> None:
    """Leave what an older version left: the successor is gone, and its wording stays."""
    at = memory.now()
    grave = Tombstone(
        memory_id=name, forgotten_at=at, forgotten_by="ada", reason=f"{MADE_SENSITIVE}m_new"
    )
    with memory.store.writing(at) as tx:
        bury(grave, tx=tx)


def test_notes_and_offers_are_not_made_sensitive(memory: Holdfast) -> None:
    opening = memory.agents.open(OpenAgent(name="bot"))
    note = memory.agents.remember(opening, AgentNote(claim=FIRST))
    known = said(memory, SECOND)
    with memory.store.writing(memory.now()) as tx:
        own = replace(known.memory, id=MemoryId("m_offer"))
        offer = evidence_offer(own, known.memory, known.memory.evidence)
        tx.memories.add(offer, Standing(status=Status.CANDIDATE))

    with pytest.raises(BadFieldError, match="note of an agent"):
        protected(memory, note.memory.id)
    with pytest.raises(NoOwnClaimError):
        protected(memory, offer.id)


@pytest.mark.parametrize(
    ("claim", "text", "is_near"),
    [
        ("The gate opens with Zwiebelkuchen.", "Zwiebelkuchen opened our gate", True),
        ("The gate opens with Zwiebelkuchen.", "The gate is green.", False),
        ("The gate opens with Zwiebelkuchen.", "What? The gate opens.", True),
        ("Ask Ada. The code of the gate is 4711b.", "Use 4711B there.", True),
        ("Founded in 2026 in Bern.", "It was 2026 when we moved to Rome.", False),
        ("Yes.", "Yes.", False),
        (
            "The gate opens with Zwiebelkuchen.",
            "gate word " * 300 + "opens with Zwiebelkuchen",
            True,
        ),
        ("The red gate opens.", "gate\n" + "filler. " * 400 + "opens. red", False),
    ],
)
def test_sentences_that_share_most_words_are_near(claim: str, text: str, *, is_near: bool) -> None:
    assert SharedWords.of([claim]).are_in(text) is is_near
