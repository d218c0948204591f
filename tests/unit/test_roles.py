"""The values of supervised runs: precedence, answers, differences and checkouts."""

from __future__ import annotations

import pytest

from holdfast.domain.errors import BadFieldError, UnknownChoiceError
from holdfast.domain.ids import RunId
from holdfast.domain.roles.answers import EMPTY, read_curation, read_history, read_recap
from holdfast.domain.roles.checked_answers import checked_answer
from holdfast.domain.roles.checkout import (
    CheckoutState,
    change_between,
    checkout_from_json,
    checkout_json,
    staleness,
)
from holdfast.domain.roles.differences import MOST_DIFFERENCES, differences
from holdfast.domain.roles.disagreeing import disagreements
from holdfast.domain.roles.ending import has_failed, told_step
from holdfast.domain.roles.precedence import (
    PLAYBOOK,
    PRECEDENCE,
    RoleSide,
    Topic,
    deciding_side,
    disagreement_from_json,
    disagreement_json,
    played,
    read_precedence,
)
from holdfast.domain.roles.recording import recorded_answer
from holdfast.domain.roles.step import (
    Role,
    RunStep,
    StepAttempt,
    StepStatus,
    StepWork,
    maybe_object,
    step_from_json,
    step_json,
)
from holdfast.domain.values import replace
from tests.builders import a_step
from tests.requirements import requirement


@requirement("roles.precedence-is-data")
def test_a_precedence_is_read_from_a_setting_and_other_topics_stay() -> None:
    found = read_precedence("task-done: executor, historian ; ")

    assert found[Topic.TASK_DONE] == ("executor", "historian")
    assert found[Topic.CITED_MEMORY] == PRECEDENCE[Topic.CITED_MEMORY]
    assert read_precedence("task-done: person")[Topic.TASK_DONE] == ("person",)


@pytest.mark.parametrize("text", ["task-done", "task-done:", "task-done: boss", "mood: planner"])
def test_an_odd_precedence_is_refused(text: str) -> None:
    with pytest.raises((BadFieldError, UnknownChoiceError)):
        read_precedence(text)


def test_the_first_role_of_the_order_that_has_a_side_decides() -> None:
    sides = (RoleSide(role=Role.HISTORIAN, says="done"), RoleSide(role=Role.PLANNER, says="open"))

    assert deciding_side(sides, ("executor", "planner")) == sides[1]
    assert deciding_side(sides, ("executor", "person", "planner")) is None
    assert deciding_side(sides, ("executor",)) is None


def test_the_shares_of_the_playbook_are_the_whole_budget() -> None:
    assert sum(line.share for line in PLAYBOOK) == pytest.approx(1.0)
    assert played(StepWork.COMMAND).fallbacks == ()


def test_a_disagreement_reads_back() -> None:
    history = a_step(
        work=StepWork.HISTORY,
        outputs={"done": [{"task": "t_1", "commit": "a" * 40, "says": "Fix it"}, "odd"]},
    )
    plan = a_step(work=StepWork.PLAN, outputs={"cites": ["m_1", "m_2"]}, effects={"reused": 3})
    curation = a_step(
        work=StepWork.CURATE,
        inputs={"findings": [{"trouble": "stale", "memories": ["m_1"]}]},
        outputs={},
    )

    found = disagreements([history, plan, curation], PRECEDENCE)

    assert [one.subject for one in found] == ["t_1", "m_1"]
    assert [one.is_open for one in found] == [True, False]
    assert [disagreement_from_json(disagreement_json(one)) for one in found] == list(found)
    assert disagreements([plan], PRECEDENCE) == ()


def test_differences_name_the_place_and_end_after_a_hundred() -> None:
    recorded = {"a": [1, {"b": "x"}], "c": 1, "d": [1]}
    now = {"a": [1, {"b": "y"}, 3], "e": 2, "d": 1}

    found = [(one.where, one.recorded, one.now) for one in differences(recorded, now)]

    assert found == [
        ("a[1].b", "x", "y"),
        ("a[2]", "nothing", "3"),
        ("c", "1", "nothing"),
        ("d", "[1]", "1"),
        ("e", "nothing", "2"),
    ]
    assert differences(recorded, recorded) == ()
    old = [{"key": "a", "x": 1}, {"key": "b", "x": 1}]
    more = [{"key": "b", "x": 2}, {"key": "c", "x": 1}]
    assert [one.where for one in differences(old, more, where="t")] == ["t[a]", "t[b].x", "t[c]"]
    assert [one.where for one in differences([{"key": "a"}], [1])] == ["[0]"]
    assert differences([1, 2], [1], where="x")[0].where == "x[1]"
    assert len(differences(list(range(500)), [])) == MOST_DIFFERENCES


@pytest.mark.parametrize("work", EMPTY)
def test_the_answer_of_nobody_has_the_shape_of_the_work(work: StepWork) -> None:
    inputs: dict[str, object] = {"tasks": [], "commands": [], "findings": []}

    assert checked_answer(work, EMPTY[work], inputs) == EMPTY[work]


def test_a_curator_may_only_name_findings_that_it_was_given() -> None:
    assert read_curation({"fix": [1, 0, 1], "notes": []}, findings=2).fix == (0, 1)
    for odd in ([2], [-1], ["0"]):
        with pytest.raises(BadFieldError):
            read_curation({"fix": odd, "notes": []}, findings=2)


@pytest.mark.parametrize("text", ["", "  ", "x" * 20_000])
def test_a_recap_is_neither_blank_nor_endless(text: str) -> None:
    with pytest.raises(BadFieldError):
        read_recap({"text": text})


def test_a_claim_needs_words_and_a_quote() -> None:
    claim = {
        "claim": " ",
        "kind": "fact",
        "quote": "q",
        "source": 0,
        "turn": 1,
        "commit": "",
        "rule": "",
        "confidence": 1,
    }
    with pytest.raises(BadFieldError):
        read_history({"summary": [], "done": [], "claims": [claim], "notes": []}, known=())


def test_what_is_no_object_in_an_answer_is_recorded_as_it_is() -> None:
    assert recorded_answer(StepWork.PLAN, {"tasks": ["odd", {"title": "", "key": "a"}]}) == {
        "tasks": ["odd", {"title": "", "key": "a"}]
    }
    assert recorded_answer(StepWork.PLAN, {"tasks": None}) == {"tasks": []}
    assert recorded_answer(StepWork.CURATE, {"fix": [1]}) == {"fix": [1]}


def test_a_step_reads_back_from_its_json_and_odd_objects_are_refused() -> None:
    step = a_step(inputs={"a": 1}, attempts=(StepAttempt(specialist="rules"),))

    assert step_from_json(step_json(step)) == step
    with pytest.raises(BadFieldError):
        maybe_object([1], what="inputs")


def test_a_checkout_is_named_for_people() -> None:
    here = CheckoutState(branch="main", head="1" * 40, upstream="origin/main", behind=1)

    assert here.words == "main at 111111111111"
    assert CheckoutState().words == "no commit"
    assert CheckoutState(head="1" * 40).words == "a detached HEAD at 111111111111"
    assert CheckoutState(branch="new").words == "new"
    assert staleness(here) == "main is 1 commit behind origin/main"
    assert staleness(CheckoutState(behind=3, upstream="o")) == "the checkout is 3 commits behind o"
    assert checkout_from_json(checkout_json(here)) == here
    moved = CheckoutState(branch="main", head="2" * 40)
    assert change_between(here, moved) == ""
    assert change_between(here, here) == ""


def test_a_step_says_how_it_ended_and_whether_it_failed() -> None:
    step = RunStep(run_id=RunId("r_1"), number=1, role=Role.PLANNER, work=StepWork.PLAN)
    tried = (StepAttempt(specialist="model", problem="was slow"),)
    done = replace(step, status=StepStatus.DONE, specialist="rules", attempts=tried)
    skipped = replace(step, status=StepStatus.SKIPPED, notes=("no time",))

    assert [has_failed(one) for one in (step, done, skipped)] == [False, False, True]
    assert has_failed(replace(done, specialist="nothing"))
    assert told_step(done) == "rules; was slow"
    assert told_step(skipped) == "skipped: no time"
