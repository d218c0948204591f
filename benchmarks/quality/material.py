"""The questions and documents of a set, with the vectors that every store is given."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.benchsets.files import find_sets
from holdfast.adapters.benchsets.reading import plan
from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult, Trial
from holdfast.domain.evaluation.comparison import ranking_measures, share_within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.peers.meanings import Reader
    from holdfast.domain.evaluation.benchmark import Document, Query

_SPLIT = "dev"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSet:
    """One set: its trials by folder name, and the folder with their texts and vectors."""

    name: str
    folder: Path
    trials: Mapping[str, Trial]

    def result(self, rankings: Mapping[str, Sequence[Sequence[int]]], budget: int) -> SetResult:
        """Return the measures of a store's rankings, computed as ``holdfast eval`` does."""
        judged = [
            _judged(query, ranked, _stored(self.trials[name]), budget)
            for name, answers in rankings.items()
            for query, ranked in zip(_asked(self.trials[name]), answers, strict=True)
        ]
        return SetResult(name=self.name, judged=tuple(judged))

    def asked_of(self, result: SetResult) -> SetResult:
        """Return the part of a result that is about the questions that are asked here."""
        asked = {query.id for trial in self.trials.values() for query in _asked(trial)}
        judged = tuple(one for one in result.judged if one.id in asked)
        if len(judged) != len(asked):
            sys.exit(f"{self.name}: {len(asked) - len(judged)} questions are not in that result.")
        return replace(result, judged=judged)


def prepared(data: Path, name: str, *, limit: int, reader: Reader, work: Path) -> MeasuredSet:
    """Read a set, embed its documents and questions, and write both for the stores."""
    found = next(one for one in find_sets(data, _SPLIT) if one.name == name)
    trials = list(plan(found, limit=limit).trials)
    for place, trial in enumerate(trials):
        _write(work / name / f"{place:03}", trial, reader)
    named = {f"{place:03}": trial for place, trial in enumerate(trials)}
    return MeasuredSet(name=name, folder=work / name, trials=named)


def _write(folder: Path, trial: Trial, reader: Reader) -> None:
    folder.mkdir(parents=True)
    texts = [document.claim for document in _stored(trial)]
    questions = [query.text for query in _asked(trial)]
    (folder / "documents.json").write_text(json.dumps(texts), encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    (folder / "documents.f32").write_bytes(reader.read(texts))
    (folder / "questions.f32").write_bytes(reader.ask(questions))


def _stored(trial: Trial) -> list[Document]:
    return [document for document in trial.documents if document.claim.strip()]


def _asked(trial: Trial) -> list[Query]:
    return [query for query in trial.queries if query.gold]


def _judged(
    query: Query, ranked: Sequence[int], documents: Sequence[Document], budget: int
) -> JudgedRanking:
    names = tuple(documents[number].id for number in ranked)
    sizes = {document.id: len(document.text) for document in documents}
    measures = ranking_measures(names, query.gold)
    within = share_within(names, query.gold, sizes=sizes, budget=budget)
    return JudgedRanking(
        id=query.id,
        category=query.category,
        ranked=names,
        measures={**measures, f"R<={budget}": within},
    )
