"""Evaluations of recall, in temporary homes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from holdfast.adapters.benchsets.files import SetFolder
    from holdfast.adapters.benchsets.reading import TrialPlan
    from holdfast.app import Holdfast
    from holdfast.bootstrap.machine.evaluation import TemporaryBench
    from holdfast.domain.evaluation.benchmark import SetResult, Trial
    from holdfast.usecases.evaluation.evaluate import Watcher


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryAsked:
    """The commits, the number of questions, and the budgets of an evaluation on history."""

    since: datetime | None
    limit: int | None
    budgets: Sequence[int]


class Measuring(MachinePart):
    """Measures recall on sets of questions, and on the history of the repository."""

    @performs(Operation.READ)
    def sets(self, folder: Path, split: str) -> Sequence[SetFolder]:
        """Return the sets of questions in a folder."""
        from holdfast.bootstrap.machine.evaluation import find_sets

        return find_sets(folder, split)

    @performs(Operation.READ)
    def plan(self, found: SetFolder, *, limit: int | None) -> TrialPlan:
        """Return the trials of a set."""
        from holdfast.bootstrap.machine.evaluation import plan

        return plan(found, limit=limit)

    @performs(Operation.READ)
    def bench(self, changes: Mapping[str, str], *, keep: Path | None) -> TemporaryBench:
        """Return the bench that creates trials: in temporary homes, or in a folder that is kept."""
        from holdfast.bootstrap.machine.evaluation import TemporaryBench

        return TemporaryBench(home=self._machine.home, changes=changes, keep=keep)

    @performs(Operation.READ)
    def on_set(
        self,
        name: str,
        trials: Iterable[Trial],
        *,
        bench: TemporaryBench,
        budgets: Sequence[int],
        watcher: Watcher,
    ) -> SetResult:
        """Run every trial of a set, and combine the results."""
        from holdfast.usecases.evaluation.evaluate import evaluate

        return evaluate(name, trials, bench=bench, budgets=budgets, watcher=watcher)

    @performs(Operation.READ)
    def on_history(
        self,
        holdfast: Holdfast,
        *,
        bench: TemporaryBench,
        asked: HistoryAsked,
        watcher: Watcher,
    ) -> SetResult:
        """Ask with the words of commits, and measure whether decisions about the code are found."""
        from holdfast.bootstrap.machine.evaluation import history
        from holdfast.usecases.evaluation.evaluate_history import evaluate_history

        return evaluate_history(
            memory=holdfast.measured,
            history=history(self._machine.folder, since=asked.since),
            bench=bench,
            limit=asked.limit,
            budgets=asked.budgets,
            watcher=watcher,
        )
