"""Writes what every store found: a table, the differences to Holdfast, and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.peers.peer import OURS
from holdfast.domain.evaluation.benchmark import SetResult, results_from_json, results_json
from holdfast.domain.evaluation.comparison import ALL, differences, mean_of
from holdfast.surfaces.cli.present.terminal.plot import Axis, Bars, bars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BEGIN, END = "<!-- quality -->", "<!-- /quality -->"
PICTURE = "quality.svg"
_DEPTHS = ("R@5", "R@10")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRow:
    """What one store found on each set, or why there is nothing."""

    name: str
    note: str = ""
    version: str = ""
    problem: str = ""
    results: tuple[SetResult, ...] = ()

    def told(self) -> dict[str, object]:
        """Return the row as JSON values."""
        return {
            "name": self.name,
            "note": self.note,
            "version": self.version,
            "problem": self.problem,
            **results_json(self.results),
        }


def row_from_json(shape: Mapping[str, object]) -> StoreRow:
    """Return a row of a results file."""
    return StoreRow(
        name=str(shape["name"]),
        note=str(shape["note"]),
        version=str(shape["version"]),
        problem=str(shape["problem"]),
        results=results_from_json(dict(shape)),
    )


def text(rows: Sequence[StoreRow], *, model: str, budget: int) -> str:
    """Return the tables and the notes as Markdown."""
    sets = list(dict.fromkeys(result.name for row in rows for result in row.results))
    parts = [*_found(rows, sets, budget), "", *_differences(rows, sets, budget), ""]
    parts += [f"Embedding model of every store: {model}.", *_questions(rows)]
    for row in rows:
        said = "; ".join(filter(None, (row.version, row.note, row.problem)))
        parts.append(f"- {row.name}: {said}.")
    return "\n".join(parts) + "\n"


def picture(rows: Sequence[StoreRow], *, budget: int) -> str:
    """Return bars: the share of gold that fits the budget, by store and set."""
    sets = list(dict.fromkeys(result.name for row in rows for result in row.results))
    measured = [row for row in rows if row.results]
    return bars(
        f"What {budget:,} tokens hold",
        [
            Bars(
                label=row.name,
                values=tuple(_percent(row, name, f"R<={budget}") for name in sets),
                is_ours=row.name == OURS.name,
            )
            for row in measured
        ],
        series=sets,
        axis=Axis(label="% of what should be found"),
    )


def _found(rows: Sequence[StoreRow], sets: Sequence[str], budget: int) -> list[str]:
    measures = (*_DEPTHS, f"R<={budget}")
    heads = [f"{name} {measure}" for name in sets for measure in measures]
    lines = [f"| store | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for row in rows:
        cells = [_cell(_percent(row, name, measure)) for name in sets for measure in measures]
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return lines


def _differences(rows: Sequence[StoreRow], sets: Sequence[str], budget: int) -> list[str]:
    """Return how much more Holdfast finds than each other store, with 95 % intervals."""
    ours = next((row for row in rows if row.name == OURS.name), None)
    others = [row for row in rows if row is not ours and row.results]
    if ours is None or not others:
        return []
    measure = f"R<={budget}"
    lines = [
        f"Points that Holdfast finds more in {budget:,} tokens, and 95 % intervals;"
        + " bold is larger than chance:",
        "",
        f"| store | {' | '.join(sets)} |",
        "|---|" + "---:|" * len(sets),
    ]
    for row in others:
        found = {
            one.set: one
            for one in differences(row.results, ours.results, measures=[measure])
            if one.category == ALL
        }
        cells = []
        for name in sets:
            if (one := found.get(name)) is None:
                cells.append("")
                continue
            mean, low, high = (
                f"{100 * value:+.1f}"
                for value in (one.change.mean, one.change.low, one.change.high)
            )
            cells.append(f"{f'**{mean}**' if one.is_sure else mean} ({low} to {high})")
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return lines


def _questions(rows: Sequence[StoreRow]) -> list[str]:
    measured = next((row for row in rows if row.results), None)
    if measured is None:
        return []
    said = ", ".join(f"{result.name} {len(result.judged):,}" for result in measured.results)
    return [f"Questions: {said}.", ""]


def _percent(row: StoreRow, name: str, measure: str) -> float | None:
    for result in row.results:
        if result.name == name:
            mean = mean_of(result.judged, measure)
            return None if mean is None else 100 * mean
    return None


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
