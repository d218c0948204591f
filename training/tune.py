r"""Tunes an encoder as an embedder, measures it by meaning alone, and writes its weights.

    python -m training.tune --pools pools.jsonl --public all.jsonl --base KELP-1 \
        --leave nothing --out kelp

KELP-1 is the weights file of the first version, or MiniLM's: where the training starts, and what
its vectors are held to.

The development halves are measured and not trained on; ``--leave`` trains on what it does not
leave out of them (see ``folds``), and measures the questions that it leaves out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from training.batches import batch, mine, tokenised
from training.encoder import (
    WORDS,
    blended,
    embed,
    encode,
    half_precision,
    load,
    padded,
    save,
)
from training.folds import EVERY, Left
from training.pools import read_pools
from training.sources import SETS

if TYPE_CHECKING:
    from training.batches import Batch, Tokens
    from training.encoder import Tensors

SEED, STEPS, LARGEST_BATCH, SMALLEST_BATCH = 1, 600, 192, 32
RATE, DECAY, LONGEST_STEP, WARM_UP, LEAST_RATE = 5e-5, 0.01, 1.0, 0.1, 0.02
TEMPERATURE, BACKWARD, ANCHOR = 0.05, 0.3, 0.5
TUNED_SHARE, WORDINGS = 0.6, 3
SHARES = {
    "qmsum": 2,
    "rules_meeting": 1,
    "friendsqa": 2,
    "rules_talk": 1,
    "qamr": 1,
    "rules_orders": 0.7,
    "docstring": 1.3,
    "heading": 1,
    "commit": 0.7,
}
MORE_SHARES = {
    "said_meeting": 0.5, "said_talk": 0.6, "said_assistant": 1, "selqa_sentence": 0.8,
    "selqa_section": 0.6, "qed": 0.4, "xquad": 0.4, "pubmedqa": 0.3, "function": 1.2,
    "locomo": 3.5, "beam_100k": 1.8, "musique300": 1.2, "hotpot300": 0.8, "2wiki": 1.4,
    "cosqa": 2.6, "sde_decisions": 0.4,
}  # fmt: skip
"""The shares of the further sources and of development halves, where they are trained on."""
_IGNORED = -1e4


def say(*words: object) -> None:
    """Print one line of the log, with the seconds since the start."""
    print(f"[{time.perf_counter() - _START:6.1f}]", *words, flush=True)


_START = time.perf_counter()


def tune(pools: list[Tokens], base: Tensors, left: Left, *, steps: int, device: str) -> Tensors:
    """Return the tuned weights; the word embeddings stay as they are."""
    chance = Random(SEED)
    torch.manual_seed(SEED)
    tuned = {name: values.clone().requires_grad_(name != WORDS) for name, values in base.items()}
    trained = [values for name, values in tuned.items() if name != WORDS]
    optimizer = torch.optim.AdamW(trained, lr=RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, step / (WARM_UP * steps)) * max(LEAST_RATE, 1 - step / steps)
    )
    items = _items(pools, left)
    sources = list(items)
    shares = [{**SHARES, **MORE_SHARES}[one] for one in sources]
    waiting: dict[str, list[tuple[int, int]]] = {source: [] for source in sources}
    for step in range(steps):
        source = chance.choices(sources, shares)[0]
        size = min(LARGEST_BATCH, max(SMALLEST_BATCH, len(items[source]) // 3))
        picked: list[tuple[int, int]] = []
        while len(picked) < size:
            waiting[source] = waiting[source] or chance.sample(items[source], len(items[source]))
            picked.append(waiting[source].pop())
        loss = _loss(tuned, base, batch(pools, picked, chance), device)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, LONGEST_STEP)
        optimizer.step()
        rate.step()
        if step % 200 == 199:
            say(step + 1, f"loss {loss.item():.3f}")
    return {name: values.detach() for name, values in tuned.items()}


def _items(pools: list[Tokens], left: Left) -> dict[str, list[tuple[int, int]]]:
    """Return the questions to train on by source, as places of pools and numbers in them.

    What answers a question that is left out is no wrong answer either.
    """
    items: dict[str, list[tuple[int, int]]] = {}
    for place, tokens in enumerate(pools):
        if hidden := left.answers(tokens.pool):
            tokens.near = [
                (
                    [one for one in meant if one not in hidden],
                    [one for one in said if one not in hidden],
                )
                for meant, said in tokens.near
            ]
        kept = [
            (place, number)
            for number, ask in enumerate(tokens.pool.asks)
            if not left.out(tokens.pool, number) and hidden.isdisjoint(ask.gold)
        ]
        if kept:
            items.setdefault(tokens.src, []).extend(kept)
    return items


def _loss(tuned: Tensors, base: Tensors, made: Batch, device: str) -> torch.Tensor:
    """Return InfoNCE in both directions, and how far the vectors have left those of the start."""
    asked, told = padded(made.asks, device), padded(made.docs, device)
    with half_precision(device):
        asks, docs = encode(tuned, asked), encode(tuned, told)
    with torch.no_grad(), half_precision(device):
        old_asks, old_docs = encode(base, asked), encode(base, told)
    scores = (asks @ docs.T / TEMPERATURE).masked_fill(made.ignored.to(device), _IGNORED)
    right = torch.arange(len(made.asks), device=device)
    forward = functional.cross_entropy(scores, right)
    backward = functional.cross_entropy(scores[:, : len(made.asks)].T, right)
    moved = (1 - (asks * old_asks).sum(1)).mean() + (1 - (docs * old_docs).sum(1)).mean()
    return forward + BACKWARD * backward + ANCHOR * moved


def measure(weights: Tensors, pools: list[Tokens], left: Left, *, device: str) -> str:
    """Return R@5/R@10/MRR of what is left out, by exact search with these vectors alone."""
    said = []
    for name in SETS:
        rows = [row for tokens in pools if tokens.src == name
                for number, row in enumerate(_measured(weights, tokens, device))
                if left.out(tokens.pool, number)]  # fmt: skip
        if rows:
            figures = (100 * sum(column) / len(rows) for column in zip(*rows, strict=True))
            said.append(f"{name}:{'/'.join(f'{figure:.1f}' for figure in figures)}")
    return " ".join(said)


def _measured(weights: Tensors, tokens: Tokens, device: str) -> list[tuple[float, float, float]]:
    docs, asks = embed(weights, tokens.docs, device), embed(weights, tokens.asks, device)
    ranked = (asks @ docs.T).topk(min(100, len(tokens.docs)), dim=1).indices.tolist()
    found = []
    for ask, order in zip(tokens.pool.asks, ranked, strict=True):
        gold = set(ask.gold)
        first = next((1 / place for place, one in enumerate(order, 1) if one in gold), 0.0)
        within = [len(gold.intersection(order[:most])) / len(gold) for most in (5, 10)]
        found.append((within[0], within[1], first))
    return found


def main() -> None:
    """Train once, measure before and after, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=Path, required=True)
    parser.add_argument("--public", type=Path, help="take public sources from this file instead")
    parser.add_argument("--base", type=Path, required=True, help="model.safetensors to start from")
    parser.add_argument("--leave", default=EVERY, help="sets, 0, 1, nothing, or names of sets")
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    read = read_pools(given.pools)
    if given.public is not None:
        read = [pool for pool in read if pool.src in SETS] + read_pools(given.public)
    left = Left(given.leave, read)
    pools = tokenised(read, wordings=WORDINGS)
    say("tokenised", len(pools), sum(len(tokens.docs) for tokens in pools))
    base = load(given.base, device)
    mine(pools, base, device)
    say("negatives mined")
    say("base", measure(base, pools, left, device=device))
    tuned = tune(pools, base, left, steps=given.steps, device=device)
    kept = blended(base, tuned, TUNED_SHARE)
    say("tuned", measure(kept, pools, left, device=device))
    given.out.mkdir(parents=True, exist_ok=True)
    save(given.out / "model.safetensors", kept)


if __name__ == "__main__":
    main()
