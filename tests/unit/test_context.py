from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.recall.closing import closings
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.weighing import Board, Weights, in_context, note_ranks
from tests.requirements import requirement
from tests.unit.boards import LONG, amount, board_of, note, talk

WEIGHTS = Weights()


def test_a_turn_beside_a_good_one_rises_and_a_nearer_one_more() -> None:
    board = board_of(m1=0.0, m2=0.0, m3=1.0, m4=0.0, m9=0.0)

    in_context(board, talk(1, 2, 3, 4, 9), {}, WEIGHTS)

    assert amount(board, 2, "neighbours") > amount(board, 1, "neighbours") > 0
    assert amount(board, 4, "neighbours") > 0
    assert amount(board, 9, "neighbours") == 0


def test_a_turn_that_an_agent_answers_well_rises_more_than_one_a_person_follows() -> None:
    answered, followed = board_of(m1=0.0, m2=1.0), board_of(m1=0.0, m2=1.0)

    in_context(answered, talk(1, 2, agents=(2,)), {}, WEIGHTS)
    in_context(followed, talk(1, 2), {}, WEIGHTS)

    assert amount(answered, 1, "neighbours") > amount(followed, 1, "neighbours")


def test_turns_of_a_thread_that_answers_stand_before_equal_ones_of_another() -> None:
    board = board_of(m1=0.9, m2=0.5, m3=0.5)
    turns = talk(1, 9) | talk(3, thread="other")
    turns[2] = ThreadPosition(thread="talk", number=5)

    in_context(board, turns, {}, WEIGHTS)

    assert amount(board, 2, "thread") > amount(board, 3, "thread") > 0
    assert note(board[2], "thread") == "talk"


def test_an_agents_turn_stands_behind_an_equal_one_of_a_person() -> None:
    board = board_of(m1=0.5, m5=0.5)

    in_context(board, talk(1, 5, agents=(1,)), {}, WEIGHTS)

    assert amount(board, 1, "agent") < 0
    assert board[1].score < board[5].score


def test_a_memory_without_a_thread_is_not_behind_an_equal_lone_turn() -> None:
    board = board_of(m1=0.5, m2=0.5)

    in_context(board, talk(1), {}, WEIGHTS)

    assert board[2].score >= board[1].score
    assert (board[1].turn, board[2].turn) == (talk(1)[1], None)


def test_an_empty_board_has_no_context() -> None:
    board: Board = {}

    in_context(board, {}, {}, WEIGHTS)

    assert board == {}


def test_the_end_of_a_thread_stands_for_it_and_what_was_told_before_steps_back() -> None:
    board = board_of(m1=1.0, m2=0.6, m3=0.1)
    turns = talk(1, 2, 3, agents=(3,))

    in_context(board, turns, {3: 1.0}, WEIGHTS)

    assert amount(board, 1, "told") < amount(board, 2, "told") < 0
    assert amount(board, 3, "closing") > 0
    assert "agent" not in board[3].parts
    assert note_ranks(board, "context")[0].sequence == 3


def test_a_thread_whose_end_is_not_given_keeps_its_turns() -> None:
    board = board_of(m1=1.0, m2=0.5)
    turns = talk(1) | talk(2, thread="other")

    in_context(board, turns, {2: 1.0}, WEIGHTS)

    assert "told" not in board[1].parts
    assert "closing" in board[2].parts


def test_an_end_about_something_else_does_not_stand_for_its_thread() -> None:
    board = board_of(m1=1.0, m2=0.6, m3=0.0, m4=0.04, m5=0.0)
    turns = talk(1, 2, 3, 4, 5, agents=(2,))

    in_context(board, turns, {4: 0.7, 5: 1.0}, WEIGHTS)

    assert "closing" not in board[4].parts | board[5].parts
    assert "told" not in board[1].parts
    assert note_ranks(board, "context")[0].sequence == 1


def test_for_a_task_the_end_stands_for_its_thread_whatever_its_words() -> None:
    board = board_of(m1=1.0, m2=0.0, m3=0.0, m4=0.0)

    in_context(board, talk(1, 2, 3, 4), {4: 1.0}, WEIGHTS, is_task=True)

    assert "closing" in board[4].parts


def test_an_end_that_decides_in_other_words_stands_for_its_thread() -> None:
    board = board_of(m1=1.0, m2=0.6, m3=0.0)
    turns = talk(1, 2, 3, agents=(2,))

    in_context(board, turns, {3: 1.0}, WEIGHTS)

    assert "closing" in board[3].parts


def test_the_last_turn_closes_its_thread_and_the_one_before_it_does_not() -> None:
    turns = talk(4, 5)

    assert closings(turns) == {5: 1.0}


def test_where_the_last_turn_is_a_nod_what_it_nods_at_counts_too_but_less() -> None:
    shares = closings(talk(4) | talk(5, length=len("Sounds good, thanks!")))

    assert shares[5] == 1.0
    assert 0 < shares[4] < 1


def test_each_thread_is_closed_by_its_own_end() -> None:
    other = ThreadPosition(thread="other", number=2, length=LONG)
    turns = talk(4, 5) | {7: other, 6: other}

    assert closings(turns) == {5: 1.0, 7: 1.0}
    assert closings({}) == {}


@requirement("recall.answer-follows-question")
def test_an_answer_need_not_repeat_the_words_of_its_question() -> None:
    asked, said = board_of(m1=1.0, m2=0.0), board_of(m1=1.0, m2=0.0)

    in_context(asked, talk(1, 2, questions=(1,)), {}, WEIGHTS)
    in_context(said, talk(1, 2), {}, WEIGHTS)

    assert amount(asked, 2, "neighbours") > amount(said, 2, "neighbours") > 0
    assert note(asked[2], "neighbours") == "follows a question"


@requirement("recall.answer-follows-question")
def test_between_people_a_question_tells_less_than_an_equal_statement() -> None:
    board = board_of(m1=0.5, m5=0.5)

    in_context(board, talk(1, 5, questions=(1,)), {}, WEIGHTS)

    assert amount(board, 1, "asks") < 0
    assert board[1].score < board[5].score


@pytest.mark.parametrize("agent", [1, 2, 3])
def test_beside_an_agent_a_persons_question_and_a_short_turn_count_whole(agent: int) -> None:
    board = board_of(m1=1.0, m2=0.5, m3=0.2)

    in_context(board, talk(1, 2, 3, agents=(agent,), questions=(1, 2), length=9), {}, WEIGHTS)

    assert not {"asks", "brief"} & set(board[2].parts)
    assert note(board[2], "neighbours") == ""


@given(shorter=st.integers(0, 400), longer=st.integers(0, 400))
def test_a_nod_tells_less_and_a_long_turn_no_more_than_a_paragraph(
    shorter: int, longer: int
) -> None:
    shorter, longer = sorted((shorter, longer))
    board = board_of(m1=0.5, m5=0.5)

    in_context(board, talk(1, length=shorter) | talk(5, length=longer), {}, WEIGHTS)

    assert amount(board, 1, "brief") <= amount(board, 5, "brief") <= 0
    assert amount(board, 5, "brief") == 0 or longer < 300
