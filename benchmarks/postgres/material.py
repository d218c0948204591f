"""The same texts, vectors, tenants and questions for every design."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.corpus import Corpus

DIMENSION = 384
SHARES = {"90 %": 0.9, "8 %": 0.08, "1.8 %": 0.018, "0.2 %": 0.002}
TOP = 10
_CLUSTERS, _NOISE = 200, 0.8
_AT_ONCE = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """The rows of one tenant, and questions with their exact answers."""

    name: str
    texts: list[str]
    vectors: Any
    questions: Any
    answers: list[set[int]]


def tenants(rows: int, questions: int, *, with_texts: bool = True) -> list[Tenant]:
    """Return tenants of very different sizes; the same numbers give the same material."""
    chance = np.random.default_rng(1)
    centres = chance.normal(size=(_CLUSTERS, DIMENSION))
    stream = Corpus().memories()

    def directions(many: int) -> Any:  # noqa: ANN401 - an array of numpy
        made = np.empty((many, DIMENSION), dtype=np.float32)
        chosen = chance.integers(0, _CLUSTERS, many)
        for first in range(0, many, _AT_ONCE):
            some = chosen[first : first + _AT_ONCE]
            drawn = centres[some] + chance.normal(size=(len(some), DIMENSION)) * _NOISE
            drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
            made[first : first + _AT_ONCE] = drawn
        return made

    made = []
    for name, share in SHARES.items():
        many = max(TOP, round(rows * share))
        vectors, asked = directions(many), directions(questions)
        nearest = np.argpartition(-(asked @ vectors.T), TOP - 1, axis=1)[:, :TOP]
        answers = [set(map(int, row)) for row in nearest]
        texts = list(itertools.islice(stream, many)) if with_texts else []
        made.append(
            Tenant(name=name, texts=texts, vectors=vectors, questions=asked, answers=answers)
        )
    return made
