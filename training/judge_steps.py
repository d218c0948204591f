"""How a judge of claims is trained and asked: the folder of a run, the loss, and the steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy
import torch
from torch.nn import functional

from training.claims import LABELS
from training.encoder import WORDS, half_precision, load, pooled
from training.judge_pool import FINE, NO_LABEL, PairPool
from training.tune import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from training.encoder import Tensors

    Soft = NDArray[numpy.float32] | None
    Drawn = tuple[PairPool, NDArray[numpy.int64], Soft]

BATCH = 512
RATE, HEAD_RATE, DECAY, LONGEST_STEP = 2e-4, 1.5e-3, 0.01, 1.0
WARM_UP, LEAST_RATE, DROPOUT, SMOOTHING = 0.06, 0.01, 0.1, 0.02
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
FINE_WEIGHT, FINE_BIAS, FINE_SHARE = "fine.weight", "fine.bias", 0.3
TOLD = 0.3
"""The share of the written label in what a student learns."""
_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Work:
    """The folder of a run, and what is in it."""

    folder: Path
    device: str

    def pool(self, name: str) -> PairPool:
        """Return a pool: pairs, second or asks."""
        return PairPool.load(self.folder / f"{name}.npz")

    def keep(self, name: str, weights: Tensors) -> None:
        """Keep weights in 16 bits."""
        kept = {one: values.half().cpu() for one, values in weights.items()}
        torch.save(kept, self.folder / f"{name}.pt")

    def weights(self, name: str) -> Tensors:
        """Return weights that were kept."""
        found = torch.load(self.folder / f"{name}.pt", map_location=self.device)
        return {one: values.float() for one, values in found.items()}

    def soft(self, names: list[str], kind: str) -> NDArray[numpy.float32]:
        """Return the mean of what several judges said."""
        said = [numpy.load(self.folder / f"{kind}-{name}.npy") for name in names]
        mean: NDArray[numpy.float32] = numpy.mean(said, axis=0, dtype="float32")
        return mean


def based(path: Path, device: str) -> Tensors:
    """Return the weights of an encoder: a file of arrays in eight bits, or what load reads."""
    if path.suffix != ".npz":
        return load(path, device)
    with numpy.load(path) as stored:
        arrays = {name: stored[name].astype("float32") for name in stored.files}
    plain = {name.removesuffix(".q"): values * arrays[f"{name.removesuffix('.q')}.s"]
             if name.endswith(".q") else values
             for name, values in arrays.items() if not name.endswith(".s")}  # fmt: skip
    return {name: torch.tensor(values, device=device) for name, values in plain.items()}


def headed(base: Tensors, device: str) -> Tensors:
    """Return weights to train: those of an encoder, with two new heads."""
    made = {name: values.clone() for name, values in base.items()}
    size = base[WORDS].shape[1]
    for weight, bias, many in ((HEAD_WEIGHT, HEAD_BIAS, len(LABELS)),
                               (FINE_WEIGHT, FINE_BIAS, len(FINE))):  # fmt: skip
        made[weight] = torch.randn(many, size, device=device) * 0.02
        made[bias] = torch.zeros(many, device=device)
    return made


def drawn(
    pool: PairPool, seen: NDArray[numpy.bool_], shares: dict[str, float],
    chance: numpy.random.Generator,
) -> NDArray[numpy.int64]:  # fmt: skip
    """Return the places of one pass: each pair as often as its source's share says."""
    found = []
    for src in numpy.unique(pool.src):
        places = numpy.flatnonzero((pool.src == src) & seen)
        share = shares.get(str(src), 0.0)
        some = chance.permutation(places)[: round(share % 1 * len(places))]
        found += [numpy.repeat(places, int(share)), some]
    return chance.permutation(numpy.concatenate(found))


def batched(
    lengths: NDArray[numpy.int64], passes: Callable[[], NDArray[numpy.int64]],
    chance: numpy.random.Generator,
) -> Iterator[NDArray[numpy.int64]]:  # fmt: skip
    """Yield batches without end; rows of like length go together."""
    span = BATCH * 16
    while True:
        order, found = passes(), []
        for at in range(0, len(order), span):
            part = order[at : at + span]
            part = part[numpy.argsort(lengths[part], kind="stable")]
            found += [part[start : start + BATCH] for start in range(0, len(part), BATCH)]
        for number in chance.permutation(len(found)):
            yield found[number]


def run(
    weights: Tensors,
    draw: Callable[[], Drawn],
    *,
    steps: int,
    rate: float,
    device: str,
    chance: numpy.random.Generator,
) -> Tensors:
    """Return trained weights; the word embeddings stay as they are."""
    made = {name: one.detach().clone().requires_grad_(name != WORDS)
            for name, one in weights.items()}  # fmt: skip
    heads = [one for name, one in made.items() if name.startswith(("head.", "fine."))]
    others = [one for name, one in made.items()
              if name != WORDS and not name.startswith(("head.", "fine."))]  # fmt: skip
    groups = [{"params": others, "lr": rate}, {"params": heads, "lr": rate * HEAD_RATE / RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, fused=device == "cuda")

    def pace(step: int) -> float:
        return min(1, (step + 1) / (WARM_UP * steps)) * max(LEAST_RATE, 1 - step / steps)

    paced = torch.optim.lr_scheduler.LambdaLR(optimizer, pace)
    for step in range(steps):
        loss = _loss(made, *draw(), device, chance)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *heads], LONGEST_STEP)
        optimizer.step()
        paced.step()
        if step % 200 == 0:
            say(f"step {step} of {steps} loss {loss.item():.3f}")
    return {name: one.detach() for name, one in made.items()}


def _loss(made: Tensors, pool: PairPool, places: NDArray[numpy.int64], soft: Soft, device: str,
          chance: numpy.random.Generator) -> torch.Tensor:  # fmt: skip
    turned = pool.turns[places] & (chance.random(len(places)) < 0.5)
    rows = torch.from_numpy(pool.rows(places.tolist(), turned)).to(device, non_blocking=True)
    right = torch.from_numpy(pool.label[places].astype("int64")).to(device)
    with half_precision(device):
        state = pooled(made, rows, dropout=DROPOUT)
        said = functional.linear(state, made[HEAD_WEIGHT], made[HEAD_BIAS]).float()
        told = functional.linear(state, made[FINE_WEIGHT], made[FINE_BIAS]).float()
    loss = functional.cross_entropy(said, right, label_smoothing=SMOOTHING, reduction="sum",
                                    ignore_index=NO_LABEL) / len(places)  # fmt: skip
    if soft is not None:
        mean = torch.from_numpy(soft).to(device)
        return TOLD * loss + (1 - TOLD) * functional.cross_entropy(said, mean)
    if bool((pool.fine[places] >= 0).any()):
        fine = torch.from_numpy(pool.fine[places].astype("int64")).to(device)
        loss = loss + FINE_SHARE * functional.cross_entropy(told, fine, ignore_index=NO_LABEL)
    return loss


def asked(weights: Tensors, pool: PairPool, device: str) -> NDArray[numpy.float32]:
    """Return the chance of each label for each pair."""
    order = numpy.argsort(pool.lengths, kind="stable")
    found = numpy.zeros((len(pool), len(LABELS)), "float32")
    with torch.no_grad(), half_precision(device):
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            rows = pool.rows(part.tolist(), numpy.zeros(len(part), bool))
            state = pooled(weights, torch.from_numpy(rows).to(device))
            said = functional.linear(state, weights[HEAD_WEIGHT], weights[HEAD_BIAS]).float()
            found[part] = said.softmax(-1).cpu().numpy()
    return found
