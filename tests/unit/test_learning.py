"""Weights are learned slowly, within bounds, and from what was rated alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.domain.recall.bundle import Bundle, Reason
from holdfast.domain.recall.learning import (
    Rated,
    TooFewRatingsError,
    agreement,
    can_teach,
    learned,
    own_weights,
    parted,
    tuned,
)
from holdfast.domain.recall.weighing import LEARNABLE, Weights
from tests.builders import a_bundle, a_tuning, an_item, one_left_out
from tests.requirements import requirement

DEFAULTS = Weights()
BESIDE = {"before", "asked", "after", "answered"}
LEGS = {
    "named": "named",
    "link": "hop",
    "neighbours": "before",
    "thread": "thread",
    "closing": "closing",
    "exact": "exact",
    "kind": "guiding",
}
Parts = dict[str, float]


def parts(amounts: Parts) -> dict[str, object]:
    reasons = tuple(Reason(leg=leg, amount=amount) for leg, amount in amounts.items())
    return {"score": sum(amounts.values()), "reasons": reasons}


def answer(given: Parts, left: Parts, *, good: bool | None) -> Bundle:
    """An answer that gave one memory and left one out, for these parts of their scores."""
    items, left_out = (an_item(**parts(given)),), (one_left_out(**parts(left)),)
    return a_bundle(items=items, left_out=left_out, good=good)


def rated(bundle: Bundle, times: int = 1, weights: Weights = DEFAULTS) -> list[Rated]:
    return [Rated(bundle=bundle, weights=weights)] * times


MISLED = answer({"words": 0.1, "meaning": 0.5}, {"words": 0.5, "meaning": 0.05}, good=False)
HELPED = answer({"words": 0.5, "meaning": 0.1}, {"words": 0.1, "meaning": 0.4}, good=True)


@requirement("learn.slow-and-bounded")
def test_where_only_words_help_meaning_counts_less() -> None:
    after = learned(rated(MISLED, 30) + rated(HELPED, 30), DEFAULTS)

    assert after.meaning < DEFAULTS.meaning * 0.8
    assert replace(after, meaning=DEFAULTS.meaning) == DEFAULTS


def test_where_meaning_helps_it_counts_more_but_never_silences_words() -> None:
    helped = answer({"words": 0.1, "meaning": 0.3}, {"words": 0.3, "meaning": 0.1}, good=True)

    after = learned(rated(helped, 2_000), DEFAULTS)

    assert DEFAULTS.meaning < after.meaning <= 0.9


@requirement("learn.slow-and-bounded")
@pytest.mark.parametrize("leg", LEGS)
def test_a_leg_that_misled_counts_less_and_one_that_helped_more(leg: str) -> None:
    misled = answer({"words": 0.1, leg: 0.1}, {"words": 0.15}, good=False)
    helped = answer({"words": 0.1, leg: 0.1}, {"words": 0.15}, good=True)
    name = LEGS[leg]

    less, more = (learned(rated(one, 90), DEFAULTS) for one in (misled, helped))

    assert getattr(less, name) < getattr(DEFAULTS, name) < getattr(more, name)
    others = set(LEARNABLE) - (BESIDE if name in BESIDE else {name})
    assert {getattr(less, other) == getattr(DEFAULTS, other) for other in others} == {True}


def test_what_stands_before_and_after_moves_together() -> None:
    misled = answer({"neighbours": 0.3}, {"words": 0.2}, good=False)

    after = learned(rated(misled, 90), DEFAULTS)

    ratios = [getattr(after, name) / getattr(DEFAULTS, name) for name in BESIDE]
    assert ratios == [pytest.approx(ratios[0], abs=0.01)] * len(BESIDE)


@requirement("learn.slow-and-bounded")
@pytest.mark.parametrize("bundle", [MISLED, HELPED], ids=["misled", "helped"])
def test_a_few_ratings_hardly_move_anything(bundle: Bundle) -> None:
    after = learned(rated(bundle, 4), DEFAULTS)

    moved = [abs(getattr(after, name) / getattr(DEFAULTS, name) - 1) for name in LEARNABLE]
    assert max(moved) < 0.1


@requirement("learn.slow-and-bounded")
def test_any_number_of_bad_ratings_stops_at_the_bounds() -> None:
    everything = {"words": 0.5, "meaning": 0.5} | dict.fromkeys(LEGS, 0.6)
    bad = answer(everything, {"words": 0.1, "meaning": -0.25}, good=False)

    after = learned(rated(bad, 3_000), DEFAULTS)

    ratios = {name: getattr(after, name) / getattr(DEFAULTS, name) for name in LEARNABLE}
    assert min(ratios.values()) == pytest.approx(0.5)
    assert ratios["closing"] == pytest.approx(0.5)


amounts = st.dictionaries(
    st.sampled_from(["words", "meaning", "own strength", *LEGS]), st.floats(-9, 9), max_size=5
)
bundles = st.builds(
    lambda given, left, good: answer(given, left, good=good), amounts, amounts, st.booleans()
)


@requirement("learn.slow-and-bounded")
@settings(max_examples=50)
@given(st.lists(bundles, max_size=12))
def test_whatever_was_rated_weights_stay_within_half_and_twice(found: list[Bundle]) -> None:
    after = learned([Rated(bundle=bundle, weights=DEFAULTS) for bundle in found], DEFAULTS)

    for name in LEARNABLE:
        assert 0.4999 <= getattr(after, name) / getattr(DEFAULTS, name) <= 2.0001
    assert replace(DEFAULTS, **own_weights(after, DEFAULTS)) == after


def test_a_score_beyond_all_measure_is_no_accident() -> None:
    huge = answer({"named": 1e17}, {"link": 1e17}, good=False)

    after = learned(rated(huge, 5), DEFAULTS)

    assert 0.25 <= after.named <= 1.0
    assert agreement(rated(huge), before=DEFAULTS, after=after, defaults=DEFAULTS).answers == 1


def test_an_answer_without_meaning_says_nothing_about_its_share() -> None:
    by_words = answer({"words": 1.0}, {"words": 0.2}, good=False)

    assert learned(rated(by_words, 90), DEFAULTS) == DEFAULTS


def test_an_answer_about_code_says_nothing_about_the_share_of_meaning_elsewhere() -> None:
    code = answer({"words": 0.0, "meaning": 0.85}, {"words": 0.15, "meaning": 0.4}, good=False)

    assert learned(rated(code, 90), DEFAULTS) == DEFAULTS


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_or_nothing_says_nothing(share: float) -> None:
    weights = replace(DEFAULTS, meaning=share)

    assert learned(rated(MISLED, 90, weights), DEFAULTS) == DEFAULTS


def test_a_weight_that_is_nothing_stays_nothing() -> None:
    defaults = replace(DEFAULTS, hop=0.0, meaning=0.0)
    linked = answer({"link": 0.3}, {"words": 0.2}, good=False)

    assert learned(rated(linked, 90, defaults), defaults) == defaults


def test_an_answer_is_judged_by_the_weights_it_was_given_by() -> None:
    """Half the weight gave half the amount: the same memory, whenever it was asked for."""
    by_default = answer({"link": 0.4, "words": 0.1}, {"words": 0.3}, good=False)
    by_half = answer({"link": 0.2, "words": 0.1}, {"words": 0.3}, good=False)
    halved = replace(DEFAULTS, hop=DEFAULTS.hop / 2)

    one = learned(rated(by_default, 60), DEFAULTS)
    other = learned(rated(by_half, 60, halved), DEFAULTS)

    assert one.hop == pytest.approx(other.hop, abs=0.001)


def test_each_answer_has_one_voice_however_much_it_gave() -> None:
    items = (an_item(**parts({"link": 0.4})),) * 5
    left_out = (one_left_out(**parts({"words": 0.3})),) * 5
    large = a_bundle(items=items, left_out=left_out, good=False)
    small = replace(large, items=items[:1], left_out=left_out[:1])

    assert learned(rated(large, 20), DEFAULTS) == learned(rated(small, 20), DEFAULTS)


def test_agreement_counts_the_pairs_that_stand_as_rated() -> None:
    less = replace(DEFAULTS, meaning=0.25)

    said = agreement(
        [*rated(MISLED), *rated(HELPED)], before=DEFAULTS, after=less, defaults=DEFAULTS
    )
    back = agreement(rated(MISLED), before=less, after=DEFAULTS, defaults=DEFAULTS)

    assert (said.answers, said.before, said.after) == (2, 0.5, 1.0)
    assert (said.better, said.worse) == (1, 0)
    assert (back.better, back.worse) == (0, 1)


def test_agreement_on_nothing_is_none() -> None:
    said = agreement([], before=DEFAULTS, after=DEFAULTS, defaults=DEFAULTS)

    assert (said.answers, said.before, said.after) == (0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("bundle", "teaches"),
    [
        (MISLED, True),
        (HELPED, True),
        (replace(HELPED, good=None), False),
        (replace(HELPED, items=()), False),
        (replace(HELPED, left_out=()), False),
    ],
)
def test_an_answer_teaches_if_it_was_rated_and_had_two_sides(
    bundle: Bundle,
    teaches: bool,  # noqa: FBT001 - what is expected
) -> None:
    assert can_teach(bundle) is teaches


def test_one_in_five_is_kept_to_check_on() -> None:
    found = [Rated(bundle=HELPED, weights=replace(DEFAULTS, hop=n)) for n in range(12)]

    teaching, held = parted(found)

    assert [one.weights.hop for one in held] == [4, 9]
    assert [one.weights.hop for one in teaching] == [0, 1, 2, 3, 5, 6, 7, 8, 10, 11]


@requirement("learn.slow-and-bounded")
@pytest.mark.parametrize(
    ("count", "said"), [(0, "there are 0"), (1, "there are 1"), (4, "there are 4")]
)
def test_fewer_than_five_ratings_are_refused_with_what_to_do(count: int, said: str) -> None:
    with pytest.raises(TooFewRatingsError, match=f"needs 5 rated answers.*{said}"):
        parted(rated(HELPED, count))


def test_a_space_without_weights_of_its_own_has_the_defaults() -> None:
    assert tuned(DEFAULTS, None) is DEFAULTS
    assert tuned(DEFAULTS, a_tuning(weights={})) == DEFAULTS


@requirement("learn.slow-and-bounded")
def test_only_what_may_be_learned_is_taken_and_kept_within_bounds() -> None:
    tuning = a_tuning(
        weights={"meaning": 7.0, "hop": 0.6, "named": -3.0, "age": 0.5, "unknown": 1.0}
    )

    after = tuned(DEFAULTS, tuning)

    expected = {"meaning": 0.9, "hop": 0.6, "named": DEFAULTS.named / 2}
    assert after == replace(DEFAULTS, **expected)
