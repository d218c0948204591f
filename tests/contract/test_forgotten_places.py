"""Forgetting a memory removes its text from records, and names every place that keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from holdfast.app import Holdfast
from holdfast.domain.agents.cycle import ActionProposal
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.decision import StandingChange, Withdrawn
from holdfast.domain.memory.memory import Standing
from holdfast.domain.recall.question import Question
from holdfast.domain.review.traces import Reach
from holdfast.domain.roles.step import StepAttempt
from holdfast.domain.service.replies import Reply
from holdfast.domain.sessions.run import Note
from holdfast.domain.values import replace
from holdfast.domain.workspaces.snapshot import (
    FolderSnapshot,
    SnapshotId,
    Workspace,
    WorkspaceId,
)
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.store.store import Store, Transaction
from holdfast.usecases.memory.forget import Forget, Forgotten
from tests.builders import (
    ADA,
    NOON,
    FixedClock,
    PlainSurroundings,
    WordCounter,
    a_bundle,
    a_cycle,
    a_decision,
    a_document,
    a_memory,
    a_reason,
    a_run,
    a_session,
    a_step,
    a_task,
    a_tombstone,
    a_turn,
    an_agent,
)
from tests.requirements import requirement
from tests.usecases.wishes import said

CLAIM = "The quokkafur vault opens with a zanzibarium lever at dawn."
ODD = "zanzibarium"
OTHER = MemoryId("m_1")

Writes = Callable[[Transaction], object]


@pytest.fixture
def memory(store: Store) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
    )


def forgotten(memory: Holdfast, writes: Writes) -> Forgotten:
    """Write the text into a place, forget the memory with it, and return what was found."""
    kept = said(memory, CLAIM)
    with memory.store.writing(NOON) as tx:
        writes(tx)
    return memory.memories.forget(Forget(reference=kept.memory.id, by="ada"))


def a_cycle_with_the_text(tx: Transaction) -> None:
    tx.diary.agents.names.put(an_agent())
    proposal = ActionProposal(at=NOON, tool="edit", reasoning=CLAIM)
    tx.diary.agents.cycles.add(a_cycle(proposal=proposal))


def a_snapshot_with_the_text(tx: Transaction) -> None:
    work = Workspace(id=WorkspaceId("w_1"), name="w", root="/w", host="pluto", created_at=NOON)
    tx.diary.workspaces.put(work)
    tx.diary.workspaces.snapshots.add(
        FolderSnapshot(
            id=SnapshotId("v_1"), workspace=work.id, taken_at=NOON, manifest="ab" * 32, note=CLAIM
        )
    )


OWNED: dict[str, tuple[str, Writes]] = {
    "title": ("the task t_0001", lambda tx: tx.diary.tasks.put(a_task(title=CLAIM))),
    "notes": ("the task t_0001", lambda tx: tx.diary.tasks.put(a_task(notes=f"Do: {CLAIM}"))),
    "directives": (
        "the directives of refactor-bot",
        lambda tx: tx.diary.agents.names.put(an_agent(directives=CLAIM)),
    ),
    "cycle": ("cycle 1 of refactor-bot", a_cycle_with_the_text),
    "snapshot": ("the snapshot v_1", a_snapshot_with_the_text),
    "document": (
        "the document a.md",
        lambda tx: tx.names.documents.put(a_document(body=f'{{"text":"{CLAIM}"}}')),
    ),
    "reason": (
        "the memory m_1",
        lambda tx: tx.memories.add(
            a_memory(evidence=(a_reason(reference=CLAIM.lower()),)), Standing()
        ),
    ),
    "metadata": (
        "the memory m_1",
        lambda tx: tx.memories.add(a_memory(metadata={"why": CLAIM}), Standing()),
    ),
    "claim": (
        "the memory m_1",
        lambda tx: tx.memories.add(a_memory(claim=f"Note: {CLAIM}"), Standing()),
    ),
}


@requirement("forget.names-what-remains")
@pytest.mark.parametrize("name", OWNED)
def test_a_place_that_only_its_owner_changes_is_named(memory: Holdfast, name: str) -> None:
    place, writes = OWNED[name]

    gone = forgotten(memory, writes)

    assert [(one.place, one.reach) for one in gone.traces] == [(place, Reach.LEFT)]
    assert gone.traces[0].advice


def a_session_with_the_text(tx: Transaction) -> None:
    tx.sessions.put(a_session())
    tx.sessions.add_turn(a_turn(query=CLAIM))
    tx.sessions.add_turn(a_turn(notes=f"It said: {CLAIM}"))


def a_run_with_the_text(tx: Transaction) -> None:
    notes = (Note(at=NOON, text=CLAIM), Note(at=NOON, text="Another note."))
    tx.diary.runs.put(a_run(goal=CLAIM, summary=CLAIM, notes=notes, commits=(CLAIM,)))


def a_step_with_the_text(tx: Transaction) -> None:
    tx.diary.runs.put(a_run())
    tx.diary.runs.steps.put(
        a_step(
            inputs={"goal": CLAIM, "limits": [1, CLAIM]},
            outputs={"plan": [{"why": CLAIM}]},
            attempts=(StepAttempt(specialist="rules", problem=CLAIM),),
            notes=(CLAIM,),
        )
    )
    tx.diary.runs.steps.put(a_step(number=2))


def a_decision_with_the_text(tx: Transaction) -> None:
    standing = Standing(decided_by="ada", decided_at=NOON, reason=CLAIM)
    tx.memories.add(a_memory(), standing)
    tx.memories.add(a_memory(id=MemoryId("m_2"), key="k2", claim="Another."), Standing())
    changes = (
        StandingChange(memory_id=OTHER, before=None, after=standing),
        StandingChange(memory_id=MemoryId("m_2"), before=standing, after=Standing()),
    )
    withdrawn = (Withdrawn(memory_id=OTHER, evidence=a_reason(reference=CLAIM)),)
    tx.diary.decisions.put(a_decision(changes=changes, withdrawn=withdrawn))


def answers_with_the_text(tx: Transaction) -> None:
    note = {"version": 1, "body": {"notes": [{"text": f"He said: {CLAIM}"}]}}
    for key, body in (
        ("k_1", json.dumps(note)),
        ("k_2", f'{{"a": 1}}\n{json.dumps(note)}\n'),
        ("k_3", CLAIM),
    ):
        tx.diary.replies.put(Reply(key=key, request_hash="0" * 64, status=200, body=body, at=NOON))


RECORDS: dict[str, Writes] = {
    "session": a_session_with_the_text,
    "run": a_run_with_the_text,
    "step": a_step_with_the_text,
    "decision": a_decision_with_the_text,
    "bundle": lambda tx: tx.bundles.put(a_bundle(question=Question(text=CLAIM))),
    "tombstone": lambda tx: tx.names.bury(
        a_tombstone(memory_id=MemoryId("m_9"), reason=f"It said the same: {CLAIM}")
    ),
}


def everything(memory: Holdfast) -> str:
    with memory.store.reading() as tx:
        runs = tx.diary.runs.page(beyond=None, limit=9)
        return repr(
            (
                list(memory.exchange.export()),
                [tx.sessions.turns(one.id) for one in tx.sessions.page(beyond=None, limit=9)],
                runs,
                [tx.diary.runs.steps.of(run.id) for run in runs],
                tx.diary.decisions.page(beyond=None, limit=9),
                tx.bundles.page(beyond=None, limit=9),
                tx.names.tombstones(beyond="", limit=9),
            )
        )


@requirement("forget.leaves-no-bytes")
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_no_verb_changes_loses_the_text(memory: Holdfast, name: str) -> None:
    gone = forgotten(memory, RECORDS[name])

    assert (gone.traces, gone.nearly) == ((), ())
    assert ODD not in everything(memory)
    assert "[forgotten]" in everything(memory)


@requirement("forget.leaves-no-bytes")
def test_stored_answers_lose_the_text_and_others_stay(memory: Holdfast) -> None:
    other = Reply(key="other", request_hash="0" * 64, status=200, body='{"a": "b"}', at=NOON)

    def writes(tx: Transaction) -> None:
        answers_with_the_text(tx)
        tx.diary.replies.put(other)
        tx.diary.replies.put(replace(other, key="r", body=None))

    forgotten(memory, writes)

    with memory.store.reading() as tx:
        found = tx.diary.replies.page(beyond="", limit=9)
        assert tx.diary.replies.page(beyond="k_3", limit=1) == (other,)
    assert {one.key: one.body for one in found} == {
        "k_1": None,
        "k_2": None,
        "k_3": None,
        "other": other.body,
        "r": None,
    }


@requirement("forget.names-what-remains")
def test_places_with_nearly_the_same_words_are_named_but_do_not_count_as_the_text(
    memory: Holdfast,
) -> None:
    near = "At dawn, a zanzibarium lever opens what the quokkafur vault hides."

    def writes(tx: Transaction) -> None:
        tx.diary.tasks.put(a_task(notes=near))
        tx.diary.runs.put(a_run(goal=near))

    gone = forgotten(memory, writes)

    assert gone.traces == ()
    assert gone.nearly == ("the task t_0001", "the run run-2026-11-15-1")


@requirement("forget.leaves-no-bytes")
def test_the_reason_for_forgetting_does_not_repeat_the_text(memory: Holdfast) -> None:
    kept = said(memory, CLAIM).memory.id

    memory.memories.forget(Forget(reference=kept, by="ada", reason=f"It is wrong: {CLAIM}"))

    with memory.store.reading() as tx:
        grave = tx.names.tombstone(kept)
    assert grave is not None
    assert grave.reason == "[forgotten]"
