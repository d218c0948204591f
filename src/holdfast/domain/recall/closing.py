"""Find the closing turns that represent their thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.recall.finding import ThreadPosition

# Chosen by hand.
_BEFORE_CLOSING = 0.7
_NOD = 160
_NO_SUMMARY = 10
_RELATED = 0.1
_STILL_ABOUT_IT = 1


def to_the_point(
    closing: Mapping[int, float], own: Mapping[int, float], turns: Mapping[int, ThreadPosition]
) -> dict[int, float]:
    """Return the closing turns that still are about what the question asks.

    A decision need not repeat the words that it decides about, so a closing turn counts if it, or
    a turn shortly before it, answers the question to a part of what the best turn does.
    """
    best: dict[str, float] = {}
    for sequence, turn in turns.items():
        best[turn.thread] = max(best.get(turn.thread, 0.0), own.get(sequence, 0.0))
    telling = {
        (turn.thread, turn.number)
        for sequence, turn in turns.items()
        if own.get(sequence, 0.0) >= _RELATED * best[turn.thread]
    }
    return {
        sequence: share
        for sequence, share in closing.items()
        if any(
            (turns[sequence].thread, turns[sequence].number - back) in telling
            for back in range(_STILL_ABOUT_IT + 1)
        )
    }


def closings(turns: Mapping[int, ThreadPosition]) -> dict[int, float]:
    """Return the share with which each closing turn represents its thread; the last one has 1.

    If the last turn is very short, the turn before it counts nearly as much. Turns of a word or
    two, such as "Thanks.", sum up nothing.
    """
    telling = {sequence: turn for sequence, turn in turns.items() if turn.length > _NO_SUMMARY}
    last: dict[str, int] = {}
    for sequence, turn in sorted(telling.items(), key=lambda item: (item[1].number, item[0])):
        last[turn.thread] = sequence
    shares = dict.fromkeys(last.values(), 1.0)
    for sequence, turn in telling.items():
        end = last[turn.thread]
        if sequence != end and turns[end].length <= _NOD:
            shares[sequence] = _BEFORE_CLOSING
    return shares
