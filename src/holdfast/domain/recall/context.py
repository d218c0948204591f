"""Score search candidates by their context: neighbouring turns, their thread and the speaker.

Each amount is a named part of the score, as in ``weighing``. The numbers are round values near a
fit on ``locomo`` and ``beam_100k`` (decision 45).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.recall.finding import ThreadPosition
    from holdfast.domain.recall.weighing import Board, ScoredHit
    from holdfast.domain.recall.weights import Weights

SHORT_THREAD = 40
CLOSING_TURNS = 2
_BEST_TURNS = 2
_BEFORE_CLOSING = 0.7
_NOD = 160
_ENOUGH = 300


def in_context(
    board: Board,
    turns: Mapping[int, ThreadPosition],
    closing: Mapping[int, float],
    weights: Weights,
) -> None:
    """Score turns with their neighbours and their thread, and memories outside threads alike.

    In a short thread the closing turns represent the thread, by the shares in ``closing``, because
    they state the decision. The other turns of such a thread lose score.
    """
    own = {sequence: max(candidate.score, 0.0) for sequence, candidate in board.items()}
    threads = _thread_scores(own, turns)
    strongest = max([*threads.values(), *own.values()], default=0.0) or 1.0
    closed = {turns[sequence].thread for sequence in closing}
    room = _Room(own=own, turns=turns, places=_places(board, turns), weights=weights)
    for sequence, candidate in board.items():
        turn = candidate.turn = turns.get(sequence)
        if turn is None:
            candidate.add("alone", _alone(own[sequence], strongest, weights))
            continue
        whole = threads[turn.thread] / strongest
        if turn.thread in closed and sequence not in closing:
            candidate.add("told", -weights.told * own[sequence], "the end of its thread tells it")
            continue
        room.place(candidate, turn)
        candidate.add("thread", weights.thread * whole, turn.thread)
        if sequence in closing:
            candidate.add(
                "closing", weights.closing * closing[sequence] * whole, "sums up its thread"
            )
        elif turn.is_agent:
            candidate.add("agent", -weights.agent, "an agent's words, not a person's")


def closings(turns: Mapping[int, ThreadPosition]) -> dict[int, float]:
    """Return the share with which each closing turn represents its thread; the last one has 1.

    If the last turn is very short, the turn before it counts nearly as much.
    """
    last: dict[str, int] = {}
    for sequence, turn in sorted(turns.items(), key=lambda item: (item[1].number, item[0])):
        last[turn.thread] = sequence
    shares = dict.fromkeys(last.values(), 1.0)
    for sequence, turn in turns.items():
        end = last[turn.thread]
        if sequence != end and turns[end].length <= _NOD:
            shares[sequence] = _BEFORE_CLOSING
    return shares


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The candidates' own scores, and their positions in threads."""

    own: Mapping[int, float]
    turns: Mapping[int, ThreadPosition]
    places: Mapping[tuple[str, int], int]
    weights: Weights

    def place(self, candidate: ScoredHit, turn: ThreadPosition) -> None:
        """Add the amounts that the neighbouring turns give to a turn.

        Between people an answer follows its question: it takes score from the question and need
        not repeat its words. Questions and very short turns lose score. With an agent it is the
        opposite: the person states the facts and the agent repeats them.
        """
        before, after = self._beside(turn, -1), self._beside(turn, 1)
        is_with_agent = any(one and one.is_agent for one in (before, turn, after))
        is_reply = not is_with_agent and before is not None and before.asks
        is_answered = after is not None and after.is_agent and not turn.is_agent
        weights = self.weights
        amount = (
            (weights.asked if is_reply else weights.before) * self._at(turn, -1)
            + (weights.answered if is_answered else weights.after) * self._at(turn, 1)
            + weights.further * (self._at(turn, -2) + self._at(turn, 2))
        )
        candidate.add("neighbours", amount, "follows a question" if is_reply else "")
        if is_with_agent:
            return
        if turn.is_question:
            candidate.add("asks", -weights.asks, "asks and does not tell")
        brevity = 1 - min(turn.length, _ENOUGH) / _ENOUGH
        candidate.add("brief", -weights.brief * brevity, f"{turn.length:,} characters")

    def _beside(self, turn: ThreadPosition, step: int) -> ThreadPosition | None:
        sequence = self.places.get((turn.thread, turn.number + step))
        return None if sequence is None else self.turns[sequence]

    def _at(self, turn: ThreadPosition, step: int) -> float:
        sequence = self.places.get((turn.thread, turn.number + step))
        return 0.0 if sequence is None else self.own[sequence]


def _places(board: Board, turns: Mapping[int, ThreadPosition]) -> dict[tuple[str, int], int]:
    return {(turn.thread, turn.number): one for one, turn in turns.items() if one in board}


def _alone(own: float, strongest: float, weights: Weights) -> float:
    """Return what a memory outside threads would have got in a thread of equal turns."""
    return weights.alone * own + weights.thread * own / strongest


def _thread_scores(
    own: Mapping[int, float], turns: Mapping[int, ThreadPosition]
) -> dict[str, float]:
    """Return the score of each thread: the mean of its two best turns among the candidates."""
    members: dict[str, list[float]] = {}
    for sequence, turn in turns.items():
        members.setdefault(turn.thread, []).append(own.get(sequence, 0.0))
    return {
        thread: sum(sorted(scores)[-_BEST_TURNS:]) / min(len(scores), _BEST_TURNS)
        for thread, scores in members.items()
    }
