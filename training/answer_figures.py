"""Measures laver on the written questions that its training left out; needs no GPU.

    python -m training.answer_figures training/questions

Each held-out question is read together with both claims of its group and with claims of the next
groups of its file, by the graph in the package.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy

from holdfast.adapters.embedding.answering import carried_answer_reader
from training.written_questions import NOTHING, area, groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.recall.models import AnswerReader
    from training.written_questions import Group

OTHERS = 4
"""How many claims about something else are read with each question."""
LOST = 0.02
"""The share of right claims that may be below the level."""


class Pairs(NamedTuple):
    """Scores of claims that answer, of near misses, and of claims about something else."""

    right: list[float]
    near: list[float]
    far: list[float]
    is_first: list[bool]


def read(reader: AnswerReader, held: Sequence[Group]) -> Pairs:
    """Return the scores of every question of the groups."""
    found = Pairs([], [], [], [])
    for number, group in enumerate(held):
        others = [held[(number + 1 + step) % len(held)].claims[step % 2] for step in range(OTHERS)]
        claims = [*group.claims, *others]
        for question, answer in group.questions:
            scores = [float(one or 0) for one in reader.readings(question, claims)]
            own = scores[: len(group.claims)]
            found.far.extend(scores[len(own) :])
            found.near.extend(score for place, score in enumerate(own) if place != answer)
            if answer != NOTHING:
                found.right.append(own[answer])
                found.is_first.append(max(scores) == own[answer])
    return found


def added(one: Pairs, other: Pairs) -> Pairs:
    """Return the scores of both."""
    return Pairs(
        [*one.right, *other.right],
        [*one.near, *other.near],
        [*one.far, *other.far],
        [*one.is_first, *other.is_first],
    )


def summary(name: str, found: Pairs) -> str:
    """Return one row of the table."""
    right, near, far = map(numpy.array, (found.right, found.near, found.far))
    level = numpy.quantile(right, LOST)
    cells = (area(right, near), area(right, far), numpy.mean(near < level), numpy.mean(far < level))
    numbers = [f"{float(one):.3f}" for one in (*cells, numpy.mean(found.is_first))]
    return f"| {name} | {len(right):,} | {' | '.join(numbers)} |"


def main(folder: Path) -> None:
    """Print a row for each file, and one for all of them."""
    held = [one for one in groups(sorted(folder.glob("*.txt"))) if one.is_held_out]
    print("| file | right | area near | area far | near below | far below | first |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    every = Pairs([], [], [], [])
    for name in sorted({group.src for group in held}):
        found = read(carried_answer_reader(), [one for one in held if one.src == name])
        print(summary(name, found), flush=True)
        every = added(every, found)
    print(summary("all", every))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
