"""What governs the work, whatever is asked."""

from __future__ import annotations

from holdfast.domain.choices import Kind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.recall.governing import GUIDING, governing
from tests.builders import a_memory, a_record


def records(kind: Kind, first: int, count: int) -> list[MemoryRecord]:
    return [
        a_record(a_memory(id=MemoryId(f"m_{number}"), kind=kind), sequence=number)
        for number in range(first, first + count)
    ]


def test_pinned_comes_first_and_each_memory_once() -> None:
    rules = records(Kind.RULE, 1, 2)

    found = governing([rules[1]], {GUIDING[0]: rules})

    assert [item.record.sequence for item in found] == [2, 1]
    assert found[0].reasons[0].leg == "pinned"


def test_many_rules_do_not_crowd_out_decisions_and_gotchas() -> None:
    found = governing(
        [],
        {
            GUIDING[0]: records(Kind.RULE, 1, 40),
            GUIDING[1]: records(Kind.DECISION, 100, 5),
            GUIDING[2]: records(Kind.GOTCHA, 200, 5),
        },
    )

    kinds = [item.record.memory.kind for item in found[:12]]
    assert kinds[0] is Kind.RULE
    assert Kind.DECISION in kinds
    assert Kind.GOTCHA in kinds


def test_the_parts_add_up_to_the_score_and_all_of_them_answer() -> None:
    found = governing([], {GUIDING[3]: records(Kind.ASSUMPTION, 1, 30)})

    for item in found:
        assert item.answers
        assert abs(sum(reason.amount for reason in item.reasons) - item.score) < 1e-6
        assert item.score > 0


def test_a_tenth_of_a_memorys_importance_counts() -> None:
    record = a_record(a_memory(importance=0.7))

    (found,) = governing([record], {})

    amounts = {reason.leg: reason.amount for reason in found.reasons}
    assert abs(amounts["importance"] - 0.07) < 1e-9
