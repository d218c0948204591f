"""Pairs of claims as arrays of tokens: one pool that several judges and their student read."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import torch

from holdfast.adapters.embedding import wordpiece
from training.claims import LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from training.claims import ClaimPair

ROOM, OLDER_ROOM, LEAST_OF_NEWER = 112, 60, 8
FINE = ("contradiction", "entailment", "neutral")
ORDERED = frozenset(
    {"decisions", "documents", "decided", "everyday", "edits", "stores", "lives", "asked"}
)
"""Sources in which the order of the two claims matters; others are turned round at random."""
_FIRST, _LAST, _STEP = 101, 102, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPool:
    """Pairs as numbers of texts; ``fine`` is -1 where the source has no such label."""

    texts: list[NDArray[numpy.uint16]]
    older: NDArray[numpy.int32]
    newer: NDArray[numpy.int32]
    label: NDArray[numpy.int64]
    fine: NDArray[numpy.int64]
    turns: NDArray[numpy.bool_]
    lengths: NDArray[numpy.int32]

    def __len__(self) -> int:
        return len(self.label)

    def rows(self, places: Sequence[int], turned: NDArray[numpy.bool_]) -> torch.Tensor:
        """Return the tokens of some pairs with their marks, padded; a long claim is cut."""
        rows = []
        for place, turn in zip(places, turned, strict=True):
            older, newer = self.texts[self.older[place]], self.texts[self.newer[place]]
            if turn:
                older, newer = newer, older
            if len(older) + len(newer) > ROOM - 3:
                older = older[:OLDER_ROOM]
                newer = newer[: max(LEAST_OF_NEWER, ROOM - len(older) - 3)]
            rows.append((older, newer))
        longest = max(len(older) + len(newer) + 3 for older, newer in rows)
        found = numpy.zeros((len(rows), -(-longest // _STEP) * _STEP), "int64")
        for number, (older, newer) in enumerate(rows):
            middle, end = len(older) + 1, len(older) + len(newer) + 2
            found[number, 0], found[number, middle], found[number, end] = _FIRST, _LAST, _LAST
            found[number, 1:middle], found[number, middle + 1 : end] = older, newer
        return torch.from_numpy(found)


def _cut(texts: list[str]) -> list[NDArray[numpy.uint16]]:
    pieces = wordpiece.WordPieces.read(Path(wordpiece.__file__).with_name("bert_uncased.txt"))
    return [numpy.array(pieces.pieces(text)[:ROOM], "uint16") for text in texts]


def pool_of(pairs: Sequence[ClaimPair], workers: int = 1) -> PairPool:
    """Return pairs as a pool; several processes cut the texts into tokens."""
    names = [*dict.fromkeys(text for pair in pairs for text in (pair.older, pair.newer))]
    parts = [names[at : at + 5_000] for at in range(0, len(names), 5_000)]
    if workers > 1:
        with ProcessPoolExecutor(workers) as several:
            cut = [*several.map(_cut, parts)]
    else:
        cut = [*map(_cut, parts)]
    texts = [one for part in cut for one in part]
    place = {name: number for number, name in enumerate(names)}
    older = numpy.array([place[pair.older] for pair in pairs], "int32")
    newer = numpy.array([place[pair.newer] for pair in pairs], "int32")
    long = numpy.array([len(one) for one in texts], "int32")
    return PairPool(
        texts=texts,
        older=older,
        newer=newer,
        label=numpy.array([LABELS.index(pair.label) for pair in pairs], "int64"),
        fine=numpy.array([FINE.index(one.fine) if one.fine else -1 for one in pairs], "int64"),
        turns=numpy.array([one.src not in ORDERED and one.fine != "entailment" for one in pairs]),
        lengths=long[older] + long[newer],
    )
