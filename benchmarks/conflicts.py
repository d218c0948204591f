"""``python -m benchmarks.conflicts``: how well, and how fast, contradicting claims are found.

The pairs of ``decision_pairs.jsonl`` are the project's own. With ``--data`` a folder of public sets
is read too. In ``fever_symmetric``, a refuted claim is a conflict. In ``mab_fact``, two values of
one slot are a conflict, and facts of other slots are not. In ``beam_conflict``, a message and the
earlier one it contradicts are a conflict, and three others of the same dialogue are not. Samples
are drawn with a seed.

The second table is about the model in the package: what it adds to the findings of the rules at its
threshold, and its precision alone where it finds eight of ten conflicts. It was trained on the
pairs that are tuned on and on ``fever_symmetric``, so its figures about these say nothing about
other pairs.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import holdfast
from benchmarks import conflict_judge
from benchmarks.conflict_sets import (
    EVERYDAY,
    Pair,
    fact_pairs,
    fever_pairs,
    fresh_pairs,
    message_pairs,
    own_pairs,
)
from benchmarks.corpus import Corpus
from benchmarks.figures import cpu_milliseconds
from holdfast.domain.errors import NoMeaningError
from holdfast.heuristics.conflict.clauses import clauses_of
from holdfast.heuristics.english import ENGLISH
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.review.conflicts import conflicts_of
from training.claim_written import written_pairs

_BATCH = 500
_CANDIDATES = 40
_HEAD = "| pairs | n | conflicts | precision | recall | F1 | µs a pair |"
_LINE = "|---|---:|---:|---:|---:|---:|---:|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The precision and recall of suspected conflicts."""

    pairs: int
    conflicts: int
    precision: float
    recall: float
    microseconds: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def score(pairs: Sequence[Pair]) -> Score:
    """Judge every pair and compare with its label."""
    clauses_of.cache_clear()
    before = time.process_time()
    judged = ENGLISH.judge.judged
    suspected = [judged(pair.newer, pair.older, None) is not None for pair in pairs]
    spent = time.process_time() - before
    right = sum(one and pair.is_conflict for one, pair in zip(suspected, pairs, strict=True))
    conflicts = sum(pair.is_conflict for pair in pairs)
    return Score(
        pairs=len(pairs),
        conflicts=conflicts,
        precision=right / max(1, sum(suspected)),
        recall=right / max(1, conflicts),
        microseconds=1e6 * spent / max(1, len(pairs)),
    )


def sets(data: Path | None) -> dict[str, list[Pair]]:
    """Return the project's own pairs, and those of the public sets that are present."""
    own = own_pairs()
    found = {
        "decisions, tuned on": [pair for pair in own if pair.split == "dev"],
        "decisions, set aside": [pair for pair in own if pair.split == "held"],
        "decisions, all": own,
        "decisions, everyday words": fresh_pairs(),
        "everyday life, tuned on": fresh_pairs(EVERYDAY),
        "written, for the threshold": held_pairs(is_for_threshold=True),
        "written, held out": held_pairs(is_for_threshold=False),
    }
    if data is not None:
        found["fever_symmetric"] = fever_pairs(data)
        found["mab_fact"] = fact_pairs(data)
        found["beam_conflict"] = message_pairs(data)
    return found


def held_pairs(*, is_for_threshold: bool) -> list[Pair]:
    """Return one half of the written pairs on which the model in the package was not trained."""
    return [
        Pair(newer=pair.newer, older=pair.older, is_conflict=pair.is_conflict)
        for pair in written_pairs()
        if pair.is_held and pair.is_for_threshold == is_for_threshold
    ]


def table(found: dict[str, Score]) -> str:
    """Return the scores as a Markdown table."""
    rows = [
        f"| {name} | {one.pairs} | {one.conflicts} | {one.precision:.3f} | {one.recall:.3f}"
        f" | {one.f1:.3f} | {one.microseconds:.0f} |"
        for name, one in found.items()
    ]
    return "\n".join([_HEAD, _LINE, *rows])


def cost(home: Path, size: int) -> tuple[float, int, int]:
    """Fill a store with made-up memories and the project's claims; find conflicts of new ones.

    Return the CPU milliseconds per candidate, how many of the conflicts were found, and how many
    others were suspected.
    """
    chosen = [pair for pair in own_pairs() if pair.is_conflict][:_CANDIDATES]
    with holdfast.open(home=home, folder=home.parent) as memory:
        stream = Corpus().memories()
        for _ in range(0, size, _BATCH):
            claims = list(itertools.islice(stream, _BATCH))
            memory.remember_all(claims, scope="global", because="made for measuring")
        standing = [pair.older for pair in chosen]
        memory.remember_all(standing, scope="global", because="decided")
        return _looked_for(memory, chosen)


def _looked_for(memory: MemoryStore, chosen: Sequence[Pair]) -> tuple[float, int, int]:
    spent: list[float] = []
    right = others = 0
    for pair in chosen:
        said = memory.remember(pair.newer, scope="global", because="proposed", origin="agent")
        with memory.app.store.reading() as tx:
            now = memory.app.clock.now()
            record = said.record
            look = partial(conflicts_of, record, tx=tx, now=now, heuristics=ENGLISH)
            spent.append(cpu_milliseconds(look))
            met = {one.standing.memory.claim for one in look()}
        right += pair.older in met
        others += len(met - {pair.older})
    return statistics.median(spent), right, others


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conflicts", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--size", type=int, default=10_000, help="memories of the store (0: none)")
    options = parser.parse_args()
    named = sets(options.data)
    sys.stdout.write(table({name: score(pairs) for name, pairs in named.items()}) + "\n\n")
    try:
        read = {name: conflict_judge.advised(pairs) for name, pairs in named.items()}
        sys.stdout.write(conflict_judge.table(read) + "\n")
    except NoMeaningError as error:
        sys.stdout.write(f"wrack was not measured: {error.message}\n")
    if options.size:
        with tempfile.TemporaryDirectory(prefix="holdfast-conflicts-") as folder:
            spent, right, others = cost(Path(folder), options.size)
        sys.stdout.write(
            f"\nat {options.size:,} memories: {spent:.1f} ms CPU a candidate,"
            f" {right} of {_CANDIDATES} conflicts found, {others} others suspected\n"
        )


if __name__ == "__main__":
    main()
