"""Trains the cross-encoder dulse: it reads a question and a text together and returns one number.

    python -m training.rerank --pools all.jsonl --base KELP --start DULSE-1 --out dulse.npz
    python -m training.reader_graph dulse.npz FOLDER

KELP is the weights file of kelp, and DULSE-1 the graph to start from; without it the layers of
kelp are the start. It is trained on the public sources only, unless ``--candidates`` gives
Holdfast's own hits for development halves: then also on those that ``--leave`` does not leave out
(see ``folds``; ``--halves`` is the file of pools that has them), and the order of the others is
measured.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy
import torch
from torch.nn import functional

from training.batches import all_by_words, tokenised
from training.encoder import WORDS, embed, half_precision, load, padded, pooled, save_layers
from training.folds import EVERY, Left
from training.pools import lines, read_pools
from training.reader_graph import from_graph
from training.reread import as_pool, divided, found_by, reordered
from training.sources import SETS
from training.tune import say

if TYPE_CHECKING:
    from training.batches import Tokens
    from training.encoder import Tensors
    from training.reread import Line

SEED, STEPS, GROUPS, WRONG = 1, 800, 48, 15
RATE, HEAD_RATE, DECAY, LONGEST_STEP = 5e-5, 1e-3, 0.01, 1.0
WARM_UP, LEAST_RATE, DROPOUT = 0.08, 0.01, 0.1
ROOM, QUESTION_ROOM, LEAST_OF_TEXT = 64, 40, 8
WORDINGS = 3
NEAREST, KEPT, LEAST_WRONG, UNRELATED = 50, 40, 8, 0.08
SHARES = {
    "qmsum": 1.5, "rules_meeting": 0.7, "said_meeting": 0.5,
    "friendsqa": 2, "rules_talk": 0.7, "said_talk": 0.6,
    "rules_orders": 0.5, "said_assistant": 1.2,
    "qamr": 1.0, "selqa_sentence": 1.2, "selqa_section": 0.8,
    "qed": 0.5, "xquad": 0.5, "pubmedqa": 0.3,
    "docstring": 1, "function": 1.5, "heading": 1, "commit": 0.7,
}  # fmt: skip
HALVES = {
    "locomo": 4, "beam_100k": 2, "musique300": 1, "hotpot300": 0.7, "2wiki": 1.3, "cosqa": 2.6,
}  # fmt: skip
"""The shares of development halves, where they are trained on; sde_decisions has too few."""
READ_ROOM = 56
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
_PARTS = 4


def mine(pools: list[Tokens], base: Tensors, device: str) -> list[list[list[int]]]:
    """Return wrong texts for each question: the best of a ranking by words and meaning.

    A question whose right text is not among the first 50 gets none. The texts of a set are the hits
    of one question, so all but the right ones are wrong.
    """
    found = []
    public = [tokens for tokens in pools if tokens.src not in SETS]
    said_of = iter(all_by_words(public, most=NEAREST))
    for tokens in pools:
        if tokens.src in SETS:
            every = range(len(tokens.docs))
            found.append([[n for n in every if n not in ask.gold] for ask in tokens.pool.asks])
            continue
        docs, asks = embed(base, tokens.docs, device), embed(base, tokens.asks, device)
        best = (asks @ docs.T).topk(min(NEAREST, len(tokens.docs)), dim=1)
        near = zip(best.values.tolist(), best.indices.tolist(), strict=True)
        said = next(said_of)
        found.append(
            [
                _wrong(tokens, number, _fused(cosines, places, words))
                for number, ((cosines, places), words) in enumerate(zip(near, said, strict=True))
            ]
        )
    return found


def _fused(cosines: list[float], places: list[int], words: list[tuple[int, float]]) -> list[int]:
    """Return documents by half the score of meaning and half that of words, best first."""
    scores: dict[int, float] = defaultdict(float)
    highest = max(cosines[0] - UNRELATED, 1e-6)
    for cosine, place in zip(cosines, places, strict=True):
        scores[place] += 0.5 * (cosine - UNRELATED) / highest
    for place, score in words:
        scores[place] += 0.5 * score / words[0][1]
    return sorted(scores, key=lambda place: -scores[place])


def _wrong(tokens: Tokens, number: int, ranked: list[int]) -> list[int]:
    ask, texts = tokens.pool.asks[number], tokens.pool.docs
    if not {*ask.gold}.intersection(ranked[:NEAREST]):
        return []
    right, same = {*ask.gold, *ask.also}, {texts[place] for place in ask.gold}
    return [one for one in ranked if one not in right and texts[one] not in same][:KEPT]


def train(
    pools: list[Tokens], base: Tensors, *, wrong: list[list[list[int]]], steps: int, device: str
) -> Tensors:
    """Return the trained weights; the word embeddings stay as they are."""
    chance = Random(SEED)
    torch.manual_seed(SEED)
    made = {name: values.clone().requires_grad_(name != WORDS) for name, values in base.items()}
    if HEAD_WEIGHT not in made:
        size = base[WORDS].shape[1]
        made[HEAD_WEIGHT] = (torch.randn(1, size, device=device) * 0.02).requires_grad_()
        made[HEAD_BIAS] = torch.zeros(1, device=device, requires_grad=True)
    heads = [made[HEAD_WEIGHT], made[HEAD_BIAS]]
    others = [
        values for name, values in made.items() if name not in {WORDS, HEAD_WEIGHT, HEAD_BIAS}
    ]
    groups = [{"params": others, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _pace(step, steps))
    items = _items(pools, wrong)
    left: dict[str, list[tuple[int, int]]] = {source: [] for source in items}
    for step in range(steps):
        chosen = [_next(items, left, chance) for _ in range(GROUPS)]
        rows = [row for one in chosen for row in _group(pools, wrong, one, chance)]
        scores = _scores(made, rows, device).view(GROUPS, WRONG + 1)
        right = torch.zeros(GROUPS, dtype=torch.long, device=device)
        loss = functional.cross_entropy(scores, right)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *heads], LONGEST_STEP)
        optimizer.step()
        rate.step()
        if step % 100 == 0:
            say(f"step {step} loss {loss.item():.3f}")
    return made


def _pace(step: int, steps: int) -> float:
    return min(1, (step + 1) / (WARM_UP * steps)) * max(LEAST_RATE, 1 - step / steps)


def _items(pools: list[Tokens], wrong: list[list[list[int]]]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, tokens in enumerate(pools):
        for number, others in enumerate(wrong[place]):
            if len(others) >= LEAST_WRONG and tokens.src in {**SHARES, **HALVES}:
                found[tokens.src].append((place, number))
    return found


def _next(
    items: dict[str, list[tuple[int, int]]], left: dict[str, list[tuple[int, int]]], chance: Random
) -> tuple[int, int]:
    source = chance.choices([*items], [{**SHARES, **HALVES}[one] for one in items])[0]
    left[source] = left[source] or chance.sample(items[source], len(items[source]))
    return left[source].pop()


def _group(
    pools: list[Tokens], wrong: list[list[list[int]]], chosen: tuple[int, int], chance: Random
) -> list[list[int]]:
    """Return a question with a right text and wrong ones, better ones more often."""
    place, number = chosen
    tokens, others = pools[place], wrong[place][number]
    weights = numpy.array([1 / (1 + rank) ** 0.5 for rank in range(len(others))])
    drawn = numpy.random.default_rng(chance.getrandbits(32)).choice(
        others, WRONG, replace=len(others) < WRONG, p=weights / weights.sum()
    )
    texts = [chance.choice(tokens.pool.asks[number].gold), *(int(one) for one in drawn)]
    asked = tokens.asked(number, chance)
    return [pair(asked, tokens.docs[text], ROOM) for text in texts]


def pair(question: list[int], text: list[int], room: int) -> list[int]:
    """Return the tokens of a question and a text; both come with a first and a last mark."""
    asked, last = question[:-1][: QUESTION_ROOM + 1], question[-1]
    left = max(LEAST_OF_TEXT, room - len(asked) - 2)
    return [*asked, last, *text[1:-1][:left], last]


def _scores(
    weights: Tensors, rows: list[list[int]], device: str, *, dropout: float = DROPOUT
) -> torch.Tensor:
    """Return one number for each row; rows of like length are computed together."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    found = torch.empty(len(rows), device=device)
    step = -(-len(order) // _PARTS)
    with half_precision(device):
        for start in range(0, len(order), step):
            part = order[start : start + step]
            state = pooled(weights, padded([rows[one] for one in part], device), dropout=dropout)
            scores = functional.linear(state, weights[HEAD_WEIGHT], weights[HEAD_BIAS])
            found = found.index_put((torch.tensor(part, device=device),), scores[:, 0].float())
    return found


def measure(weights: Tensors, out: list[Line], device: str) -> str:
    """Return R@5/R@10/MRR of the first order and of the one after reading, for what is left out."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    tokens = tokenised([as_pool(line) for line in out])
    for line, one in zip(out, tokens, strict=True):
        if not one.docs:
            continue
        pairs = [pair(one.asks[0], text, READ_ROOM) for text in one.docs]
        with torch.no_grad():
            read = _scores(weights, pairs, device, dropout=0.0).tolist()
        scores = [hit["score"] for hit in line["hits"]]
        order = reordered(scores, read, links=line["links"])
        rows[line["set"]].append((*found_by(line, range(len(scores))), *found_by(line, order)))
    said = []
    for name, figures in rows.items():
        means = [f"{100 * sum(column) / len(figures):.1f}" for column in zip(*figures, strict=True)]
        said.append(f"{name} {'/'.join(means[:3])} {'/'.join(means[3:])}")
    return " | ".join(said)


def _started(path: Path, device: str) -> Tensors:
    return {name: torch.tensor(values, device=device) for name, values in from_graph(path).items()}


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--candidates", type=Path, help="a file of training.candidates")
    parser.add_argument("--start", type=Path, help="the graph of a reader to start from")
    parser.add_argument("--halves", type=Path, help="the pools that have the development halves")
    parser.add_argument("--leave", default=EVERY, help="sets, 0, 1, nothing, or names of sets")
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    read = [pool for pool in read_pools(given.pools) if pool.src in SHARES]
    whole = read_pools(given.halves) if given.halves else []
    names = Left(given.leave, whole).questions(whole)
    kept, out = divided(list(lines(given.candidates)) if given.candidates else [], names)
    told = [pool for pool in map(as_pool, kept) if pool.asks[0].gold and pool.src in HALVES]
    say(f"{len(read)} pools, {len(told)} questions of the sets and {len(out)} left out")
    pools = tokenised([*read, *told], wordings=WORDINGS)
    base = load(given.base, device)
    wrong = mine(pools, base, device)
    say("wrong texts found")
    start = {**base, **_started(given.start, device)} if given.start else base
    made = train(pools, start, wrong=wrong, steps=given.steps, device=device)
    say(measure(made, out, device))
    save_layers(given.out, made)


if __name__ == "__main__":
    main()
