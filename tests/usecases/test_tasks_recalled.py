"""Tasks in answers: fenced, within the budget, with reasons, and never stored as text."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import PassageKind
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.usecases.tasks.adding import AddTask
from tests.builders import HERE, PlainSurroundings
from tests.requirements import requirement


def asked(text: str, budget: int = 2_000) -> Question:
    return Question(text=text, include=("memory", "tasks"), budget=budget)


@requirement("task.in-bundles")
def test_an_answer_has_the_tasks_that_match_and_those_in_work(holdfast: Holdfast) -> None:
    first = holdfast.tasks.add(AddTask(title="Rotate the signing keys", priority=0))
    later = holdfast.tasks.add(
        AddTask(title="Document the keys", notes="one\nevidence: x", after=(first.id,))
    )
    holdfast.tasks.add(AddTask(title="Paint the shed"))
    busy = holdfast.tasks.claim(holdfast.tasks.add(AddTask(title="Busy work")).id, by="w")
    holdfast.tasks.block(holdfast.tasks.add(AddTask(title="Order keys")).id, "the vendor")

    answer = holdfast.answers.recall(asked("how do we rotate keys"))

    names = [item.reference for item in answer.bundle.passages]
    assert names[0] == first.id
    assert {later.id, busy.id} <= set(names)
    assert len(names) == 4
    text = answer.markdown()
    assert "task · " in text
    assert "- task · " in text
    assert f"waits for {first.id}: Rotate the signing keys" in text
    assert "   > evidence: x" in text
    assert "blocked: the vendor" in text
    assert "claimed by w" in text
    assert "Paint the shed" not in text
    assert text.index("<<<") < text.index("Rotate") if "<<<" in text else True
    assert all(item.kind is PassageKind.TASK for item in answer.bundle.passages)


@requirement("task.in-bundles")
def test_tasks_stay_inside_the_budget_and_are_not_searched_unless_asked(
    holdfast: Holdfast,
) -> None:
    for number in range(30):
        holdfast.tasks.add(AddTask(title=f"Rotate key {number}", notes="x " * 400))

    small = holdfast.answers.recall(asked("rotate key", budget=300))

    assert small.bundle.tokens <= 300
    assert small.bundle.passages_left_out
    assert holdfast.answers.recall(Question(text="rotate key")).bundle.passages == ()


@requirement("task.deleted-without-a-byte")
def test_a_stored_answer_has_no_word_of_a_task(holdfast: Holdfast) -> None:
    holdfast.tasks.add(AddTask(title="Zebra crossing", notes="quagga"))

    bundle = holdfast.answers.recall(asked("zebra")).bundle

    with holdfast.store.reading() as tx:
        kept = repr(replace(tx.bundles.get(bundle.id), question=asked("")))
    assert len(bundle.passages) == 1
    assert "Zebra" not in kept
    assert "quagga" not in kept


@requirement("task.branches-count-as-for-memories")
def test_a_task_of_another_branch_is_not_in_an_answer(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = BranchPoint(branch="feature", head="3" * 40, is_aside=True)
    surroundings.at = replace(HERE, branch="feature")
    seen.tasks.add(AddTask(title="Rotate keys"))
    here = seen.answers.recall(asked("rotate keys"))
    surroundings.stands, surroundings.at = None, HERE

    there = seen.answers.recall(asked("rotate keys"))

    assert len(here.bundle.passages) == 1
    assert there.bundle.passages == ()


@pytest.mark.parametrize("text", ["the of and", "zzz"])
def test_a_question_without_a_matching_word_gets_only_what_is_in_work(
    holdfast: Holdfast, text: str
) -> None:
    holdfast.tasks.add(AddTask(title="Rotate keys", priority=4))
    assert holdfast.answers.recall(asked(text)).bundle.passages == ()

    taken = holdfast.tasks.claim_next()

    assert [one.reference for one in holdfast.answers.recall(asked(text)).bundle.passages] == [
        taken.id
    ]
