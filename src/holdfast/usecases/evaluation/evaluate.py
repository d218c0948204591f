"""Evaluate: remember the documents of a set, ask its questions, and measure the answers.

Documents and questions take the same path as a person's memories and questions; no code here
depends on the set.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult
from holdfast.domain.evaluation.comparison import (
    DEPTHS,
    answer_measures,
    plain_words,
    ranking_measures,
    share_within,
    short_answers,
)
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.recall.question import DEFAULT_LIMIT, MOST_ITEMS, MOST_TOKENS, Question
from holdfast.usecases.evaluation.ingesting import EvaluatedMemory, Ingested, ingest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.evaluation.benchmark import Query, Trial
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.ports.store.upkeep import Progress

BUDGETS = (500, 1_000, 2_000)
CURVE = (125, 250, 500, 1_000, 2_000, 4_000, 8_000)
_RANKED_ITEMS = 100
_DEEPEST = max(DEPTHS)


class Workbench(Protocol):
    """Creates the stores of trials, separate from any person's own."""

    def opened(self, trial: str) -> AbstractContextManager[EvaluatedMemory]:
        """Open a trial's store; it is deleted or kept afterwards, as requested."""
        ...

    def known(self, trial: str) -> Ingested | None:
        """Return what a kept store already contains, or None."""
        ...

    def note(self, trial: str, ingested: Ingested) -> None:
        """Record what a store contains now, beside it."""
        ...


Watcher = Callable[[str, int, int], None]
"""Receives the progress: the step, how much of it is done, and the total."""


def evaluate(
    name: str,
    trials: Iterable[Trial],
    *,
    bench: Workbench,
    budgets: Sequence[int] = BUDGETS,
    watcher: Watcher = lambda *_: None,
) -> SetResult:
    """Run every trial of a set in a store of its own, and combine the results."""
    judged: list[JudgedRanking] = []
    documents = memories = refused = 0
    seconds = {"remembering": 0.0, "asking": 0.0}
    for trial in trials:
        with bench.opened(trial.name) as memory:
            begun = perf_counter()
            ingested = bench.known(trial.name)
            if ingested is None:
                ingested = ingest(
                    trial.documents, memory=memory, progress=partial(watcher, "remembering")
                )
                bench.note(trial.name, ingested)
            with suppress(NoModelError):  # without a model, the search by words alone is measured
                memory.catch_up(partial(watcher, "embedding"))
            remembered = perf_counter()
            judged += judge(
                trial,
                ingested,
                memory=memory,
                budgets=budgets,
                progress=partial(watcher, "asking"),
            )
            seconds["remembering"] += remembered - begun
            seconds["asking"] += perf_counter() - remembered
        documents += len(trial.documents)
        memories += len(ingested.documents)
        refused += len(ingested.refused)
    return SetResult(
        name=name,
        judged=tuple(judged),
        documents=documents,
        memories=memories,
        refused=refused,
        seconds=seconds,
    )


def judge(
    trial: Trial,
    ingested: Ingested,
    *,
    memory: EvaluatedMemory,
    budgets: Sequence[int] = BUDGETS,
    progress: Progress = lambda *_: None,
) -> tuple[JudgedRanking, ...]:
    """Ask every question that has a known answer, and measure the results."""
    asked = [query for query in trial.queries if query.gold]
    texts = {document.id: document.text for document in trial.documents}
    sizes = {name: len(text) for name, text in texts.items()}
    judged = []
    for count, query in enumerate(asked, start=1):
        ranked = _ranked(query, ingested, memory=memory)
        measures = ranking_measures(ranked, query.gold)
        for budget in {*budgets, *CURVE}:
            within = share_within(ranked, query.gold, sizes=sizes, budget=budget)
            measures[f"R<={budget}"] = within
        if answers := short_answers(query.answers):
            read = [plain_words(texts.get(name, "")) for name in ranked[:_DEEPEST]]
            measures |= answer_measures(read, answers)
        if query.key:
            for budget in budgets:
                within = share_within(ranked, query.key, sizes=sizes, budget=budget)
                measures[f"key<={budget}"] = float(within == 1.0)
        if query.key or query.among is None:
            measures |= _bundle_measures(query, ingested, memory=memory, budgets=budgets)
        judged.append(
            JudgedRanking(id=query.id, category=query.category, ranked=ranked, measures=measures)
        )
        progress(count, len(asked))
    return tuple(judged)


def _ranked(query: Query, ingested: Ingested, *, memory: EvaluatedMemory) -> tuple[str, ...]:
    """Return the documents in the order of the answer: the given ones, then those left out."""
    limit = _RANKED_ITEMS if query.among is None else MOST_ITEMS
    bundle = memory.answer(Question(text=query.text, budget=MOST_TOKENS, limit=limit)).bundle
    order = [item.memory_id for item in bundle.items]
    order += [item.memory_id for item in bundle.left_out]
    names = dict.fromkeys(
        name for memory_id in order for name in ingested.documents.get(memory_id, ())
    )
    return tuple(name for name in names if query.among is None or name in query.among)


def _bundle_measures(
    query: Query, ingested: Ingested, *, memory: EvaluatedMemory, budgets: Sequence[int]
) -> dict[str, float]:
    """Measure real answers, as an agent reads them, for each budget.

    Which share of the gold is in them, is the whole key in them, and is nothing stale unmarked.
    """
    measures: dict[str, float] = {}
    for budget in budgets:
        asked = Question(text=query.text, budget=budget, limit=DEFAULT_LIMIT)
        bundle = memory.answer(asked).bundle
        given = {name for item in bundle.items for name in _names(item.memory_id, ingested)}
        measures[f"gold@{budget}"] = len(given & set(query.gold)) / len(query.gold)
        if query.key:
            measures[f"key@{budget}"] = float(given.issuperset(query.key))
        if query.stale:
            unmarked = _unmarked(bundle, ingested)
            measures[f"fresh@{budget}"] = float(unmarked.isdisjoint(query.stale))
    return measures


def _unmarked(bundle: Bundle, ingested: Ingested) -> set[str]:
    """Return the documents that an answer gives without marking them as superseded."""
    return {
        name
        for item in bundle.items
        if item.superseded_by is None
        for name in _names(item.memory_id, ingested)
    }


def _names(memory_id: MemoryId, ingested: Ingested) -> tuple[str, ...]:
    return ingested.documents.get(memory_id, ())
