"""Trains laver: it reads a question and a claim, and says whether the claim answers the question.

    python -m training.written_questions --written training/questions --out questions.npz
    python -m training.reader_start WRACK start.npz
    python -m training.answering --questions questions.npz --start start.npz --out laver.npz
    python -m training.reader_graph laver.npz LAVER 112 GTE

The layers of another reader are the start. The word embeddings stay as they are.

A question is read with the claim that answers it, with the other claim of its group, and with
claims of other groups that are near it. The loss has two parts: whether each claim answers, and
which claim of the list does.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import numpy
import torch
from torch.nn import functional

from training.encoder import WORDS, half_precision, pooled, save_layers
from training.judge_steps import based
from training.tune import say
from training.written_questions import NOTHING, Questions, area

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.encoder import Tensors

BATCH, LISTED, NEAR_DRAWN = 64, 6, 16
RATE, HEAD_RATE, DECAY, LONGEST_STEP = 1e-4, 1.5e-3, 0.01, 1.0
WARM_UP, LEAST_RATE, DROPOUT, EPOCHS = 0.06, 0.01, 0.1, 4
LIST_SHARE = 0.5
"""The share of the second part of the loss: which claim of a list answers."""
PLACES = "embeddings.position_embeddings.weight"
HEAD_WEIGHT, HEAD_BIAS = "head.weight", "head.bias"
_AT_ONCE = 1024


def started(path: Path, device: str) -> Tensors:
    """Return the layers of a reader and the words that it reads, with a new head of one number."""
    found = based(path, device)
    size = found[WORDS].shape[1]
    found[HEAD_WEIGHT] = torch.randn(1, size, device=device) * 0.02
    found[HEAD_BIAS] = torch.zeros(1, device=device)
    return found


def scores(weights: Tensors, rows: NDArray[numpy.int64], device: str, dropout: float = 0.0
           ) -> torch.Tensor:  # fmt: skip
    """Return one number for each row of tokens."""
    given = torch.from_numpy(rows).to(device, non_blocking=True)
    with half_precision(device):
        state = pooled(weights, given, dropout=dropout)
        return functional.linear(state, weights[HEAD_WEIGHT], weights[HEAD_BIAS])[:, 0].float()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lists of claims for questions that are not held out."""

    asked: Questions
    chance: numpy.random.Generator

    def epoch(self) -> list[NDArray[numpy.int64]]:
        """Return the questions of one pass, in batches of questions of like length."""
        places = self.chance.permutation(numpy.flatnonzero(~self.asked.held))
        return [places[at : at + BATCH] for at in range(0, len(places) - BATCH + 1, BATCH)]

    def claims(self, question: int) -> list[int]:
        """Return claims for a question: its own group's first, then near ones of others."""
        asked = self.asked
        own = 2 * int(asked.group[question])
        right = int(asked.answer[question])
        first = [own, own + 1] if right in {own, NOTHING} else [own + 1, own]
        others = self.chance.choice(asked.near[question][:NEAR_DRAWN], LISTED - 3, replace=False)
        far = self.chance.integers(asked.claims // 2 - 1)
        far = 2 * (far + (far >= own // 2)) + self.chance.integers(2)
        return [*first, *others.tolist(), int(far)]


def train(asked: Questions, start: Tensors, *, seed: int, epochs: int, device: str,
          until: float) -> Tensors:  # fmt: skip
    """Return the trained weights; the rate falls with the steps, or with the time."""
    torch.manual_seed(seed)
    drawing = Drawing(asked, numpy.random.default_rng(seed))
    made = {name: one.clone().requires_grad_(name != WORDS) for name, one in start.items()}
    heads = [made[HEAD_WEIGHT], made[HEAD_BIAS]]
    others = [one for name, one in made.items() if name != WORDS and not name.startswith("head.")]
    groups = [{"params": others, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, fused=device == "cuda")
    batches = [batch for _ in range(epochs) for batch in drawing.epoch()]
    begun, rates = monotonic(), [RATE, HEAD_RATE]
    for step, batch in enumerate(batches):
        gone = max(step / len(batches), (monotonic() - begun) / (until - begun))
        if gone >= 1:
            break
        pace = min(1, (step + 1) / (WARM_UP * len(batches))) * max(LEAST_RATE, 1 - gone)
        for one, rate in zip(optimizer.param_groups, rates, strict=True):
            one["lr"] = rate * pace
        loss = _loss(made, drawing, batch, device)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *heads], LONGEST_STEP)
        optimizer.step()
        if step % 100 == 0:
            say(f"step {step} of {len(batches)} loss {loss.item():.3f}")
    return {name: one.detach() for name, one in made.items()}


def _loss(made: Tensors, drawing: Drawing, batch: NDArray[numpy.int64], device: str
          ) -> torch.Tensor:  # fmt: skip
    pairs = [(int(one), claim) for one in batch for claim in drawing.claims(int(one))]
    rows = drawing.asked.rows(pairs, len(made[PLACES]))
    said = scores(made, rows, device, DROPOUT).view(len(batch), LISTED)
    has_answer = torch.from_numpy(drawing.asked.answer[batch] != NOTHING).to(device)
    right = torch.zeros_like(said)
    right[:, 0] = has_answer.float()
    each = functional.binary_cross_entropy_with_logits(said, right)
    listed = functional.cross_entropy(
        said[has_answer], torch.zeros(int(has_answer.sum()), dtype=torch.long, device=device)
    )
    return each + LIST_SHARE * listed


def read(weights: Tensors, asked: Questions, pairs: list[tuple[int, int]], device: str
         ) -> NDArray[numpy.float32]:  # fmt: skip
    """Return the score of each pair of a question and a claim."""
    found = []
    with torch.no_grad():
        for at in range(0, len(pairs), _AT_ONCE):
            rows = asked.rows(pairs[at : at + _AT_ONCE], len(weights[PLACES]))
            found.append(scores(weights, rows, device).cpu())
    said: NDArray[numpy.float32] = torch.cat(found).numpy()
    return said


def measured(weights: Tensors, asked: Questions, device: str) -> str:
    """Return how well held-out questions are read.

    The area under the curve of right pairs against near misses and against near claims of other
    groups; which share of near misses is below the level that loses 2 of 100 right ones; and how
    often the right claim is first of its group and of the nearest others.
    """
    places = numpy.flatnonzero(asked.held)
    right = [(int(one), int(asked.answer[one])) for one in places if asked.answer[one] != NOTHING]
    near, far = [], []
    for one in places.tolist():
        own = 2 * int(asked.group[one])
        near += [(one, claim) for claim in (own, own + 1) if claim != asked.answer[one]]
        far += [(one, int(claim)) for claim in asked.near[one][:8]]
    yes, missed, others = (read(weights, asked, some, device) for some in (right, near, far))
    first = _first(right, yes, [*near, *far], numpy.concatenate([missed, others]))
    level = numpy.quantile(yes, 0.02)
    return (
        f"{len(right)} right, area near {area(yes, missed):.3f} far {area(yes, others):.3f}, "
        f"below the level {numpy.mean(missed < level):.3f} {numpy.mean(others < level):.3f}, "
        f"first {first:.3f}"
    )


def _first(right: list[tuple[int, int]], yes: NDArray[numpy.float32],
           wrong: list[tuple[int, int]], no: NDArray[numpy.float32]) -> float:  # fmt: skip
    best: dict[int, float] = {}
    for (question, _), score in zip(wrong, no.tolist(), strict=True):
        best[question] = max(score, best.get(question, score))
    wins = [score > best[question] for (question, _), score in zip(right, yes, strict=True)]
    return float(numpy.mean(wins))


def main() -> None:
    """Train, measure, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    asked = Questions.load(given.questions)
    start = started(given.start, device)
    made = train(asked, start, seed=given.seed, epochs=given.epochs, device=device,
                 until=monotonic() + given.seconds)  # fmt: skip
    say(measured(made, asked, device))
    save_layers(given.out, made)


if __name__ == "__main__":
    main()
