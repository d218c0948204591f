"""Writes the written pairs that are trained on, and pairs of their texts that have no label.

    python -m training.claim_near --sets BENCH --out written.jsonl

The latter are two newer texts beside one older one, and neighbours in a store of written texts. A
student learns from what its teachers say about them.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from training.claim_sources import OTHERS, clean
from training.claim_stores import STORE, nearest
from training.claim_written import trained, written_pairs
from training.claims import ClaimPair, write_pairs
from training.overlap import add_pairs, marks_of
from training.sources import SETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from training.claim_written import WrittenPair

SEED = 21


def near_pairs(pairs: Sequence[WrittenPair], chance: Random) -> Iterator[ClaimPair]:
    """Yield pairs of written texts that nobody has labelled."""
    beside: dict[tuple[str, str], list[str]] = {}
    for pair in pairs:
        beside.setdefault((pair.domain, pair.older), []).append(pair.newer)
    for newer in beside.values():
        for one, other in combinations(newer, 2):
            ends = (one, other) if chance.random() < 0.5 else (other, one)
            yield ClaimPair("near", *ends, "")
    known = {(pair.older, pair.newer) for pair in pairs}
    for domain in sorted({pair.domain for pair in pairs}):
        texts = [*dict.fromkeys(text for pair in pairs if pair.domain == domain
                                for text in (pair.older, pair.newer))]  # fmt: skip
        chance.shuffle(texts)
        for at in range(0, len(texts), STORE):
            some = texts[at : at + STORE]
            for first, second in nearest(some):
                ends = some[first], some[second]
                if known.isdisjoint((ends, ends[::-1])):
                    yield ClaimPair("near", *ends, "")


def main() -> None:
    """Write all of them, without texts that share words with a benchmark set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    pairs = trained(written_pairs())
    marks = marks_of(given.sets, (*SETS, *OTHERS))
    add_pairs(marks, given.sets / "fever_symmetric")
    claims = [pair.as_claims() for pair in pairs] + [*near_pairs(pairs, Random(SEED))]
    kept = [*clean(claims, marks)]
    write_pairs(given.out, kept)
    print(len(pairs), "written pairs;", len(claims) - len(pairs), "without a label;",
          len(claims) - len(kept), "left out")  # fmt: skip


if __name__ == "__main__":
    main()
