from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.errors import InvalidError
from holdfast.domain.exchange.decision_shape import decision_from_json, decision_json
from holdfast.domain.ids import DecisionId, MemoryId
from holdfast.domain.memory.decision import Action, Decision, StandingChange, Withdrawn
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from tests.builders import NOON, a_reason

ONE, TWO, THREE = (MemoryId(f"m_{number}") for number in range(1, 4))
FULL = Decision(
    id=DecisionId("d_1"),
    at=NOON,
    by="ada",
    action=Action.RESOLVE,
    changes=(
        StandingChange(memory_id=ONE, before=None, after=Standing()),
        StandingChange(
            memory_id=TWO, before=Standing(), after=Standing(superseded_by=ONE, reason="no")
        ),
    ),
    linked=(Link(src=ONE, dst=TWO, kind="supersedes"),),
    unlinked=(Link(src=TWO, dst=THREE, kind="contradicts"),),
    withdrawn=(Withdrawn(memory_id=THREE, evidence=a_reason()),),
    strengthened=(Withdrawn(memory_id=TWO, evidence=a_reason()),),
    undone_at=NOON,
)


def test_a_decision_reads_back_from_its_shape() -> None:
    assert decision_from_json(decision_json(FULL)) == FULL


def test_a_decision_names_every_memory_it_touched_once() -> None:
    assert FULL.memories == (ONE, TWO, THREE)


@pytest.mark.parametrize("gone", [ONE, TWO, THREE])
def test_nothing_is_left_of_a_memory_that_is_forgotten(gone: MemoryId) -> None:
    left = FULL.without(gone)

    assert gone not in left.memories
    assert set(left.memories) == {ONE, TWO, THREE} - {gone}


@pytest.mark.parametrize(
    "broken",
    [
        {"action": "guess"},
        {"changes": [{"memory_id": 5, "before": None, "after": {}}]},
        {"changes": [{"memory_id": "m_1", "before": None, "after": None}]},
        {"withdrawn": ["x"]},
        {"linked": "x"},
        {"at": "noon"},
    ],
)
def test_a_shape_that_is_no_decision_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(InvalidError):
        decision_from_json({**decision_json(FULL), **broken})
