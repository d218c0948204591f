"""Pools as tokens, the wrong answers mined for each question, and batches of both."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from holdfast.adapters.embedding import wordpiece
from training.encoder import embed

if TYPE_CHECKING:
    from random import Random

    from training.encoder import Tensors
    from training.pools import Pool

QUESTION_TOKENS, DOCUMENT_TOKENS = 64, 160
NEGATIVES = 3
_VOCABULARY = Path(wordpiece.__file__).with_name("bert_uncased.txt")
_FROM_RANK, _MINED, _BY_MEANING, _BY_WORDS = 2, 16, 40, 30
_COMMON, _SATURATION, _LENGTH = 0.2, 1.2, 0.75


@dataclass
class Tokens:
    """A pool as tokens, with wrong answers near each question: by meaning and by words."""

    pool: Pool
    docs: list[list[int]]
    asks: list[list[int]]
    near: list[tuple[list[int], list[int]]] = field(default_factory=list)

    @property
    def src(self) -> str:
        """Return the source of the pool."""
        return self.pool.src


@dataclass
class Batch:
    """Questions, their documents (the right ones first), and which pairs do not count."""

    asks: list[list[int]]
    docs: list[list[int]]
    ignored: torch.Tensor


def tokenised(pools: list[Pool]) -> list[Tokens]:
    """Return pools as tokens; a long text is cut."""
    pieces = wordpiece.WordPieces.read(_VOCABULARY)

    def cut(text: str, most: int) -> list[int]:
        return [pieces.first, *pieces.pieces(text)[: most - 2], pieces.last]

    known: dict[tuple[str, ...], list[list[int]]] = {}
    found = []
    for pool in pools:
        texts = tuple(pool.docs)
        if texts not in known:
            known[texts] = [cut(text, DOCUMENT_TOKENS) for text in texts]
        asks = [cut(ask.q, QUESTION_TOKENS) for ask in pool.asks]
        found.append(Tokens(pool, known[texts], asks))
    return found


def mine(pools: list[Tokens], base: Tensors, device: str) -> None:
    """Find wrong answers: those that the untuned model ranks third and later, and by words."""
    for tokens in pools:
        docs, asks = embed(base, tokens.docs, device), embed(base, tokens.asks, device)
        nearest = (asks @ docs.T).topk(min(_BY_MEANING, len(tokens.docs)), dim=1).indices.tolist()
        texts = tokens.pool.docs
        by_word = [[one for one, _ in found] for found in by_words(tokens, most=_BY_WORDS)]
        for ask, meant, said in zip(tokens.pool.asks, nearest, by_word, strict=True):
            right, same = {*ask.gold, *ask.also}, {texts[number] for number in ask.gold}
            wrong = [
                [number for number in found if number not in right and texts[number] not in same]
                for found in (meant[_FROM_RANK:], said)
            ]
            tokens.near.append((wrong[0][:_MINED], wrong[1][:_MINED]))


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
    ignored = torch.zeros(len(chosen), len(docs), dtype=torch.bool)
    for row, (place, number) in enumerate(chosen):
        ask = pools[place].pool.asks[number]
        right = {*ask.gold, *ask.also}
        for column, (other, doc) in enumerate(owners):
            ignored[row, column] = column != row and other == place and doc in right
    return Batch([pools[place].asks[number] for place, number in chosen], docs, ignored)
