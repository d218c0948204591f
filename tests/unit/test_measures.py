"""The measures, held against values worked out by hand and against a second way to count."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.evaluation.comparison import (
    answer_measures,
    figure,
    plain_words,
    ranking_measures,
    share_within,
    short_answers,
)

NAMES = [f"d{number}" for number in range(30)]


def test_a_perfect_ranking_measures_one_everywhere() -> None:
    measures = ranking_measures(["a", "b", "c"], ["a", "b"], depths=(5,))

    assert measures == {"R@5": 1, "any@5": 1, "all@5": 1, "NDCG@10": 1, "MRR": 1}


def test_half_of_the_gold_at_the_third_place() -> None:
    measures = ranking_measures(["x", "y", "a", "z"], ["a", "b"], depths=(1, 5))

    assert measures["R@1"] == 0
    assert measures["any@1"] == 0
    assert measures["R@5"] == 0.5
    assert measures["any@5"] == 1
    assert measures["all@5"] == 0
    assert measures["MRR"] == pytest.approx(1 / 3)
    # 1/log2(4) over 1/log2(2) + 1/log2(3)
    assert measures["NDCG@10"] == pytest.approx(0.5 / 1.6309297535714573)


def test_a_ranking_without_gold_measures_nothing() -> None:
    assert set(ranking_measures(["x"], ["a"]).values()) == {0.0}
    assert set(ranking_measures([], ["a"]).values()) == {0.0}


def test_gold_beyond_the_tenth_place_earns_no_gain_but_a_rank() -> None:
    ranked = [f"x{number}" for number in range(10)] + ["a"]

    measures = ranking_measures(ranked, ["a"])

    assert measures["NDCG@10"] == 0
    assert measures["MRR"] == pytest.approx(1 / 11)
    assert measures["R@10"] == 0
    assert measures["R@20"] == 1


@given(
    ranked=st.lists(st.sampled_from(NAMES), unique=True),
    gold=st.sets(st.sampled_from(NAMES), min_size=1),
)
def test_a_second_way_to_count_agrees(ranked: list[str], gold: set[str]) -> None:
    measures = ranking_measures(ranked, gold)

    for depth in (1, 5, 10, 20):
        top = set(ranked[:depth])
        assert measures[f"R@{depth}"] == pytest.approx(len(top & gold) / len(gold))
        assert measures[f"any@{depth}"] == (not top.isdisjoint(gold))
        assert measures[f"all@{depth}"] == (gold <= top)
    gains = [1 / math.log2(rank + 1) for rank in range(1, 11)]
    got = math.fsum(gains[at] for at, name in enumerate(ranked[:10]) if name in gold)
    assert measures["NDCG@10"] == pytest.approx(got / math.fsum(gains[: len(gold)]))
    ranks = [rank for rank, name in enumerate(ranked, start=1) if name in gold]
    assert measures["MRR"] == pytest.approx(1 / ranks[0] if ranks else 0)


def test_what_does_not_fit_a_budget_is_passed_over() -> None:
    sizes = {"a": 40, "long": 4_000, "b": 40, "c": 40}

    share = share_within(["a", "long", "b", "c"], ["b", "c", "long"], sizes=sizes, budget=20)

    # a takes 10 tokens, long 1,000 and b 10 more; c no longer fits.
    assert share == pytest.approx(1 / 3)


def test_a_document_without_a_text_takes_no_room() -> None:
    assert share_within(["gone"], ["gone"], sizes={}, budget=1) == 1


def test_answers_are_compared_in_plain_words() -> None:
    assert plain_words("It's  7 May, 2023!") == "it s 7 may 2023"
    assert short_answers(["7 May 2023", "", "!?", "x" * 61]) == ("7 may 2023",)


def test_an_answer_must_stand_in_the_texts_as_whole_words() -> None:
    texts = ["she lives in new york", "the answer is york shire"]

    assert answer_measures(texts, ("new york",), depths=(1,)) == {"ans@1": 1}
    assert answer_measures(texts, ("ork",), depths=(1, 2)) == {"ans@1": 0, "ans@2": 0}
    assert answer_measures(texts, ("shire",), depths=(1, 2)) == {"ans@1": 0, "ans@2": 1}


def test_no_values_give_no_figure() -> None:
    nothing = figure([])

    assert nothing.count == 0
    assert math.isnan(nothing.mean)


def test_values_that_are_all_the_same_leave_no_doubt() -> None:
    assert figure([0.5] * 7).low == figure([0.5] * 7).high == 0.5


def test_an_interval_is_the_same_every_time_and_holds_the_mean() -> None:
    values = [float(number % 3 == 0) for number in range(200)]

    once, again = figure(values), figure(values)

    assert once == again
    assert once.low < once.mean < once.high


def test_an_interval_is_about_two_standard_errors_to_each_side() -> None:
    values = [float(number % 2) for number in range(400)]

    found = figure(values)

    assert found.mean - found.low == pytest.approx(1.96 * 0.5 / 20, rel=0.15)
    assert found.high - found.mean == pytest.approx(1.96 * 0.5 / 20, rel=0.15)


def test_a_single_round_is_its_own_interval() -> None:
    found = figure([0.0, 1.0], rounds=1)

    assert found.low == found.high
