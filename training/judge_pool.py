"""Pairs of claims as arrays of tokens: one pool that several judges and their student read."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

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
NO_LABEL = -1
_FIRST, _LAST, _STEP, _AT_ONCE = 101, 102, 16, 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPool:
    """Pairs as numbers of texts; a label is -1 where a pair has none.

    ``part`` is a fold or another group of the pair, which a judge may leave out.
    """

    tokens: NDArray[numpy.uint16]
    ends: NDArray[numpy.int64]
    older: NDArray[numpy.int32]
    newer: NDArray[numpy.int32]
    label: NDArray[numpy.int8]
    fine: NDArray[numpy.int8]
    turns: NDArray[numpy.bool_]
    src: NDArray[numpy.str_]
    part: NDArray[numpy.int16]

    def __len__(self) -> int:
        return len(self.label)

    @property
    def lengths(self) -> NDArray[numpy.int64]:
        """The tokens of both texts of each pair."""
        long = numpy.diff(self.ends, prepend=0)
        found: NDArray[numpy.int64] = long[self.older] + long[self.newer]
        return found

    def text(self, number: int) -> NDArray[numpy.uint16]:
        """Return the tokens of one text."""
        return self.tokens[self.ends[number - 1] if number else 0 : self.ends[number]]

    def rows(self, places: Sequence[int], turned: NDArray[numpy.bool_]) -> NDArray[numpy.int64]:
        """Return the tokens of some pairs with their marks, padded; a long claim is cut."""
        rows = []
        for place, turn in zip(places, turned, strict=True):
            older, newer = self.text(self.older[place]), self.text(self.newer[place])
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
        return found

    def save(self, path: Path) -> None:
        """Write the pool."""
        names, src = numpy.unique(self.src, return_inverse=True)
        numpy.savez(path, tokens=self.tokens, ends=self.ends, older=self.older, newer=self.newer,
                    label=self.label, fine=self.fine, turns=self.turns, part=self.part,
                    names=names, src=src.astype("uint8"))  # fmt: skip

    @classmethod
    def load(cls, path: Path) -> PairPool:
        """Return a pool that was written."""
        with numpy.load(path) as kept:
            found = {name: kept[name] for name in kept.files if name not in {"names", "src"}}
            return cls(src=kept["names"][kept["src"]], **found)


def _cut(texts: list[str]) -> list[NDArray[numpy.uint16]]:
    pieces = wordpiece.WordPieces.read(Path(wordpiece.__file__).with_name("bert_uncased.txt"))
    return [numpy.array(pieces.pieces(text)[:ROOM], "uint16") for text in texts]


def pool_of(pairs: Sequence[ClaimPair], part: Sequence[int], workers: int = 1) -> PairPool:
    """Return pairs as a pool; several processes cut the texts into tokens."""
    names = [*dict.fromkeys(text for pair in pairs for text in (pair.older, pair.newer))]
    parts = [names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]
    with ProcessPoolExecutor(workers) as several:
        texts = [one for found in several.map(_cut, parts) for one in found]
    place = {name: number for number, name in enumerate(names)}
    label = [LABELS.index(one.label) if one.label else NO_LABEL for one in pairs]
    return PairPool(
        tokens=numpy.concatenate(texts),
        ends=numpy.cumsum([len(one) for one in texts]),
        older=numpy.array([place[pair.older] for pair in pairs], "int32"),
        newer=numpy.array([place[pair.newer] for pair in pairs], "int32"),
        label=numpy.array(label, "int8"),
        fine=numpy.array([FINE.index(one.fine) if one.fine else NO_LABEL for one in pairs], "int8"),
        turns=numpy.array([one.src not in ORDERED and one.fine != "entailment" for one in pairs]),
        src=numpy.array([one.src for one in pairs]),
        part=numpy.array(part, "int16"),
    )
