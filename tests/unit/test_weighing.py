from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.recall.finding import Hit
from holdfast.domain.recall.weighing import (
    LEARNABLE,
    Board,
    ScoredHit,
    Weights,
    best,
    fused,
    hop,
    join,
    leaning,
    name_in_question,
    note_ranks,
)
from tests.requirements import requirement
from tests.unit.boards import amount, board_of, note

WEIGHTS = Weights()


def hits(*scores: float) -> list[Hit]:
    return [Hit(sequence=n, score=score) for n, score in enumerate(scores, start=1)]


def scores(board: Board) -> dict[int, float]:
    return {sequence: candidate.score for sequence, candidate in board.items()}


@requirement("recall.reasons-shown")
@given(
    words=st.lists(st.floats(0.01, 50), max_size=8),
    cosines=st.dictionaries(st.integers(1, 12), st.floats(-1, 1), max_size=8),
    share=st.floats(0, 1),
)
def test_both_legs_stand_on_one_scale_and_the_parts_add_up(
    words: list[float], cosines: dict[int, float], share: float
) -> None:
    board = fused(hits(*words), cosines, unrelated=0.1, share=share)

    assert set(board) == {*range(1, len(words) + 1), *cosines}
    for candidate in board.values():
        assert candidate.words <= 1
        assert candidate.meaning <= 1
        assert candidate.base == candidate.score <= 1 + 1e-9
        assert candidate.score == pytest.approx(
            sum(candidate.amount(leg) for leg in candidate.parts), abs=1e-6
        )


def test_the_best_of_each_leg_counts_as_much_whatever_its_own_scale() -> None:
    board = fused(hits(900.0, 450.0), {3: 0.8, 4: 0.5}, unrelated=0.2, share=0.5)

    assert board[1].score == pytest.approx(board[3].score)
    assert board[2].score == pytest.approx(board[4].score) == board[1].score / 2


def test_who_is_found_by_both_legs_beats_who_is_found_by_one() -> None:
    board = fused(hits(2.0, 2.0), {2: 0.8, 3: 0.8}, unrelated=0.0, share=0.5)

    assert best(board, 1)[0].sequence == 2


def test_without_meaning_words_count_whole() -> None:
    board = fused(hits(4.0, 1.0), {}, unrelated=0.3, share=0.5)

    assert scores(board) == {1: 1.0, 2: 0.25}
    assert "meaning" not in board[1].parts


def test_without_words_meaning_alone_decides() -> None:
    board = fused([], {1: 0.4, 2: 0.9, 3: 0.1}, unrelated=0.2, share=0.5)

    assert [one.sequence for one in best(board, 3)] == [2, 1, 3]
    assert amount(board, 3, "meaning") < 0


@pytest.mark.parametrize("cosines", [{1: 0.2, 2: 0.1}, {1: 0.3}])
def test_meaning_that_no_answer_has_says_nothing(cosines: dict[int, float]) -> None:
    board = fused(hits(1.0), cosines, unrelated=0.3, share=0.5)

    assert all("meaning" not in candidate.parts for candidate in board.values())


def test_words_without_weight_say_nothing() -> None:
    assert scores(fused(hits(0.0), {}, unrelated=0.0, share=0.5)) == {1: 0.0}


def test_who_joins_later_is_weighed_on_the_same_scale() -> None:
    whole = fused([], {1: 0.9, 2: 0.6}, unrelated=0.2, share=0.5)
    joined = fused([], {1: 0.9}, unrelated=0.2, share=0.5)

    join(joined, {1: 0.3, 2: 0.6}, unrelated=0.2, share=0.5)

    assert scores(joined) == scores(whole)


def test_who_joins_where_nobody_has_a_meaning_gets_none() -> None:
    board = board_of(m1=1.0)

    join(board, {2: 0.1}, unrelated=0.2, share=0.5)

    assert (board[2].score, board[2].cosine) == (0.0, 0.1)


def test_a_part_added_again_replaces_the_first() -> None:
    candidate = ScoredHit(1)

    candidate.add("words", 0.2)
    candidate.add("words", 0.5)
    candidate.add("thread", 0.1)
    candidate.add("own strength", 0.000_001)

    assert candidate.base == 0.5
    assert candidate.score == pytest.approx(0.6)
    assert list(candidate.parts) == ["words", "thread"]


@requirement("recall.order-never-by-chance")
@given(own=st.lists(st.sampled_from([0.1, 0.5]), max_size=10), seed=st.randoms())
def test_ranks_are_written_down_and_ties_go_to_who_came_first(own: list[float], seed: Any) -> None:
    board = board_of(**{f"m{n}": amount for n, amount in enumerate(own)})
    shuffled = list(board.items())
    seed.shuffle(shuffled)

    order = note_ranks(dict(shuffled), "context")

    assert [one.sequence for one in order] == [one.sequence for one in best(board, 99)]
    assert [one.ranks for one in order] == [[("context", n)] for n in range(1, len(own) + 1)]
    assert [(-one.score, one.sequence) for one in order] == sorted(
        (-one.score, one.sequence) for one in order
    )


def test_who_is_named_in_the_question_is_favoured() -> None:
    board = board_of(m1=0.5, m2=0.5)

    name_in_question(board, {"ada": [2]}, WEIGHTS)

    assert amount(board, 2, "named") > 0
    assert note(board[2], "named") == "named ada"
    assert board[2].base > board[1].base
    assert "named" not in board[1].parts


def test_a_name_that_several_bear_says_less_of_each() -> None:
    board: Board = {}

    name_in_question(board, {"ada": [1], "grace": [2, 3]}, WEIGHTS)

    assert amount(board, 1, "named") > amount(board, 2, "named") == amount(board, 3, "named") > 0


def test_a_name_inside_a_longer_name_is_not_meant() -> None:
    board: Board = {}

    name_in_question(board, {"york": [1], "new york": [2], "new yorker": [3]}, WEIGHTS)

    assert set(board) == {2, 3}


def test_who_bears_two_names_counts_by_the_rarer_one() -> None:
    board: Board = {}

    name_in_question(board, {"ada": [1, 2], "lovelace": [1], "countess": [1, 3]}, WEIGHTS)

    assert note(board[1], "named") == "named lovelace"
    assert amount(board, 1, "named") == pytest.approx(WEIGHTS.named)


def test_a_hit_vouches_for_whom_it_names() -> None:
    board = board_of(m1=1.0, m2=0.2)

    hop(board, {1: {2: ("m_1 names it", 1.0), 3: ("m_1 names it", 0.5)}}, WEIGHTS)

    assert amount(board, 2, "link") > amount(board, 3, "link") > 0
    assert note(board[2], "link") == "m_1 names it"
    assert board[2].base == 0.2


def test_the_strongest_voice_counts_and_only_that() -> None:
    both, one = board_of(m1=0.4, m2=1.0), board_of(m2=1.0)
    mentions = {1: {3: ("weak", 1.0)}, 2: {3: ("strong", 1.0)}}

    hop(both, mentions, WEIGHTS)
    hop(one, {2: mentions[2]}, WEIGHTS)

    assert both[3].parts["link"] == one[3].parts["link"]
    assert note(both[3], "link") == "strong"


def test_who_names_many_vouches_less_for_each() -> None:
    hub, friend = board_of(m1=1.0), board_of(m1=1.0)

    hop(hub, {1: {n: ("names", 1.0) for n in range(2, 12)}}, WEIGHTS)
    hop(friend, {1: {2: ("names", 1.0)}}, WEIGHTS)

    assert 0 < amount(hub, 2, "link") < amount(friend, 2, "link")


def test_nobody_vouches_for_himself_and_who_has_nothing_to_say_for_nobody() -> None:
    board = board_of(m1=1.0, m2=-0.4)

    hop(board, {1: {1: ("himself", 1.0)}, 2: {3: ("names", 1.0)}}, WEIGHTS)

    assert all("link" not in candidate.parts for candidate in board.values())


def test_what_can_be_learned_is_a_weight() -> None:
    assert all(isinstance(getattr(WEIGHTS, name), float) for name in LEARNABLE)


@requirement("recall.words-by-what-they-tell")
@pytest.mark.parametrize(
    ("told", "words", "share"),
    [
        pytest.param(0.5, 4, 0.5, id="half of the question is in a hit"),
        pytest.param(1.0, 4, 0.5, id="all of it is"),
        pytest.param(0.25, 4, 0.75, id="a quarter of it is"),
        pytest.param(0.0, 4, 1.0, id="nothing of it is"),
        pytest.param(0.1, 40, 0.5, id="a tenth of a long text is much of it"),
    ],
)
def test_meaning_counts_more_where_words_tell_little(told: float, words: int, share: float) -> None:
    assert leaning(0.5, told=told, words=words) == pytest.approx(share)
