"""``python -m benchmarks.curating``: the CPU time of ``curate`` over a whole store.

The store is filled with made-up memories, and every hundredth is repeated in slightly other words.
The output has the CPU seconds of a run, and how many of the duplicates it found.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from pathlib import Path

import holdfast
from benchmarks.corpus import Corpus
from benchmarks.figures import cpu_milliseconds
from holdfast.domain.memory.near_claims import alike_groups
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.review.curating import survey

_BATCH = 500
_EVERY = 100


def measured(home: Path, size: int) -> tuple[float, float, int, int]:
    """Return seconds of a run and of duplicates alone, and the duplicates present and found."""
    with holdfast.open(home=home, folder=home.parent) as memory:
        claims = list(itertools.islice(Corpus().memories(), size))
        for start in range(0, size, _BATCH):
            batch = claims[start : start + _BATCH]
            memory.remember_all(batch, scope="global", because="made for measuring")
        doubles = [f"{claim.rstrip('.')} indeed." for claim in claims[::_EVERY]]
        memory.remember_all(doubles, scope="global", kind="decision", because="said again")
        app = memory.app

        def look() -> None:
            found = survey(
                store=app.store,
                clock=app.clock,
                surroundings=app.surroundings,
                verifier=None,
                heuristics=ENGLISH,
            )
            seen.append(sum(one.trouble is MemoryTrouble.DUPLICATE for one in found.concerns))

        seen: list[int] = []
        whole = cpu_milliseconds(look) / 1000
        alone = cpu_milliseconds(lambda: alike_groups([*claims, *doubles])) / 1000
        return whole, alone, len(doubles), seen[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curating", description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="memories of the store")
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory(prefix="holdfast-curating-") as folder:
        whole, alone, doubles, found = measured(Path(folder), size)
    sys.stdout.write(
        f"{size:,} memories: {whole:.2f} s CPU for a look ({alone:.2f} s for doubles),"
        f" {found} of {doubles} doubles found\n"
    )


if __name__ == "__main__":
    main()
