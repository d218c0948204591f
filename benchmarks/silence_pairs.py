"""``python -m benchmarks.silence_pairs --data DIR``: questions asked of stores of other sets.

A question of a set has its answer in the set's own store, and none in the store of another set. The
sets of one field are not paired: HotpotQA, MuSiQue and 2Wiki are all made from Wikipedia, and the
bug reports of SDE-bench and the first conversations of BEAM are about code, as CoSQA is. One store
of each set is asked.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdfast.adapters.benchsets.files import SetFolder, find_sets
from holdfast.adapters.benchsets.reading import plan
from holdfast.bootstrap.machine.evaluation import TemporaryBench
from holdfast.domain.evaluation.benchmark import Query, Trial
from holdfast.domain.ids import MemoryId
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.recall.question import Question
from holdfast.usecases.evaluation.ingesting import EvaluatedMemory, Ingested, ingest

SETS = "beam_100k,cosqa,locomo,musique300,sde_decisions"
_FIELDS = ({"musique300", "hotpot300", "2wiki"}, {"cosqa", "sde_decisions", "beam_100k"})
_SPLIT = "dev"
_SEED = 116


@dataclass(kw_only=True)
class Silences:
    """What a store gave for questions of its own set, and for those of others."""

    own: int = 0
    withheld: int = 0
    foreign: int = 0
    answered: int = 0


def are_of_one_field(one: str, other: str) -> bool:
    """Tell whether a store of one set may answer questions of the other."""
    return one == other or any({one, other} <= field for field in _FIELDS)


def measured(
    trial: Trial, others: Sequence[Query], *, bench: TemporaryBench, most: int
) -> Silences:
    """Ask a store its own questions, and others that it cannot answer."""
    chance = random.Random(_SEED)
    found = Silences()
    with bench.opened(trial.name) as memory:
        ingested = bench.known(trial.name)
        if ingested is None:
            ingested = ingest(trial.documents, memory=memory)
            bench.note(trial.name, ingested)
        with suppress(NoModelError):
            memory.catch_up(lambda _done, _total: None)
        for query in chance.sample(list(trial.queries), min(most, len(trial.queries))):
            given, was_found = _asked(query, ingested, memory)
            found.own += was_found
            found.withheld += was_found and not given
        for query in others:
            found.foreign += 1
            found.answered += bool(_asked(query, ingested, memory)[0])
    return found


def _asked(query: Query, ingested: Ingested, memory: EvaluatedMemory) -> tuple[set[MemoryId], bool]:
    """Return the memories that were given, and whether one with the answer was found."""
    bundle = memory.answer(Question(text=query.text)).bundle
    given = {item.memory_id for item in bundle.items}
    considered = given | {item.memory_id for item in bundle.left_out}
    names = {name for one in considered for name in ingested.documents.get(one, ())}
    return given, not names.isdisjoint(query.gold)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print a row for each store."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.silence_pairs", description=__doc__)
    parser.add_argument("--data", required=True, type=Path, help="a folder of sets")
    parser.add_argument("--only", default=SETS, help=f"these sets ({SETS})")
    parser.add_argument("--most", type=int, default=100, help="questions of a set in its own store")
    parser.add_argument("--foreign", type=int, default=40, help="questions of each other set")
    parser.add_argument("--keep", type=Path, help="keep the stores there, and use them again")
    given = parser.parse_args(words)
    sets = {one.name: one for one in find_sets(given.data, _SPLIT)}
    names = given.only.split(",")
    trials = {name: _largest(sets[name]) for name in names}
    chance = random.Random(_SEED)
    asked = {
        name: chance.sample(list(trial.queries), min(given.foreign, len(trial.queries)))
        for name, trial in trials.items()
    }
    sys.stdout.write(
        "| store | questions of other sets answered | own answers withheld |\n|---|--:|--:|\n"
    )
    with tempfile.TemporaryDirectory(prefix="holdfast-silence-") as folder:
        keep = given.keep or Path(folder)
        bench = TemporaryBench(home=None, changes={"recall.deep": "off"}, keep=keep)
        for name, trial in trials.items():
            others = [
                query
                for other in names
                if not are_of_one_field(name, other)
                for query in asked[other]
            ]
            found = measured(trial, others, bench=bench, most=given.most)
            sys.stdout.write(
                f"| {name} | {found.answered} of {found.foreign}"
                f" | {found.withheld} of {found.own} |\n"
            )
            sys.stdout.flush()


def _largest(found: SetFolder) -> Trial:
    """Return the trial of a set with the most questions; the first of equals."""
    return max(plan(found).trials, key=lambda trial: len(trial.queries))


if __name__ == "__main__":
    main()
