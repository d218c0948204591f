"""Measures recall by words and vectors as the store grows, and the speed of the model."""

from __future__ import annotations

import argparse
import inspect
import itertools
import json
import logging
import os
import pathlib
import random
import statistics
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import holdfast
from benchmarks.figures import Figure, cpu_milliseconds
from holdfast.app import Holdfast
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.surfaces.python.api import MemoryStore

RARE = "rare"
_QUESTIONS = 40
_STEP = 2_000
_CLUSTERS = 400
_SPREAD = 0.7
_NEAREST = 10
_UNRELATED = 0.05
_TARGETS = {10_000: 5.0, 100_000: 15.0, 1_000_000: 80.0}
_TURN_WORDS = 24
TURNS, SHORT_TURNS = 400, 40


class Given:
    """Replaces a model: clustered vectors, like those of texts about topics."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model
        self.unrelated = _UNRELATED
        self._chance = np.random.default_rng(11)
        self._centres = self._chance.normal(size=(_CLUSTERS, model.dimension))

    def many(self, count: int) -> NDArray[np.float32]:
        """Return this many unit vectors."""
        near = self._centres[self._chance.integers(0, _CLUSTERS, count)]
        spread = _SPREAD * self._chance.normal(size=(count, self.model.dimension))
        vectors = (near + spread).astype(np.float32)
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return a vector for each text; the text is ignored."""
        return [[self._vector(one)] for one in self.many(len(texts))]

    def ask(self, question: str) -> Vector:
        """Return a vector; the question is ignored."""
        del question
        return self._vector(self.many(1)[0])

    def _vector(self, values: NDArray[np.float32]) -> Vector:
        return Vector(model=self.model, values=values.astype("<f4").tobytes())


def with_meaning(home: Path, size: int, questions: list[str]) -> list[Figure]:
    """Give every memory of a store a vector, and measure recall by words and vectors."""
    with holdfast.open(home=home, folder=home.parent) as memory:
        if memory.app.embedder is None:
            return []
        given = Given(memory.app.embedder.model)
        _fill(memory, given)
        asked = replace(memory.app, embedder=given, older_embedders=())
        return [
            _recall(asked, questions, f"hybrid recall at {size:,}", _TARGETS.get(size)),
            _recall(
                asked,
                questions,
                f"hybrid recall with a 1 % filter at {size:,}",
                _TARGETS.get(size),
                tags=(RARE,),
            ),
            _exactness(memory, given, size),
        ]


def _recall(
    app: Holdfast,
    questions: list[str],
    name: str,
    target: float | None,
    tags: tuple[str, ...] = (),
) -> Figure:
    asked = [Question(text=text, tags=tags) for text in questions[:_QUESTIONS]]
    for one in asked[:3]:
        app.answers.answer(one)
    took = [cpu_milliseconds(partial(app.answers.answer, one)) for one in asked]
    return Figure(
        name=name,
        value=statistics.median(took),
        unit="ms CPU",
        at_most=target,
        note=f"median of {len(took)}, least {min(took):.1f}; the question's vector is given",
    )


def _fill(memory: MemoryStore, given: Given) -> None:
    app, beyond = memory.app, None
    while True:
        with app.store.reading() as tx:
            lacking = tx.finding.meaning.lacking(given.model.name, beyond=beyond, limit=_STEP)
        if not lacking:
            return
        beyond = lacking.beyond
        texts = [record.memory.claim for record in lacking]
        names = [record.memory.id for record in lacking]
        vectors: dict[MemoryId, Sequence[Vector]] = dict(
            zip(names, given.embed(texts), strict=True)
        )
        with app.store.writing(app.clock.now()) as tx:
            tx.finding.meaning.put(given.model, vectors)


def _exactness(memory: MemoryStore, given: Given, size: int) -> Figure:
    """Compare the vector search with a scan of every stored vector."""
    app = memory.app
    within = Selection(space=app.surroundings.place().space)
    shares = []
    with app.store.reading() as tx:
        count = tx.memories.count(within)
        for _ in range(3):
            question = given.ask("")
            found = tx.finding.meaning.search(question, within, limit=_NEAREST).hits
            all_of_them = tx.finding.meaning.likeness(question, range(1, count + 1))
            truth = sorted(all_of_them, key=lambda one: (-all_of_them[one], one))[:_NEAREST]
            shares.append(len({hit.sequence for hit in found} & set(truth)) / _NEAREST)
    return Figure(
        name=f"recall@10 of the vector leg at {size:,}",
        value=statistics.mean(shares),
        unit="share",
        at_least=0.995,
        note="against every kept vector, one by one",
    )


def _turns(count: int) -> list[str]:
    """Return real sentences of the length of a chat turn: the standard library's docstrings."""
    told = [inspect.getdoc(one) or "" for one in (argparse, json, logging, os, pathlib, random)]
    told += [
        inspect.getdoc(one) or "" for part in (str, Path, logging) for one in vars(part).values()
    ]
    words = " ".join(told).split()
    starts = range(0, len(words) - _TURN_WORDS, 7)
    turns = [" ".join(words[start : start + _TURN_WORDS]) for start in starts]
    return list(itertools.islice(itertools.cycle(turns), count))


def reading_speed(count: int) -> list[Figure]:
    """Measure how fast the installed model embeds this many texts of the size of a chat turn."""
    with holdfast.open() as memory:
        embedder = memory.app.embedder
        if embedder is None:
            return []
        turns = _turns(count)
        embedder.embed(turns[:20])
        clocks = time.perf_counter(), time.process_time()
        embedder.embed(turns)
        wall, cpu = time.perf_counter() - clocks[0], time.process_time() - clocks[1]
    return [
        Figure(
            name=f"embedding with {embedder.model.name.partition('@')[0]}",
            value=count / wall,
            unit="texts/s",
            at_least=200,
            note=f"{_TURN_WORDS} English words each; {count / cpu:,.0f} per second of CPU",
        )
    ]
