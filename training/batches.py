"""Pools as tokens, the wrong answers mined for each question, and batches of both."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import torch

from holdfast.adapters.embedding import wordpiece
from training.encoder import embed
from training.reworded import reworded

if TYPE_CHECKING:
    from training.encoder import Tensors
    from training.pools import Pool

QUESTION_TOKENS, DOCUMENT_TOKENS = 64, 160
NEGATIVES = 3
REWORDED = 0.3
"""How often a question is trained in other words."""
_VOCABULARY = Path(wordpiece.__file__).with_name("bert_uncased.txt")
_FROM_RANK, _MINED, _BY_MEANING, _BY_WORDS = 2, 16, 40, 30
_COMMON, _SATURATION, _LENGTH = 0.2, 1.2, 0.75


@dataclass
class Tokens:
    """A pool as tokens, with wrong answers near each question: by meaning and by words."""

    pool: Pool
    docs: list[list[int]]
    asks: list[list[int]]
    others: list[list[list[int]]]
    near: list[tuple[list[int], list[int]]] = field(default_factory=list)

    @property
    def src(self) -> str:
        """Return the source of the pool."""
        return self.pool.src

    def asked(self, number: int, chance: Random) -> list[int]:
        """Return a question as it is, or in other words."""
        is_other = self.others and chance.random() < REWORDED
        return chance.choice(self.others[number]) if is_other else self.asks[number]


@dataclass
class Batch:
    """Questions, their documents (the right ones first), and which pairs do not count."""

    asks: list[list[int]]
    docs: list[list[int]]
    ignored: torch.Tensor


def tokenised(pools: list[Pool], *, wordings: int = 0) -> list[Tokens]:
    """Return pools as tokens, each question with some other wordings; a long text is cut."""
    several = partial(_tokens, wordings=wordings)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        found = list(workers.map(several, pools, chunksize=8))
    known: dict[tuple[str, ...], list[list[int]]] = {}
    for pool, tokens in zip(pools, found, strict=True):
        tokens.pool = pool
        tokens.docs = known.setdefault(tuple(pool.docs), tokens.docs)
    return found


def _tokens(pool: Pool, *, wordings: int) -> Tokens:
    chance = Random(pool.group)
    docs = [_cut(text, DOCUMENT_TOKENS) for text in pool.docs]
    asks = [_cut(ask.q, QUESTION_TOKENS) for ask in pool.asks]
    others = [
        [_cut(reworded(ask.q, chance), QUESTION_TOKENS) for _ in range(wordings)]
        for ask in pool.asks
        if wordings
    ]
    return Tokens(pool, docs, asks, others)


def _cut(text: str, most: int) -> list[int]:
    pieces = _pieces()
    return [pieces.first, *pieces.pieces(text)[: most - 2], pieces.last]


@cache
def _pieces() -> wordpiece.WordPieces:
    return wordpiece.WordPieces.read(_VOCABULARY)


def mine(pools: list[Tokens], base: Tensors, device: str) -> None:
    """Find wrong answers: those that the untuned model ranks third and later, and by words."""
    said_of = all_by_words(pools, most=_BY_WORDS)
    for tokens, by_word_of in zip(pools, said_of, strict=True):
        docs, asks = embed(base, tokens.docs, device), embed(base, tokens.asks, device)
        nearest = (asks @ docs.T).topk(min(_BY_MEANING, len(tokens.docs)), dim=1).indices.tolist()
        texts = tokens.pool.docs
        by_word = [[one for one, _ in found] for found in by_word_of]
        for ask, meant, said in zip(tokens.pool.asks, nearest, by_word, strict=True):
            right, same = {*ask.gold, *ask.also}, {texts[number] for number in ask.gold}
            wrong = [
                [number for number in found if number not in right and texts[number] not in same]
                for found in (meant[_FROM_RANK:], said)
            ]
            tokens.near.append((wrong[0][:_MINED], wrong[1][:_MINED]))


def all_by_words(pools: list[Tokens], *, most: int) -> list[list[list[tuple[int, float]]]]:
    """Return the documents nearest to the questions of each pool by BM25."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        return list(workers.map(partial(by_words, most=most), pools, chunksize=4))


def by_words(tokens: Tokens, *, most: int) -> list[list[tuple[int, float]]]:
    """Return the documents nearest to each question by BM25; frequent tokens do not count."""
    places: dict[int, list[tuple[int, float]]] = defaultdict(list)
    many = len(tokens.docs)
    mean = sum(map(len, tokens.docs)) / many
    for number, row in enumerate(tokens.docs):
        room = _SATURATION * (1 - _LENGTH + _LENGTH * len(row) / mean)
        for token, count in Counter(row[1:-1]).items():
            places[token].append((number, count * (_SATURATION + 1) / (count + room)))
    found = []
    for asked in tokens.asks:
        scores: dict[int, float] = defaultdict(float)
        for token in set(asked[1:-1]):
            there = places.get(token, ())
            if 0 < len(there) <= many * _COMMON:
                weight = math.log(1 + (many - len(there) + 0.5) / (len(there) + 0.5))
                for number, score in there:
                    scores[number] += weight * score
        found.append(sorted(scores.items(), key=lambda item: -item[1])[:most])
    return found


def batch(pools: list[Tokens], chosen: list[tuple[int, int]], chance: Random) -> Batch:
    """Return a batch: a right answer for each question, then the wrong ones of all of them."""
    docs, owners = [], []
    for place, number in chosen:
        gold = chance.choice(pools[place].pool.asks[number].gold)
        docs.append(pools[place].docs[gold])
        owners.append((place, gold))
    for place, number in chosen:
        meant, said = pools[place].near[number]
        for turn in range(NEGATIVES):
            pick = meant if (turn % 2 == 0 and meant) or not said else said
            if pick:
                wrong = chance.choice(pick)
                docs.append(pools[place].docs[wrong])
                owners.append((place, wrong))
    asks = [pools[place].asked(number, chance) for place, number in chosen]
    return Batch(asks, docs, _ignored(pools, chosen, owners))


def _ignored(
    pools: list[Tokens], chosen: list[tuple[int, int]], owners: list[tuple[int, int]]
) -> torch.Tensor:
    """Return which documents answer a question of the batch too, beside its own."""
    places: dict[tuple[int, int], list[int]] = defaultdict(list)
    for column, owner in enumerate(owners):
        places[owner].append(column)
    ignored = torch.zeros(len(chosen), len(owners), dtype=torch.bool)
    for row, (place, number) in enumerate(chosen):
        ask = pools[place].pool.asks[number]
        for right in {*ask.gold, *ask.also}:
            for column in places.get((place, right), ()):
                ignored[row, column] = column != row
    return ignored
