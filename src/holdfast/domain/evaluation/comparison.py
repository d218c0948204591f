"""The figures of a run, and the differences between two runs of the same questions.

Retrieval measures: how well a ranking found the right documents, with confidence intervals.

Every measure is between 0 and 1 and is about one question; a figure is their mean.
"""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult


DEPTHS = (1, 5, 10, 20)
ROUNDS = 1_000
_GAIN_DEPTH = 10
_SIGNS_IN_A_TOKEN = 4
_LONGEST_ANSWER = 60
_SEED = 20_261_115
_TAIL = 0.025
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over some questions, with its 95 % confidence interval."""

    count: int
    mean: float
    low: float
    high: float


def ranking_measures(
    ranked: Sequence[str], gold: Collection[str], *, depths: Sequence[int] = DEPTHS
) -> dict[str, float]:
    """Measure a ranking without repetitions against the gold documents, which are not empty.

    ``R@k`` is the share of gold among the first k, ``any@k`` whether at least one is there,
    ``all@k`` whether all are. ``NDCG@10`` rewards early ranks, ``MRR`` the rank of the first.
    """
    wanted = set(gold)
    places = [place for place, name in enumerate(ranked) if name in wanted]
    measures: dict[str, float] = {}
    for depth in depths:
        found = sum(place < depth for place in places)
        measures[f"R@{depth}"] = found / len(wanted)
        measures[f"any@{depth}"] = float(found > 0)
        measures[f"all@{depth}"] = float(found == len(wanted))
    gain = sum(_gain(place) for place in places if place < _GAIN_DEPTH)
    measures["NDCG@10"] = gain / sum(_gain(place) for place in range(min(len(wanted), _GAIN_DEPTH)))
    measures["MRR"] = 1 / (places[0] + 1) if places else 0.0
    return measures


def share_within(
    ranked: Sequence[str], gold: Collection[str], *, sizes: Mapping[str, int], budget: int
) -> float:
    """Return the share of gold that fits a budget when the ranking is read from its start.

    A token is four characters. A text that does not fit is skipped; smaller texts after it may
    still fit.
    """
    wanted, spent, found = set(gold), 0.0, 0
    for name in ranked:
        tokens = sizes.get(name, 0) / _SIGNS_IN_A_TOKEN
        if spent + tokens <= budget:
            spent += tokens
            found += name in wanted
    return found / len(wanted)


def plain_words(text: str) -> str:
    """Return a text in the form for comparing answers: its words in lower case, no punctuation."""
    return " ".join(_WORD.findall(text.lower()))


def short_answers(answers: Sequence[str]) -> tuple[str, ...]:
    """Return the answers, in plain words, that are short enough to search for in a text."""
    plain = [plain_words(answer) for answer in answers]
    return tuple(answer for answer in plain if 0 < len(answer) <= _LONGEST_ANSWER)


def answer_measures(
    texts: Sequence[str], answers: Sequence[str], *, depths: Sequence[int] = DEPTHS
) -> dict[str, float]:
    """Measure whether the first k texts contain an answer: ``ans@k``. All are in plain words."""
    measures: dict[str, float] = {}
    for depth in depths:
        read = f" {' '.join(texts[:depth])} "
        measures[f"ans@{depth}"] = float(any(f" {answer} " in read for answer in answers))
    return measures


def figure(values: Sequence[float], *, rounds: int = ROUNDS) -> Figure:
    """Return the mean of some values, with a bootstrap confidence interval.

    The random draws have a fixed seed, so the same values give the same interval. For the
    differences between two runs, question by question, this is the paired interval.
    """
    if not values:
        return Figure(count=0, mean=math.nan, low=math.nan, high=math.nan)
    count = len(values)
    mean = math.fsum(values) / count
    if min(values) == max(values):
        return Figure(count=count, mean=mean, low=mean, high=mean)
    chance = random.Random(_SEED)  # noqa: S311 - reproducible sampling, not a secret
    ports = sorted(sum(chance.choices(values, k=count)) / count for _ in range(rounds))
    return Figure(
        count=count, mean=mean, low=_quantile(ports, _TAIL), high=_quantile(ports, 1 - _TAIL)
    )


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the quantile, interpolated between the two nearest values."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


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
