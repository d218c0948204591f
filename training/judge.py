"""Trains a cross-encoder that reads two claims together and says how they stand to each other.

    python -m training.judge --claims claims.jsonl --base KELP --sets BENCH --out judge.npz
    python -m training.reader_graph judge.npz FOLDER

KELP is the weights file of kelp, or the graph of another encoder of the same width. The first stage
sees no benchmark set. The second stage adds the development half of fever_symmetric and the
project's own pairs that the rules were fitted to; the figures about them come from models that were
trained without the claims they are asked about.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy
import torch
from torch.nn import functional

from benchmarks.conflict_sets import EVERYDAY, OWN, fresh_pairs
from holdfast.adapters.embedding import wordpiece
from training.claims import AMENDS, COMPATIBLE, CONTRADICTS, LABELS, ClaimPair, read_pairs
from training.encoder import WORDS, half_precision, load, padded, pooled
from training.pools import lines
from training.rerank import save as save_weights
from training.tune import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from training.encoder import Tensors

SEED, EPOCHS, BATCH = 1, 2.5, 256
RATE, HEAD_RATE, DECAY, LONGEST_STEP = 1.5e-4, 1.5e-3, 0.01, 1.0
WARM_UP, LEAST_RATE, DROPOUT, SMOOTHING = 0.08, 0.01, 0.1, 0.03
REFINING, REFINED_BATCH, REFINED_SHARE, REFINED_RATE = 400, 128, 0.4, 3e-5
ROOM, OLDER_ROOM, LEAST_OF_NEWER, FOLDS = 112, 60, 8, 5
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
FINE_WEIGHT, FINE_BIAS, FINE_SHARE = "fine.weight", "fine.bias", 0.3
FINE = ("contradiction", "entailment", "neutral")
_HEADS = ("head.", "fine.")
_TURNED = frozenset({"decisions", "documents", "decided", "everyday"})
"""Sources in which the order of the two claims matters; others are turned round at random."""


@dataclass(frozen=True, slots=True)
class Item:
    """A pair as tokens without marks; ``fine`` is -1 where the source has no such label."""

    src: str
    older: list[int]
    newer: list[int]
    label: int
    fine: int = -1


def items_of(pairs: Sequence[ClaimPair]) -> list[Item]:
    """Return pairs as tokens."""
    pieces = wordpiece.WordPieces.read(Path(wordpiece.__file__).with_name("bert_uncased.txt"))
    cut = pieces.pieces
    return [
        Item(
            one.src, cut(one.older), cut(one.newer), LABELS.index(one.label),
            FINE.index(one.fine) if one.fine else -1,
        )
        for one in pairs
    ]  # fmt: skip


def fever(sets: Path) -> list[ClaimPair]:
    """Return the development half of fever_symmetric; the sentence is the older claim."""
    label = {"REFUTES": CONTRADICTS, "SUPPORTS": COMPATIBLE}
    return [
        ClaimPair("fever", row["a"], row["b"], label[row["label"]])
        for row in lines(sets / "fever_symmetric/dev/pairs.jsonl")
    ]


def fresh() -> list[ClaimPair]:
    """Return the pairs in everyday words, which are only asked."""
    return [
        ClaimPair("fresh", one.older, one.newer, AMENDS if one.is_conflict else COMPATIBLE)
        for one in fresh_pairs()
    ]


def everyday() -> list[ClaimPair]:
    """Return the pairs about everyday life, to which the rules were fitted too."""
    return [
        ClaimPair("everyday", one.older, one.newer, AMENDS if one.is_conflict else COMPATIBLE)
        for one in fresh_pairs(EVERYDAY)
    ]


def decided(split: str = "dev") -> list[ClaimPair]:
    """Return the project's own pairs; the rules were fitted to those of ``dev``."""
    label = {"conflict": AMENDS, "none": COMPATIBLE}
    return [
        ClaimPair("decided", row["older"], row["newer"], label[row["label"]])
        for row in lines(OWN)
        if row["split"] == split
    ]


def folds(pairs: Sequence[ClaimPair]) -> list[int]:
    """Return the fold of each pair; pairs that share a claim or a sentence are in one fold."""
    root = list(range(len(pairs)))

    def top(number: int) -> int:
        while root[number] != number:
            number = root[number]
        return number

    seen: dict[str, int] = {}
    for number, pair in enumerate(pairs):
        for text in (pair.older, pair.newer):
            root[top(number)] = top(seen.setdefault(text, number))
    groups = sorted({top(number) for number in range(len(pairs))})
    Random(SEED).shuffle(groups)
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    return [fold[top(number)] for number in range(len(pairs))]


def row_of(older: list[int], newer: list[int], first: int = 101, last: int = 102) -> list[int]:
    """Return the tokens of two claims with their marks; a long one is cut."""
    start = older[:OLDER_ROOM] if len(older) + len(newer) > ROOM - 3 else older
    room = max(LEAST_OF_NEWER, ROOM - len(start) - 3)
    return [first, *start, last, *newer[:room], last]


@dataclass(frozen=True, slots=True)
class Stage:
    """How a stage is trained: steps, rate, and the share of the finer label in the loss."""

    steps: int
    rate: float
    fine_share: float = FINE_SHARE


def train(items: list[Item], base: Tensors, device: str, *, epochs: float = EPOCHS) -> Tensors:
    """Return the weights of the first stage; the word embeddings stay as they are."""
    torch.manual_seed(SEED)
    made = {name: values.clone().requires_grad_(name != WORDS) for name, values in base.items()}
    size = base[WORDS].shape[1]
    for weight, bias, many in ((HEAD_WEIGHT, HEAD_BIAS, len(LABELS)),
                               (FINE_WEIGHT, FINE_BIAS, len(FINE))):  # fmt: skip
        made[weight] = (torch.randn(many, size, device=device) * 0.02).requires_grad_()
        made[bias] = torch.zeros(many, device=device, requires_grad=True)
    chance = Random(SEED)
    stage = Stage(int(epochs * len(items) / BATCH), RATE)
    batches = _shuffled(items, chance)
    return _run(made, (next(batches) for _ in range(stage.steps)), stage, device, chance)


def refine(weights: Tensors, items: list[Item], more: list[Item], device: str) -> Tensors:
    """Return the weights of the second stage: a share of each batch comes from ``more``."""
    torch.manual_seed(SEED)
    made = {
        name: values.detach().clone().requires_grad_(name != WORDS)
        for name, values in weights.items()
    }
    chance = Random(SEED)
    many = int(REFINED_BATCH * REFINED_SHARE)
    batches = (
        chance.sample(items, REFINED_BATCH - many) + chance.choices(more, k=many)
        for _ in range(REFINING)
    )
    return _run(made, batches, Stage(REFINING, REFINED_RATE), device, chance)


def _length(one: Item) -> int:
    return len(one.older) + len(one.newer)


def _shuffled(items: list[Item], chance: Random) -> Iterator[list[Item]]:
    """Yield batches without end; rows of like length go together."""
    span = BATCH * 16
    while True:
        order = chance.sample(items, len(items))
        parts = [
            sorted(order[start : start + span], key=_length) for start in range(0, len(order), span)
        ]
        found = [
            part[start : start + BATCH]
            for part in parts
            for start in range(0, len(part) - BATCH + 1, BATCH)
        ]
        chance.shuffle(found)
        yield from found


def _run(
    made: Tensors, batches: Iterable[list[Item]], stage: Stage, device: str, chance: Random
) -> Tensors:
    heads = [values for name, values in made.items() if name.startswith(_HEADS)]
    others = [
        values for name, values in made.items() if name != WORDS and not name.startswith(_HEADS)
    ]
    groups = [
        {"params": others, "lr": stage.rate},
        {"params": heads, "lr": stage.rate * HEAD_RATE / RATE},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _pace(step, stage.steps))
    for step, batch in enumerate(batches):
        loss = _loss(made, batch, device, chance, stage.fine_share)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *heads], LONGEST_STEP)
        optimizer.step()
        pace.step()
        if step % 200 == 0:
            say(f"step {step} of {stage.steps} loss {loss.item():.3f}")
    return {name: values.detach() for name, values in made.items()}


def _pace(step: int, steps: int) -> float:
    return min(1, (step + 1) / (WARM_UP * steps)) * max(LEAST_RATE, 1 - step / steps)


def _loss(
    made: Tensors, batch: Sequence[Item], device: str, chance: Random, fine_share: float
) -> torch.Tensor:
    rows = []
    for one in batch:
        is_turned = one.src not in _TURNED and chance.random() < 0.5 and one.fine != 1
        ends = (one.newer, one.older) if is_turned else (one.older, one.newer)
        rows.append(row_of(*ends))
    right = torch.tensor([one.label for one in batch], device=device)
    fine = torch.tensor([one.fine for one in batch], device=device)
    with half_precision(device):
        state = pooled(made, padded(rows, device), dropout=DROPOUT)
        said = functional.linear(state, made[HEAD_WEIGHT], made[HEAD_BIAS]).float()
        told = functional.linear(state, made[FINE_WEIGHT], made[FINE_BIAS]).float()
    loss = functional.cross_entropy(said, right, label_smoothing=SMOOTHING)
    if fine_share and bool((fine >= 0).any()):
        loss = loss + fine_share * functional.cross_entropy(told, fine, ignore_index=-1)
    return loss


def asked(weights: Tensors, items: Sequence[Item], device: str) -> NDArray[numpy.float32]:
    """Return the chance of each label for each pair."""
    order = sorted(range(len(items)), key=lambda one: _length(items[one]))
    found = numpy.zeros((len(items), len(LABELS)), "float32")
    with torch.no_grad(), half_precision(device):
        for start in range(0, len(order), 512):
            part = order[start : start + 512]
            rows = [row_of(items[one].older, items[one].newer) for one in part]
            state = pooled(weights, padded(rows, device))
            said = functional.linear(state, weights[HEAD_WEIGHT], weights[HEAD_BIAS]).float()
            found[part] = said.softmax(-1).cpu().numpy()
    return found


def conflicting(said: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Return the chance that two claims cannot both hold."""
    return said[:, 0] + said[:, 1]


def precision_at(
    scores: NDArray[numpy.float32], right: Sequence[bool], recall: float = 0.8
) -> float:
    """Return the best precision of any threshold that finds at least this share of conflicts."""
    order = numpy.argsort(-scores)
    hits = numpy.cumsum(numpy.array(right, dtype=bool)[order])
    enough = hits >= recall * hits[-1]
    return float((hits / numpy.arange(1, len(hits) + 1))[enough].max())


def crossed(
    weights: Tensors, items: list[Item], more: list[Item], fold: Sequence[int], device: str
) -> NDArray[numpy.float32]:
    """Return the answers about each pair from a model that was refined without its fold."""
    found = numpy.zeros((len(more), len(LABELS)), "float32")
    for left_out in range(FOLDS):
        kept = [one for one, place in zip(more, fold, strict=True) if place != left_out]
        made = refine(weights, items, kept, device)
        places = [number for number, place in enumerate(fold) if place == left_out]
        found[places] = asked(made, [more[number] for number in places], device)
    return found


def save(path: Path, weights: Tensors) -> None:
    """Write the weights without the words and without the head that only training needs."""
    save_weights(path, {name: one for name, one in weights.items() if not name.startswith("fine.")})


def main() -> None:
    """Train both stages, say the figures, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=float, default=EPOCHS)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pairs = [*fever(given.sets), *decided(), *everyday()]
    items, more = items_of(read_pairs(given.claims)), items_of(pairs)
    say("tokenised", len(items), "pairs")
    counts: dict[str, int] = defaultdict(int)
    for one in items:
        counts[one.src] += 1
    say(dict(counts))
    weights = train(items, load(given.base, device), device, epochs=given.epochs)
    first = conflicting(asked(weights, more, device))
    second = conflicting(crossed(weights, items, more, folds(pairs), device))
    for src in ("fever", "decided", "everyday"):
        places = [number for number, one in enumerate(pairs) if one.src == src]
        right = [pairs[number].label != COMPATIBLE for number in places]
        said = [f"{precision_at(scores[places], right):.3f}" for scores in (first, second)]
        say(src, "precision at recall 0.8, first stage and crossed:", *said)
    final = refine(weights, items, more, device)
    for src, asks in (("set aside", decided("held")), ("everyday words", fresh())):
        right = [one.label != COMPATIBLE for one in asks]
        scores = conflicting(asked(final, items_of(asks), device))
        say(src, f"precision at recall 0.8: {precision_at(scores, right):.3f}")
    save(given.out, final)


if __name__ == "__main__":
    main()
