"""Trains several judges of claims, and one student that learns from the mean of what they say.

    python -m training.judge_mean pool     --folder WORK --pairs PAIRS... --asks ASKS
    python -m training.judge_mean teacher  --folder WORK --name 0 --base GTE --seed 1
    python -m training.judge_mean refine   --folder WORK --name 0
    python -m training.judge_mean student  --folder WORK --names 0 1 2 3 --base GTE
    python -m training.judge_mean finish   --folder WORK --names 0 1 2 3 --fold 0

The pool has no text of a benchmark set. ``refine`` adds the development half of fever_symmetric,
the pairs that the rules were fitted to and those about everyday life, once for each fold without
the pairs of that fold, and once with all of them; ``finish`` does the same for the student, which
learns from those teachers that did not see the fold either.
"""

from __future__ import annotations

import argparse
import json
import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import torch

from training.claims import ClaimPair, read_pairs
from training.judge import FOLDS, folds
from training.judge_pool import pool_of
from training.judge_steps import BATCH, RATE, Work, asked, based, batched, headed, run
from training.rerank import save as save_weights
from training.tune import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from training.encoder import Tensors
    from training.judge_steps import Drawn, Soft

EPOCHS, STUDENT_EPOCHS, SHARE_SEEN = 1.0, 1.1, 0.8
BASE_KEPT, REFINED_BATCH, REFINED_SHARE = 25_000, 256, 0.35
REFINED_STEPS, REFINED_RATE, FINISHED_STEPS = 150, 4e-5, 220
ADDED = ("fever", "decided", "everyday")
_ALL = FOLDS


def teacher(work: Work, name: str, base: Tensors, seed: int, epochs: float) -> None:
    """Train a judge on most of the pool, and keep what it says about the whole pool."""
    torch.manual_seed(seed)
    chance, pool = numpy.random.default_rng(seed), work.pool("pairs")
    batches = batched(pool, chance, SHARE_SEEN)
    steps = int(epochs * SHARE_SEEN * len(pool) / BATCH)
    made = run(headed(base, work.device), lambda: (pool, next(batches), None), steps=steps,
               rate=RATE, device=work.device, chance=chance)  # fmt: skip
    work.keep(f"teacher-{name}", made)
    numpy.save(work.folder / f"soft-{name}.npy", asked(made, pool, work.device).astype("float16"))
    for kind in ("more", "asks"):
        said = asked(made, work.pool(kind), work.device)
        numpy.save(work.folder / f"first-{kind}-{name}.npy", said)
    say("teacher", name, "done")


def _mixed(work: Work, fold: int, seed: int, soft: tuple[Soft, Soft]) -> Callable[
        [], Drawn]:  # fmt: skip
    """Return what draws a batch of the base, or at times one of the pairs that are added."""
    chance = numpy.random.default_rng(seed)
    base, more = work.pool("base"), work.pool("more")
    kept = numpy.flatnonzero(numpy.load(work.folder / "folds.npy") != fold)

    def draw() -> Drawn:
        is_more = chance.random() < REFINED_SHARE
        pool, said = (more, soft[1]) if is_more else (base, soft[0])
        among = kept if is_more else len(base)
        places = chance.choice(among, REFINED_BATCH, replace=is_more)
        return pool, places.tolist(), None if said is None else said[places]

    return draw


def _refined(work: Work, name: str, fold: int, seed: int,
             soft: tuple[Soft, Soft] = (None, None)) -> Tensors:  # fmt: skip
    torch.manual_seed(seed)
    weights = work.weights(f"teacher-{name}")
    draw = _mixed(work, fold, seed, soft)
    steps = REFINED_STEPS if soft[0] is None else FINISHED_STEPS
    made = run(weights, draw, steps=steps, rate=REFINED_RATE, device=work.device,
               chance=numpy.random.default_rng(seed))  # fmt: skip
    for kind in ("base", "more", "asks"):
        said = asked(made, work.pool(kind), work.device)
        numpy.save(work.folder / f"{kind}-{fold}-{name}.npy", said)
    return made


def student(work: Work, names: list[str], base: Tensors, seed: int, epochs: float) -> None:
    """Train one judge on the mean of what the teachers say about the whole pool."""
    torch.manual_seed(seed)
    chance, pool = numpy.random.default_rng(seed), work.pool("pairs")
    soft = work.soft(names, "soft")
    batches = batched(pool, chance, 1.0)

    def draw() -> Drawn:
        places = next(batches)
        return pool, places, soft[places]

    steps = int(epochs * len(pool) / BATCH)
    made = run(headed(base, work.device), draw, steps=steps, rate=RATE, device=work.device,
               chance=chance)  # fmt: skip
    work.keep("teacher-student", made)
    for kind in ("more", "asks"):
        said = asked(made, work.pool(kind), work.device)
        numpy.save(work.folder / f"first-{kind}-student.npy", said)
    say("student done")


def finish(work: Work, names: list[str], fold: int, seed: int) -> None:
    """Refine the student with the mean of the teachers of one fold; keep the last weights."""
    soft = work.soft(names, f"base-{fold}"), work.soft(names, f"more-{fold}")
    made = _refined(work, "student", fold, seed, soft)
    if fold == _ALL:
        shipped = {name: one for name, one in made.items() if not name.startswith("fine.")}
        save_weights(work.folder / "judge.npz", shipped)
    say("finished", fold)


def prepare(work: Work, pairs: list[ClaimPair], asks: dict[str, list[tuple[str, str, bool]]],
            workers: int) -> None:  # fmt: skip
    """Cut all pairs into tokens; the pairs of ``fever``, ``decided`` and ``everyday`` are added."""

    def told(src: str) -> list[ClaimPair]:
        conflict = "contradicts" if src == "fever" else "amends"
        return [ClaimPair(src if src in ADDED else "asked", older, newer,
                          conflict if is_conflict else "compatible")
                for older, newer, is_conflict in asks[src]]  # fmt: skip

    more = [pair for src in ADDED for pair in told(src)]
    numpy.save(work.folder / "folds.npy", numpy.array(folds(more)))
    chance = numpy.random.default_rng(5)
    kept = chance.permutation(len(pairs))[:BASE_KEPT]
    base = [pairs[number] for number in kept]
    asked_only = [one for src in asks if src not in ADDED for one in told(src)]
    for name, some in (("pairs", pairs), ("base", base), ("more", more), ("asks", asked_only)):
        with (work.folder / f"{name}.pickle").open("wb") as file:
            pickle.dump(pool_of(some, workers), file, protocol=5)
        say(name, len(some))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("pool", "teacher", "refine", "student", "finish"))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--asks", type=Path)
    parser.add_argument("--name", default="0")
    parser.add_argument("--names", nargs="*", default=[])
    parser.add_argument("--base", type=Path)
    parser.add_argument("--words", type=Path)
    parser.add_argument("--fold", type=int, default=_ALL)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=float)
    parser.add_argument("--workers", type=int, default=1)
    return parser


def main() -> None:
    """Run one part of the work."""
    given = _options().parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    work = Work(given.folder, device)
    if given.part == "pool":
        pairs = [pair for path in given.pairs for pair in read_pairs(path)]
        prepare(work, pairs, json.loads(given.asks.read_text()), given.workers)
    elif given.part == "refine":
        for fold in range(FOLDS + 1):
            _refined(work, given.name, fold, given.seed + fold)
    elif given.part == "finish":
        finish(work, given.names, given.fold, given.seed)
    elif given.part == "student":
        base = based(given.base, device)
        student(work, given.names, base, given.seed, given.epochs or STUDENT_EPOCHS)
    else:
        base = based(given.base, device, given.words)
        teacher(work, given.name, base, given.seed, given.epochs or EPOCHS)


if __name__ == "__main__":
    main()
