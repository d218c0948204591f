"""Figures by category, and what changed between two runs."""

from __future__ import annotations

from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult
from holdfast.domain.evaluation.comparison import categories, differences, mean_of, of_category
from tests.requirements import requirement


def judged(name: str, category: str = "plain", **measures: float) -> JudgedRanking:
    return JudgedRanking(id=name, category=category, ranked=(), measures=measures)


def result(*questions: JudgedRanking, name: str = "set") -> SetResult:
    return SetResult(name=name, judged=questions)


def test_all_questions_together_come_last() -> None:
    questions = [judged("1", "b"), judged("2", "a"), judged("3", "all")]

    assert categories(questions) == ("a", "b", "all")
    assert of_category(questions, "a") == [questions[1]]
    assert of_category(questions, "all") == questions


def test_a_mean_is_over_the_questions_that_have_the_measure() -> None:
    assert mean_of([judged("1", MRR=1.0), judged("2")], "MRR") == 1
    assert mean_of([judged("2")], "MRR") is None


@requirement("eval.compare-is-paired")
def test_a_difference_is_taken_question_by_question() -> None:
    before = result(*(judged(str(number), MRR=0.0) for number in range(10)))
    after = result(*(judged(str(number), MRR=0.5) for number in range(10)))

    found = differences([before], [after], measures=["MRR"])

    assert [(one.category, one.change.mean, one.is_sure) for one in found] == [
        ("plain", 0.5, True),
        ("all", 0.5, True),
    ]
    assert (found[0].before, found[0].after) == (0, 0.5)


def test_a_loss_is_sure_too() -> None:
    better, worse = result(judged("1", MRR=1.0)), result(judged("1", MRR=0.0))

    (_, found) = differences([better], [worse], measures=["MRR"])

    assert found.change.mean == -1
    assert found.is_sure


@requirement("eval.compare-is-paired")
def test_chance_is_not_called_a_difference() -> None:
    before = result(*(judged(str(number), MRR=float(number % 2)) for number in range(20)))
    after = result(*(judged(str(number), MRR=float((number + 1) % 2)) for number in range(20)))

    found = differences([before], [after], measures=["MRR"])

    assert not found[0].is_sure


def test_only_questions_and_measures_that_both_runs_have_are_compared() -> None:
    before = result(judged("1", MRR=1.0), judged("gone", MRR=1.0))
    after = result(judged("1", MRR=1.0, new=1.0), judged("fresh", MRR=0.0))

    found = differences(
        [before], [after, result(judged("1"), name="other")], measures=["MRR", "new"]
    )

    assert {(one.measure, one.change.count) for one in found} == {("MRR", 1)}
