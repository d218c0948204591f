from __future__ import annotations

from collections import Counter

import pytest

from holdfast.domain.code.code_ranking import (
    CodeWeights,
    Posting,
    Ranked,
    Size,
    WordScores,
    rarity,
    saturated,
    term_weights,
    weigh_words,
)
from holdfast.domain.values import replace

WEIGHTS = CodeWeights()
SIZE = Size(files=4, chunks=8, lines=80)
LINES = {1: 20, 2: 20, 3: 20, 4: 20}


def posting(term: int, chunk: int, file: int, times: int = 1, lines: int = 10) -> Posting:
    return Posting(term=term, chunk=chunk, file=file, lines=lines, times=times)


def weighed(*postings: Posting, terms: tuple[float, ...] = (1.0, 1.0)) -> WordScores:
    return weigh_words(postings, terms, LINES, SIZE, WEIGHTS)


def test_a_word_of_the_title_counts_more_than_one_of_the_code() -> None:
    found = term_weights(Counter("a"), Counter("b"), Counter("c"), WEIGHTS)

    assert found["a"] > found["b"] > found["c"]


def test_a_word_that_is_repeated_counts_more_but_not_as_often() -> None:
    found = term_weights(Counter(), Counter({"a": 1, "b": 2, "c": 100}), Counter(), WEIGHTS)

    assert found["a"] < found["b"] < 2 * found["a"]
    assert found["c"] < 5 * found["a"]


def test_a_word_that_weighs_nothing_is_left_out() -> None:
    found = term_weights(Counter(), Counter(), Counter("c"), replace(WEIGHTS, code_words=0.0))

    assert found == {}


def test_rare_words_tell_more_and_common_ones_never_less_than_nothing() -> None:
    assert rarity(1, 100) > rarity(50, 100) > rarity(100, 100) > 0
    assert rarity(200, 100) == 0


def test_the_file_with_the_rarer_word_fits_better() -> None:
    found = weighed(posting(0, 1, 1), posting(0, 3, 2), posting(0, 5, 3), posting(1, 7, 4))

    assert max(found.files, key=lambda file: found.files[file]) == 4
    assert found.chunks[7] == 1


def test_the_best_fits_as_a_whole_and_in_its_parts() -> None:
    alone = weighed(posting(0, 1, 1), posting(0, 3, 2), posting(1, 1, 1))
    more = weighed(posting(0, 1, 1), posting(0, 2, 1), posting(0, 3, 2), posting(1, 1, 1))

    assert alone.files[1] == pytest.approx(WEIGHTS.whole + WEIGHTS.best)
    assert more.files[1] > alone.files[1]
    assert more.files[2] < more.files[1]


def test_the_same_words_in_fewer_lines_fit_better() -> None:
    found = weighed(posting(0, 1, 1, lines=5), posting(0, 3, 2, lines=50))

    assert found.chunks[1] > found.chunks[3]


def test_three_chunks_of_a_file_count_and_no_fourth() -> None:
    three = weighed(*(posting(0, chunk, 1) for chunk in (1, 2, 3)))
    four = weighed(*(posting(0, chunk, 1) for chunk in (1, 2, 3, 4)))

    assert three.files[1] == pytest.approx(four.files[1])


def test_half_of_a_question_in_one_file_is_enough() -> None:
    half = weighed(posting(0, 1, 1), posting(1, 3, 2))
    little = weighed(posting(0, 1, 1), *(posting(at, 3, 2) for at in (0,)), terms=(1.0, 9.0))

    assert half.strength == 1
    assert little.strength < 1


def test_without_a_word_nothing_fits() -> None:
    assert weighed() == WordScores(files={}, chunks={}, strength=0.0)
    assert weighed(posting(0, 1, 1), terms=(0.0,)).files == {}
    assert weighed(posting(0, 1, 1), terms=(0.0,)).strength == 0


def test_what_speaks_for_a_file_adds_up_and_what_weighs_nothing_is_not_told() -> None:
    ranked = Ranked()

    ranked.add("words", 0.5)
    ranked.add("path", 0.25, "clock")
    ranked.add("calls", 0.0)

    assert ranked.score == 0.75
    assert [(each.leg, each.note) for each in ranked.reasons] == [("words", ""), ("path", "clock")]


def test_many_definitions_never_add_up_to_more_than_one() -> None:
    assert saturated(0) == 0
    assert saturated(0.5) < saturated(1) < saturated(50) <= 1
