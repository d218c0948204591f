"""Trains several judges of claims, and students that learn from the mean of what they say.

    python -m training.judge_mean pool     --folder WORK --pairs all.jsonl --asks asks.json
    python -m training.judge_mean teacher  --folder WORK --name 0 --base GTE --seed 1
    python -m training.judge_mean refine   --folder WORK --name 0 --seed 10
    python -m training.judge_mean student  --folder WORK --name twelve --base GTE --seed 7
    python -m training.judge_mean finish   --folder WORK --name twelve --fold 0 --seed 7

The first stage has no text of a benchmark set, and neither stage has a held-out written pair.
``refine`` adds the development half of fever_symmetric, the pairs that the rules were fitted to and
those about everyday life, once for each fold without the pairs of that fold, and once with all of
them; ``finish`` does the same for a student, which learns from those teachers that did not see the
fold either. Each teacher leaves out another part of the pairs, so that the mean is no echo of the
labels. The teacher ``plain`` has no written pair at all.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import torch

from training.claims import ClaimPair, read_pairs
from training.encoder import save_layers
from training.judge_folds import ADDED, FOLDS, folds
from training.judge_pool import pool_of
from training.judge_steps import RATE, Work, asked, based, batched, drawn, headed, run
from training.tune import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.encoder import Tensors
    from training.judge_pool import PairPool
    from training.judge_steps import Drawn, Soft

SHARES = {
    "snli": 2, "mnli": 3, "counterfactual": 2, "conjunctions": 1, "fooled": 3, "encyclopedia": 2.5,
    "words": 1, "negations": 1.5, "monotone": 1, "common_sense": 3, "swapped": 0.8, "subjects": 1,
    "documents": 1, "decisions": 0.7, "stores": 0.8, "edits": 0.6, "lives": 0.5, "written": 3,
}  # fmt: skip
"""How often a pair of each source is seen in one pass of the first stage."""
NEAR, NEAR_SHARE = "near", 1.5
"""Pairs of written texts without a label, which only a student learns from."""
STEPS, STUDENT_STEPS, TEACHERS, PARTS = 1_600, 1_900, ("0", "1", "2", "3", "4"), 5
BASE_KEPT, REFINED_BATCH, REFINED_STEPS, REFINED_RATE, FINISHED_STEPS = 25_000, 256, 220, 4e-5, 300
MIXED = {"base": 0.4, "added": 0.22, "written": 0.38}
MIXED_FOR_STUDENT = {"base": 0.35, "added": 0.2, "written": 0.33, NEAR: 0.12}
"""The chance that a batch of the second stage is of this kind."""
PLAIN = "plain"
_ALL = FOLDS


def _seen(pool: PairPool, name: str) -> NDArray[numpy.bool_]:
    """Return which pairs a judge may see: a teacher leaves out its own part."""
    seen = numpy.ones(len(pool), bool)
    if name == PLAIN:
        seen &= (pool.part != 0) & (pool.src != "written")
    elif name in TEACHERS:
        seen &= pool.part != int(name)
    return seen


def _first(work: Work, name: str, base: Tensors, seed: int, soft: Soft, steps: int) -> None:
    torch.manual_seed(seed)
    chance, pool = numpy.random.default_rng(seed), work.pool("pairs")
    shares = SHARES if soft is None else {**SHARES, NEAR: NEAR_SHARE}
    seen = _seen(pool, name)
    batches = batched(pool.lengths, lambda: drawn(pool, seen, shares, chance), chance)

    def draw() -> Drawn:
        places = next(batches)
        return pool, places, None if soft is None else soft[places]

    made = run(headed(base, work.device), draw, steps=steps, rate=RATE, device=work.device,
               chance=chance)  # fmt: skip
    work.keep(f"first-{name}", made)
    if soft is None and name != PLAIN:
        said = asked(made, pool, work.device)
        numpy.save(work.folder / f"soft-{name}.npy", said.astype("float16"))
    for kind in ("second", "asks"):
        said = asked(made, work.pool(kind), work.device)
        numpy.save(work.folder / f"first-{kind}-{name}.npy", said)
    say("first stage of", name, "done")


def _kinds(pool: PairPool, fold: int, seen: NDArray[numpy.bool_]) -> dict[str, NDArray[
        numpy.int64]]:  # fmt: skip
    """Return the places of each kind in the pool of the second stage."""
    is_added = numpy.isin(pool.src, ADDED)
    kinds = {
        "added": is_added & (pool.part != fold),
        "written": (pool.src == "written") & seen,
        NEAR: pool.src == NEAR,
    }
    rest = ~is_added & (pool.src != "written") & (pool.src != NEAR)
    return {"base": numpy.flatnonzero(rest)} | {
        name: numpy.flatnonzero(one) for name, one in kinds.items()
    }


def _refined(work: Work, name: str, fold: int, seed: int, soft: Soft) -> Tensors:
    torch.manual_seed(seed)
    chance, pool = numpy.random.default_rng(seed), work.pool("second")
    kinds = _kinds(pool, fold, _seen(pool, name) | numpy.isin(pool.src, ADDED))
    mixed = MIXED if soft is None else MIXED_FOR_STUDENT
    names = [one for one in mixed if len(kinds[one])]
    odds = numpy.array([mixed[one] for one in names])

    def draw() -> Drawn:
        kind = kinds[names[chance.choice(len(names), p=odds / odds.sum())]]
        places = chance.choice(kind, REFINED_BATCH)
        return pool, places, None if soft is None else soft[places]

    steps = REFINED_STEPS if soft is None else FINISHED_STEPS
    made = run(work.weights(f"first-{name}"), draw, steps=steps, rate=REFINED_RATE,
               device=work.device, chance=chance)  # fmt: skip
    for kind in ("second", "asks"):
        said = asked(made, work.pool(kind), work.device)
        numpy.save(work.folder / f"{kind}-{fold}-{name}.npy", said)
    return made


def finish(work: Work, name: str, fold: int, seed: int) -> None:
    """Refine a student with the mean of the teachers of one fold; keep the last weights."""
    made = _refined(work, name, fold, seed, work.soft([*TEACHERS], f"second-{fold}"))
    if fold == _ALL:
        work.keep(f"final-{name}", made)
        shipped = {one: values for one, values in made.items() if not one.startswith("fine.")}
        save_layers(work.folder / f"judge-{name}.npz", shipped)
    say("finished", name, fold)


def prepare(work: Work, pairs: list[ClaimPair], asks: dict[str, list[tuple[str, str, bool]]],
            workers: int) -> None:  # fmt: skip
    """Cut all pairs into tokens; the pairs of ``fever``, ``decided`` and ``everyday`` are added."""

    def told(src: str) -> list[ClaimPair]:
        conflict = "contradicts" if src == "fever" else "amends"
        return [ClaimPair(src if src in ADDED else "asked", older, newer,
                          conflict if is_conflict else "compatible")
                for older, newer, is_conflict in asks[src]]  # fmt: skip

    chance = numpy.random.default_rng(5)
    part = chance.integers(PARTS, size=len(pairs))
    anchors: dict[str, int] = {}
    for place, pair in enumerate(pairs):
        if pair.src == "written":
            part[place] = anchors.setdefault(pair.older, len(anchors)) % PARTS
    public = [place for place, pair in enumerate(pairs) if pair.src not in {"written", NEAR}]
    base = [public[one] for one in chance.permutation(len(public))[:BASE_KEPT]]
    kept = base + [place for place, pair in enumerate(pairs) if pair.src in {"written", NEAR}]
    added = [pair for src in ADDED for pair in told(src)]
    asked_only = [one for src in asks if src not in ADDED for one in told(src)]
    second = [pairs[place] for place in kept] + added
    pools = (
        ("pairs", pairs, part.tolist()),
        ("second", second, [*part[kept].tolist(), *folds(added)]),
        ("asks", asked_only, [0] * len(asked_only)),
    )
    for name, some, parts in pools:
        pool_of(some, parts, workers).save(work.folder / f"{name}.npz")
        say(name, len(some))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("pool", "teacher", "refine", "student", "finish"))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--asks", type=Path)
    parser.add_argument("--name", default="0")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--fold", type=int, nargs="*", default=[*range(FOLDS + 1)])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int)
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
        for fold in given.fold:
            _refined(work, given.name, fold, given.seed + fold, None)
    elif given.part == "finish":
        for fold in given.fold:
            finish(work, given.name, fold, given.seed)
    else:
        is_student = given.part == "student"
        soft = work.soft([*TEACHERS], "soft") if is_student else None
        steps = given.steps or (STUDENT_STEPS if is_student else STEPS)
        _first(work, given.name, based(given.base, device), given.seed, soft, steps)


if __name__ == "__main__":
    main()
