"""Prints what the judges of a run add to the findings of the rules, right and wrong.

    python -m training.judge_figures --folder WORK --asks asks.json --names six twelve 0 1 2 3

The answers about ``fever``, ``decided`` and ``everyday`` are crossed: each is from a judge that was
refined without the pairs of its fold. The threshold of a judge is the lowest at which 95 of 100
that it adds among one half of the held-out written pairs are right, and which raises at most one
alarm about 1,000 pairs of the stores; the other half is reported.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from holdfast.heuristics.english import ENGLISH
from training.judge_folds import ADDED, FOLDS, conflicting, precision_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = dict[str, NDArray[numpy.float32]]
    Masks = dict[str, NDArray[numpy.bool_]]
    Asks = dict[str, list[tuple[str, str, bool]]]

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99)
LEAST_RIGHT, MOST_ALARMS = 0.95, 0.001
_CHOOSE, _REPORT = "-choose", "-report"


def _divided(asks: Asks, names: list[str], scores: NDArray[numpy.float32]) -> Scores:
    ends = numpy.cumsum([len(asks[name]) for name in names])
    return dict(zip(names, numpy.split(scores, ends[:-1]), strict=True))


def crossed(folder: Path, asks: Asks, judge: str) -> Scores:
    """Return the chance of a conflict that a refined judge gives each pair."""
    with numpy.load(folder / "second.npz") as pool:
        added = numpy.isin(pool["names"][pool["src"]], ADDED)
        fold = pool["part"][added]
    more = numpy.zeros(len(fold), "float32")
    for number in range(FOLDS):
        path = folder / f"second-{number}-{judge}.npy"
        said = conflicting(numpy.load(path)) if path.exists() else numpy.zeros(len(added))
        more[fold == number] = said[added][fold == number]
    rest = conflicting(numpy.load(folder / f"asks-{FOLDS}-{judge}.npy"))
    others = [name for name in asks if name not in ADDED]
    return _divided(asks, [*ADDED], more) | _divided(asks, others, rest)


def gathered(asks: Asks, scores: Scores, free: Masks) -> tuple[Asks, Scores, Masks]:
    """Add the written pairs of all domains together, by half."""
    asks, scores, free = dict(asks), dict(scores), dict(free)
    for half in (_CHOOSE, _REPORT):
        names = [name for name in asks if name.startswith("written-") and name.endswith(half)]
        if names:
            asks[f"written{half}"] = [pair for name in names for pair in asks[name]]
            scores[f"written{half}"] = numpy.concatenate([scores[name] for name in names])
            free[f"written{half}"] = numpy.concatenate([free[name] for name in names])
    return asks, scores, free


def threshold_of(asks: Asks, scores: Scores, free: Masks) -> float:
    """Return the lowest threshold that is precise enough, and quiet enough in the stores."""
    right = numpy.array([one[2] for one in asks["written-choose"]])
    stores = [name for name, pairs in asks.items() if not any(one[2] for one in pairs)]
    quiet = numpy.concatenate([scores[name][free[name]] for name in stores])
    many = sum(len(asks[name]) for name in stores)
    added = scores["written-choose"][free["written-choose"]]
    is_right = right[free["written-choose"]]
    for threshold in numpy.arange(0.3, 1.0, 0.005):
        over = added >= threshold
        is_precise = over.any() and is_right[over].mean() >= LEAST_RIGHT
        if is_precise and (quiet >= threshold).sum() <= MOST_ALARMS * many:
            return float(threshold)
    return 1.0


def show(title: str, asks: Asks, scores: Scores, free: Masks) -> None:
    """Print the precision of one judge, and what it adds at each threshold."""
    right = {name: numpy.array([one[2] for one in pairs]) for name, pairs in asks.items()}
    precise = [
        f"{name} {precision_at(scores[name], right[name].tolist()):.3f}"
        for name in asks
        if right[name].any()
    ]
    print(f"## {title}\nprecision at recall 0.8:", *precise)
    chosen = threshold_of(asks, scores, free)
    print(f"threshold {chosen:.3f}")
    for threshold in sorted({*THRESHOLDS, round(chosen, 3)}):
        added = {name: (scores[name] >= threshold) & free[name] for name in asks}
        counts = [
            f"{name} {(one & right[name]).sum()},{(one & ~right[name]).sum()}"
            for name, one in added.items()
        ]
        print(threshold, *counts)


def main() -> None:
    """Print the figures of each judge, and of the mean of the teachers."""
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
    teachers = [scores for name, scores in found.items() if name.isdigit()]
    if teachers:
        found["mean"] = {name: numpy.mean([one[name] for one in teachers], axis=0) for name in asks}
    for name, scores in found.items():
        show(name, *gathered(asks, scores, free))


if __name__ == "__main__":
    main()
