"""What a subject in the question gives to the memory that says more about it."""

from __future__ import annotations

import pytest

from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.recall.sharing import share_subject
from holdfast.domain.recall.weighing import Weights
from tests.builders import a_memory, a_record
from tests.unit.boards import amount, board_of

WEIGHTS = Weights()
NEAR = [
    a_record(a_memory(claim="Kelp Mill was founded in Senja."), sequence=1),
    a_record(a_memory(claim="The head of Kelp Mill is Ada Holm."), sequence=2),
    a_record(a_memory(claim="The Kelp Mills are closed."), sequence=3),
    a_record(a_memory(claim="Ask Bo about Kelp Mill."), sequence=4),
]


def test_the_best_that_contains_the_subject_is_favoured_as_much() -> None:
    board = board_of(m1=0.4, m2=0.6, m3=0.9, m4=0.5)
    board[1].add("named", WEIGHTS.named)

    share_subject(board, {"kelp mill": [1]}, NEAR, WEIGHTS)

    assert amount(board, 2, "contains") == WEIGHTS.named
    assert amount(board, 3, "contains") == amount(board, 4, "contains") == 0
    assert board[2].base == pytest.approx(0.6 + WEIGHTS.named)


@pytest.mark.parametrize("near", [NEAR, [NEAR[0], NEAR[2]]])
def test_nothing_is_favoured_that_is_no_better_by_itself(near: list[MemoryRecord]) -> None:
    board = board_of(m1=0.7, m2=0.6, m3=0.9, m4=0.5)
    board[1].add("named", WEIGHTS.named)

    share_subject(board, {"kelp mill": [1]}, near, WEIGHTS)

    assert not any("contains" in one.parts for one in board.values())


def test_what_many_begin_with_gives_less_and_nothing_counts_twice() -> None:
    board = board_of(m1=0.4, m2=0.6, m3=0.1, m4=0.2)
    board[2].add("named", 0.45)

    share_subject(board, {"kelp mill": [1, 3]}, NEAR, WEIGHTS)
    assert "contains" not in board[2].parts

    share_subject(board, {"kelp mill": [1]}, NEAR, WEIGHTS)
    assert amount(board, 2, "contains") == pytest.approx(WEIGHTS.named - 0.45)


def test_a_subject_inside_a_longer_one_does_not_count() -> None:
    board = board_of(m1=0.4, m2=0.6, m3=0.1, m4=0.2)

    share_subject(board, {"kelp": [1], "kelp mill of senja": [3]}, NEAR, WEIGHTS)

    assert "contains" not in board[2].parts
