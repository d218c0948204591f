"""Print measurements: a table per set, one of all sets, differences, and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.evaluation.comparison import (
    categories,
    figure,
    mean_of,
    of_category,
    values_of,
)
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import show_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.evaluation.benchmark import SetResult
    from holdfast.domain.evaluation.comparison import MeasureChange
    from holdfast.surfaces.cli.present.terminal.output import Output

RANKING = ("R@1", "R@5", "R@10", "NDCG@10", "MRR")
_SURE = ("R@5", "R@10", "NDCG@10")
_PERCENT = 100


def shown_measures(results: Sequence[SetResult], budgets: Sequence[int]) -> tuple[str, ...]:
    """Return the measures that a table shows, in order: those that any question has.

    Whether the answer occurs in the text is shown only if most questions have a short answer.
    """
    had = {name for result in results for one in result.judged for name in one.measures}
    asked = [one for result in results for one in result.judged]
    is_short = 2 * len(values_of(asked, "ans@1")) > len(asked)
    wanted = [*RANKING, *(("ans@1", "ans@10") if is_short else ())]
    for kind in ("gold@", "key@", "fresh@"):
        wanted += [f"{kind}{budget}" for budget in budgets]
    return tuple(name for name in wanted if name in had)


def show_set(result: SetResult, output: Output, *, budgets: Sequence[int]) -> None:
    """Write one set: a row per category, and the confidence interval of the whole."""
    measures = shown_measures([result], budgets)
    output.say(Bold(result.name), Dim(f"  {_about(result)}"))
    for note in result.notes:
        output.say(Dim(note))
    rows = []
    for category in categories(result.judged):
        ours = of_category(result.judged, category)
        rows.append([category, f"{len(ours):,}", *(_percent(mean_of(ours, m)) for m in measures)])
    _headed(output, ["CATEGORY", "N", *measures], rows)
    sure = []
    for measure in _SURE:
        interval = figure(values_of(result.judged, measure))
        if interval.count:
            low, high = interval.low * _PERCENT, interval.high * _PERCENT
            sure.append(f"{measure} {low:.1f} to {high:.1f}")
    output.say(Dim("95 % intervals: " + ", ".join(sure)) if sure else Dim("no question was asked"))
    bare = [(name, mean_of(result.judged, name)) for name in (f"R<={one}" for one in budgets)]
    if told := [f"{name} {_percent(mean)}" for name, mean in bare if mean is not None]:
        output.say(Dim("bare texts, without ids and evidence: " + ", ".join(told)))
    output.say()


def show_all(results: Sequence[SetResult], output: Output, *, budgets: Sequence[int]) -> None:
    """Write one table of every set."""
    measures = shown_measures(results, budgets)
    rows = [
        [
            Name(result.name),
            f"{len(result.judged):,}",
            *(_percent(mean_of(result.judged, measure)) for measure in measures),
            f"{sum(result.seconds.values()):.0f}",
        ]
        for result in results
    ]
    _headed(output, ["SET", "N", *measures, "SECONDS"], rows)


def show_differences(found: Sequence[MeasureChange], output: Output) -> None:
    """Write the differences, and mark those that the confidence interval confirms."""
    rows = []
    for one in found:
        low, high = one.change.low * _PERCENT, one.change.high * _PERCENT
        mark = "" if not one.is_sure else Good("better") if one.change.mean > 0 else Bad("worse")
        rows.append(
            [
                Name(one.set),
                one.category,
                one.measure,
                f"{one.change.count:,}",
                _percent(one.before),
                _percent(one.after),
                f"{one.change.mean * _PERCENT:+.1f}",
                f"{low:+.1f} to {high:+.1f}",
                mark,
            ]
        )
    _headed(
        output,
        ["SET", "CATEGORY", "MEASURE", "N", "BEFORE", "AFTER", "CHANGE", "95 % INTERVAL", ""],
        rows,
    )


def quality_by_tokens(results: Sequence[SetResult]) -> str:
    """Return a plot of the share of gold items inside a budget, one line per set."""
    from holdfast.surfaces.cli.present.terminal.plot import Axis, PlotLine, lines
    from holdfast.surfaces.cli.present.terminal.plot_scales import Scale
    from holdfast.usecases.evaluation.evaluate import CURVE

    rows = []
    for result in results:
        shares = [(budget, mean_of(result.judged, f"R<={budget}")) for budget in CURVE]
        points = tuple((float(x), share * _PERCENT) for x, share in shares if share is not None)
        if points:
            rows.append(PlotLine(label=result.name, points=points))
    return lines(
        "What a budget of tokens holds",
        rows,
        across=Axis(label="tokens", scale=Scale.LOG),
        up=Axis(label="% of what should be found"),
    )


def _about(result: SetResult) -> str:
    parts = [counted(result.documents, "document")]
    if result.memories != result.documents:
        parts.append(counted(result.memories, "memory", "memories"))
    if result.refused:
        parts.append(f"{result.refused:,} refused by the gates")
    parts += [f"{name} {value:.1f} s" for name, value in result.seconds.items()]
    return ", ".join(parts)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value * _PERCENT:.1f}"


def _headed(output: Output, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table that keeps its headings in a pipe too, because its figures need them."""
    show_table(output, heads, rows if output.is_terminal else [heads, *rows])
