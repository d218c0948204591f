"""The figures of a run, and the differences between two runs of the same questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.evaluation.measures import figure
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult
    from holdfast.domain.evaluation.measures import Figure

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureChange:
    """How much a measure changed from one run to the next, over the questions that both have."""

    set: str
    category: str
    measure: str
    before: float
    after: float
    change: Figure

    @property
    def is_sure(self) -> bool:
        """Tell whether the confidence interval excludes zero."""
        return self.change.low > 0 or self.change.high < 0


def categories(judged: Iterable[JudgedRanking]) -> tuple[str, ...]:
    """Return the categories of some questions, with "all" at the end."""
    return (*sorted({one.category for one in judged} - {ALL}), ALL)


def of_category(judged: Sequence[JudgedRanking], category: str) -> list[JudgedRanking]:
    """Return the questions of a category; every question belongs to "all"."""
    return [one for one in judged if category in {ALL, one.category}]


def mean_of(judged: Iterable[JudgedRanking], measure: str) -> float | None:
    """Return the mean over the questions that have the measure, or None."""
    values = values_of(judged, measure)
    return sum(values) / len(values) if values else None


def values_of(judged: Iterable[JudgedRanking], measure: str) -> list[float]:
    """Return the values of a measure, question by question."""
    return [one.measures[measure] for one in judged if measure in one.measures]


def differences(
    before: Sequence[SetResult], after: Sequence[SetResult], *, measures: Sequence[str]
) -> tuple[MeasureChange, ...]:
    """Return the differences by set, category and measure, paired by question."""
    found = []
    older = {result.name: {one.id: one for one in result.judged} for result in before}
    for result in after:
        known = older.get(result.name, {})
        paired = [one for one in result.judged if one.id in known]
        for category in categories(paired):
            ours = of_category(paired, category)
            for measure in measures:
                pairs = [
                    (known[one.id].measures[measure], one.measures[measure])
                    for one in ours
                    if measure in one.measures and measure in known[one.id].measures
                ]
                if pairs:
                    found.append(_difference(result.name, category, measure, pairs))
    return tuple(found)


def _difference(
    name: str, category: str, measure: str, pairs: Sequence[tuple[float, float]]
) -> MeasureChange:
    return MeasureChange(
        set=name,
        category=category,
        measure=measure,
        before=sum(old for old, _ in pairs) / len(pairs),
        after=sum(new for _, new in pairs) / len(pairs),
        change=figure([new - old for old, new in pairs]),
    )
