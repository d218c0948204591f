"""Writes the first hits of Holdfast's own ranking for the questions of development halves.

    python -m training.candidates --sets BENCH --home HOME --out candidates.jsonl

HOME has the embedding model. The best hits are not read again, and the file has the score of each
hit and whether links were followed, so that an order by another reader can be computed from it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.machine.evaluation import TemporaryBench, find_sets, plan
from holdfast.domain.recall.question import MOST_TOKENS, Question
from holdfast.usecases.evaluation.ingesting import ingest
from training.sources import SETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.evaluation.benchmark import Query, Trial
    from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut
    from holdfast.usecases.evaluation.ingesting import EvaluatedMemory, Ingested
    from training.reread import Line

KEPT = 50
_ASKED, _LINKED_AMONG, _LONGEST = 100, 10, 1600


def asked(folder: Path, home: Path | None, names: Sequence[str]) -> Iterator[Line]:
    """Yield the hits of each question of these sets, by the settings of a new store."""
    for found in find_sets(folder, "dev"):
        if found.name not in names:
            continue
        with TemporaryBench(home=home, changes={"recall.deep": "off"}) as bench:
            for trial in plan(found, limit=None).trials:
                with bench.opened(trial.name) as memory:
                    for line in _of_trial(trial, memory):
                        yield {"set": found.name, "group": trial.name, **line}


def _of_trial(trial: Trial, memory: EvaluatedMemory) -> Iterator[Line]:
    known = ingest(trial.documents, memory=memory)
    memory.catch_up(lambda *_: None)
    texts = {document.id: document.claim for document in trial.documents}
    for query in trial.queries:
        if query.gold:
            question = Question(text=query.text, budget=MOST_TOKENS, limit=_ASKED)
            yield _line(query, memory.answer(question).bundle, known, texts)


def _line(query: Query, bundle: Bundle, known: Ingested, texts: dict[str, str]) -> Line:
    found: list[BundleItem | LeftOut] = [*bundle.items, *bundle.left_out]
    best = sorted(found, key=lambda item: -item.score)[:KEPT]
    linked = any(
        reason.leg == "link" and reason.amount > 0
        for item in best[:_LINKED_AMONG]
        for reason in item.reasons
    )
    hits = []
    for item in best:
        names = known.documents.get(item.memory_id, ())
        text = texts[names[0]][:_LONGEST] if names else ""
        right = [name for name in names if name in query.gold]
        hits.append({"text": text, "score": item.score, "names": list(names), "right": right})
    return {
        "id": query.id,
        "text": query.text,
        "gold": list(query.gold),
        "links": linked,
        "hits": hits,
    }


def main() -> None:
    """Write the candidates of all sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--home", type=Path, help="a folder with models; your own by default")
    parser.add_argument("--only", nargs="+", default=list(SETS))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    with given.out.open("w", encoding="utf-8") as file:
        for line in asked(given.sets, given.home, given.only):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
