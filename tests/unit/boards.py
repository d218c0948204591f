"""Candidates and turns for tests of the weighing."""

from __future__ import annotations

from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.weighing import Board, ScoredHit

LONG = 500


def board_of(**own: float) -> Board:
    """Return candidates by name, ``m3=0.5``, with so much speaking for themselves."""
    board: Board = {}
    for name, amount in own.items():
        candidate = ScoredHit(int(name[1:]))
        candidate.add("words", amount)
        board[candidate.sequence] = candidate
    return board


def talk(
    *numbers: int,
    thread: str = "talk",
    agents: tuple[int, ...] = (),
    questions: tuple[int, ...] = (),
    length: int = LONG,
) -> dict[int, ThreadPosition]:
    """Return turns whose sequence is their number."""
    return {
        number: ThreadPosition(
            thread=thread,
            number=number,
            is_agent=number in agents,
            length=length,
            asks=number in questions,
            is_question=number in questions,
        )
        for number in numbers
    }


def amount(board: Board, sequence: int, leg: str) -> float:
    return board[sequence].amount(leg)


def note(candidate: ScoredHit, leg: str) -> str:
    return candidate.parts[leg][1]
