"""Decisions in a file: nothing of a forgotten memory stays in them."""

from __future__ import annotations

from pathlib import Path

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import Status
from holdfast.domain.memory.decision import StandingChange, Withdrawn
from holdfast.domain.memory.memory import Standing
from holdfast.domain.review.curation import Severity
from tests.builders import NOON, a_decision, a_reason, a_tombstone
from tests.contract.steps import keep, memory_id, numbered, said_nothing
from tests.integration.test_sqlite_forgetting import files_with
from tests.requirements import requirement

CANARY = "HunterTwoXyzzy"


@requirement("forget.leaves-no-bytes")
def test_the_reason_of_a_decision_goes_with_the_memory(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "home" / "holdfast.db")
    keep(store, numbered(1), numbered(2))
    rejected = Standing(status=Status.REJECTED, reason=f"it quotes {CANARY}", label=CANARY)
    decision = a_decision(
        changes=(
            StandingChange(memory_id=memory_id(1), before=Standing(), after=rejected),
            StandingChange(
                memory_id=memory_id(2), before=Standing(), after=Standing(reason="stays")
            ),
        ),
        withdrawn=(Withdrawn(memory_id=memory_id(1), evidence=a_reason(reference=CANARY)),),
    )
    with store.writing(NOON) as tx:
        tx.diary.decisions.put(decision)
    assert files_with(tmp_path, CANARY)

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))
    store.upkeep.scrub()

    assert files_with(tmp_path, CANARY) == []
    with store.reading() as tx:
        assert tx.diary.decisions.get(decision.id).memories == (memory_id(2),)
    findings = store.upkeep.check(said_nothing)
    assert {finding.severity for finding in findings} == {Severity.OK}
    store.close()
