"""Adds the pairs of the third try to those of ``claim_sources``: stores, lives, like names.

    python -m training.claim_more --clones CLONES --sets BENCH --claims claims.jsonl --out all.jsonl

Texts that share 13 words in a row with a benchmark set are left out before pairs are made.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from training.claim_kin import kin_pairs
from training.claim_lives import life_pairs
from training.claim_sources import OTHERS, clean, unrelated
from training.claim_stores import Store, public_stores, stored
from training.claims import CONTRADICTS, ClaimPair, read_pairs, write_pairs
from training.overlap import add_pairs, marks_of, runs_of, words_of
from training.sources import SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from training.overlap import Marks

SEED, STORED, DECIDED, UNRELATED_PART = 12, 0.55, 0.6, 40
_FEWEST = 5


def is_subject_renamed(pair: ClaimPair) -> bool:
    """Say whether a contradiction by another name has it in its first half, as the subject."""
    if pair.src != "swapped" or pair.label != CONTRADICTS:
        return False
    older, newer = pair.older, pair.newer
    both = enumerate(zip(older, newer, strict=False))
    place = next((at for at, (one, other) in both if one != other), len(older))
    while place and older[place - 1].isalnum():
        place -= 1
    is_name = older[place : place + 1].isupper() or newer[place : place + 1].isupper()
    return is_name and place < min(len(older), len(newer)) // 2


def _apart(store: Store, marks: Marks) -> Store:
    """Return the store without the texts that share words with the sets."""
    kept = []
    for text in store.texts:
        said = words_of(text)
        is_whole = " ".join(said) in marks.questions
        if not is_whole and not any(mark in marks.runs for mark, _ in runs_of(said)):
            kept.append(text)
    return Store(store.src, kept)


def more_pairs(clones: Path, marks: Marks, chance: Random) -> Iterator[ClaimPair]:
    """Yield the new pairs; a share of the neighbours in stores is left out."""
    for store in public_stores(clones, chance):
        apart = _apart(store, marks)
        if len(apart.texts) > _FEWEST:
            for pair in stored(apart, chance):
                if pair.src != "stores" or chance.random() < STORED:
                    yield pair
    yield from life_pairs(chance)
    yield from kin_pairs(chance)


def main() -> None:
    """Make the pairs and write them beside the older ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("clones", "sets", "claims", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    chance = Random(SEED)
    marks = marks_of(given.sets, (*SETS, *OTHERS))
    add_pairs(marks, given.sets / "fever_symmetric")
    made = [*more_pairs(given.clones, marks, chance)]
    made += [*unrelated(made, chance)][: len(made) // UNRELATED_PART]
    older = [
        pair
        for pair in read_pairs(given.claims)
        if (pair.src != "decisions" or chance.random() < DECIDED) and not is_subject_renamed(pair)
    ]
    write_pairs(given.out, [*older, *clean(made, marks)])


if __name__ == "__main__":
    main()
