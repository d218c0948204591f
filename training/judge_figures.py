"""Prints what the judges of a run add to the findings of the rules, right and wrong.

    python -m training.judge_figures --folder WORK --asks asks.json --names student 0 1 2 3

The answers about ``fever``, ``decided`` and ``everyday`` are crossed: each is from a judge that was
refined without the pairs of its fold.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from holdfast.heuristics.english import ENGLISH
from training.judge import FOLDS, conflicting, precision_at
from training.judge_mean import ADDED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = dict[str, NDArray[numpy.float32]]
    Asks = dict[str, list[tuple[str, str, bool]]]

THRESHOLDS = (0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99)


def _divided(asks: Asks, names: list[str], scores: NDArray[numpy.float32]) -> Scores:
    ends = numpy.cumsum([len(asks[name]) for name in names])
    return dict(zip(names, numpy.split(scores, ends[:-1]), strict=True))


def crossed(folder: Path, asks: Asks, judge: str) -> Scores:
    """Return the chance of a conflict that a refined judge gives each pair."""
    fold = numpy.load(folder / "folds.npy")
    more = numpy.zeros(len(fold), "float32")
    for number in range(FOLDS):
        said = conflicting(numpy.load(folder / f"more-{number}-{judge}.npy"))
        more[fold == number] = said[fold == number]
    rest = conflicting(numpy.load(folder / f"asks-{FOLDS}-{judge}.npy"))
    others = [name for name in asks if name not in ADDED]
    return _divided(asks, [*ADDED], more) | _divided(asks, others, rest)


def show(title: str, asks: Asks, scores: Scores, free: dict[str, NDArray[numpy.bool_]]) -> None:
    """Print the precision of one judge, and what it adds at each threshold."""
    right = {name: numpy.array([one[2] for one in pairs]) for name, pairs in asks.items()}
    precise = [
        f"{name} {precision_at(scores[name], right[name].tolist()):.3f}"
        for name in asks
        if right[name].any()
    ]
    print(title, "precision at recall 0.8:", *precise)
    for threshold in THRESHOLDS:
        added = {name: (scores[name] >= threshold) & free[name] for name in asks}
        counts = [
            f"{name} {(one & right[name]).sum()},{(one & ~right[name]).sum()}"
            for name, one in added.items()
        ]
        print(threshold, *counts)


def main() -> None:
    """Print the figures of each judge, and of the mean of all but the student."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--asks", type=Path, required=True)
    parser.add_argument("--names", nargs="+", required=True)
    given = parser.parse_args()
    asks: Asks = json.loads(given.asks.read_text())
    judged = ENGLISH.judge.judged
    free = {
        name: numpy.array([judged(newer, older, None) is None for older, newer, _ in pairs])
        for name, pairs in asks.items()
    }
    found = {name: crossed(given.folder, asks, name) for name in given.names}
    for name, scores in found.items():
        show(name, asks, scores, free)
    teachers = [scores for name, scores in found.items() if name != "student"]
    if teachers:
        mean = {name: numpy.mean([one[name] for one in teachers], axis=0) for name in asks}
        show("mean", asks, mean, free)


if __name__ == "__main__":
    main()
