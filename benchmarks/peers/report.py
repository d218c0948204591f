"""Writes the results: tables, pictures, and the section of the benchmarks page."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.peers.measure import Row
from benchmarks.peers.peer import OURS
from holdfast.surfaces.cli.present.terminal.plot import Axis, Bars, bars
from holdfast.surfaces.cli.present.terminal.plot_scales import Scale, plain_number

BEGIN, END = "<!-- peers -->", "<!-- /peers -->"
_ASKING = {
    "warm_cpu": "warm CPU ms",
    "warm_wall": "warm ms",
    "filtered_cpu": "1 % filter CPU ms",
    "filtered_wall": "1 % filter ms",
    "cold_cpu": "cold CPU ms",
    "cold_wall": "cold ms",
    "near_cpu": "meaning alone CPU ms",
    "near_filtered_cpu": "the same, 1 % filter",
    "recall": "recall@10",
    "filtered_recall": "the same, 1 % filter",
}
_KEEPING = {
    "fill_cpu": "ingest CPU s",
    "fill_wall": "ingest s",
    "fill_peak": "memory of ingest MB",
    "peak": "memory of recall MB",
    "disk": "disk MB",
}
_RATIOS = ("warm_cpu", "filtered_cpu", "cold_cpu", "fill_cpu", "peak", "disk")
_PICTURES = (
    ("recall", "Warm recall", "milliseconds of CPU", ("warm_cpu", "filtered_cpu")),
    ("cold", "First answer of a fresh process", "milliseconds of CPU", ("cold_cpu",)),
    ("ingest", "Ingest", "seconds of CPU", ("fill_cpu",)),
)
_SERIES = {"warm_cpu": "no filter", "filtered_cpu": "1 % filter"}


def results(rows: Sequence[Row], about: dict[str, object], versions: dict[str, str]) -> str:
    """Return everything as JSON, with the information needed to read it later."""
    told = {
        "when": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {_processor()}",
        "python": platform.python_version(),
        "material": about,
        "versions": versions,
        "rows": [row.told() for row in rows],
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def read(path: Path) -> tuple[list[Row], dict[str, Any]]:
    """Return the rows of a results file, and the rest of it."""
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names = {one.name for one in fields(Row)}
    rows = [
        Row(**{key: value for key, value in row.items() if key in names})
        for row in told.pop("rows")
    ]
    return rows, told


def tables(rows: Sequence[Row]) -> str:
    """Return a table of figures and one of ratios for each size, as Markdown."""
    parts = []
    for size in sorted({row.size for row in rows}):
        here = [row for row in rows if row.size == size]
        parts += [f"### {size:,} texts", ""]
        for block in (_ratios(here), _table(here, _ASKING), _table(here, _KEEPING), _notes(here)):
            parts += [*block, ""] if block else []
    return "\n".join(parts).rstrip() + "\n"


def _table(rows: Sequence[Row], columns: Mapping[str, str]) -> list[str]:
    lines = [f"| store | {' | '.join(columns.values())} |", "|---|" + "---:|" * len(columns)]
    for row in rows:
        cells = [_cell(name, getattr(row, name)) for name in columns]
        lines.append(f"| {_name(row)} | {' | '.join(cells)} |")
    return lines


def _notes(rows: Sequence[Row]) -> list[str]:
    marks = ["¹ by meaning alone: this store has no ranked words without a download.", ""]
    said = [
        f"- {row.name}: {'; '.join(filter(None, (row.note, _find(row), row.remark, row.problem)))}."
        for row in rows
    ]
    return [*(marks if any(not row.is_hybrid for row in rows) else []), *said]


def _ratios(rows: Sequence[Row]) -> list[str]:
    ours = next((row for row in rows if row.name == OURS.name), None)
    others = [row for row in rows if row is not ours and row.warm_cpu is not None]
    if ours is None or not others:
        return []
    columns = {**_ASKING, **_KEEPING}
    heads = [columns[name].removesuffix(" ms").removesuffix(" MB") for name in _RATIOS]
    lines = [
        "How many times what Holdfast takes (more than 1: Holdfast takes less):",
        "",
        f"| store | {' | '.join(heads)} |",
        "|---|" + "---:|" * len(heads),
    ]
    for row in others:
        cells = [_ratio(getattr(row, name), getattr(ours, name)) for name in _RATIOS]
        lines.append(f"| {_name(row)} | {' | '.join(cells)} |")
    return lines


def pictures(rows: Sequence[Row]) -> dict[str, str]:
    """Return the pictures by file name, drawn for the largest size that several stores reached."""
    shared = [size for size in {row.size for row in rows} if _asked_at(rows, size) > 1]
    if not shared:
        return {}
    size = max(shared)
    here = [row for row in rows if row.size == size and row.warm_cpu is not None]
    drawn = {}
    for name, title, unit, wanted in _PICTURES:
        ranked = sorted(here, key=lambda row: getattr(row, wanted[-1]) or float("inf"))
        drawn[f"peers-{name}.svg"] = bars(
            f"{title}, {size:,} texts",
            [
                Bars(
                    label=row.name + ("" if row.is_hybrid else " ¹"),
                    values=tuple(getattr(row, figure) for figure in wanted),
                    is_ours=row.name == OURS.name,
                )
                for row in ranked
            ],
            series=[_SERIES.get(figure, "") for figure in wanted],
            axis=Axis(label=unit, scale=Scale.LOG),
        )
    return drawn


def section(rows: Sequence[Row], told: dict[str, Any]) -> str:
    """Return the text between the markers of the benchmarks page."""
    material, versions = told["material"], told["versions"]
    shown = [f"![{title}]({name})" for name, title in _links(rows)]
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    vectors = f"{material['model']}, {material['dimension']} numbers each"
    return "\n".join(
        [
            f"`make bench-peers`, {told['when']}, {told['machine']}, Python {told['python']}.",
            f"Vectors: {vectors}; it read {material['read']:,} paragraphs.",
            "Every text is a mixture of two of them, its vector the same mixture with some noise.",
            f"Versions: {listed}.",
            "",
            *shown,
            "",
            tables(rows).rstrip(),
        ]
    )


def into_page(page: str, words: str) -> str:
    """Return the page with this text between its markers.

    Raises:
        NoMarkersError: The page has no markers.
    """
    if BEGIN not in page or END not in page:
        raise NoMarkersError
    before, rest = page.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n\n{words}\n\n{END}{after}"


class NoMarkersError(ValueError):
    """The page has no place for the results."""

    def __init__(self) -> None:
        super().__init__(f"The page has no lines {BEGIN} and {END}; add them where it belongs.")


def _find(row: Row) -> str:
    """Return the time of the search alone, if it was measured beside the whole recall."""
    if row.find_cpu is None or row.find_filtered_cpu is None:
        return ""
    costs = (
        f"{plain_number(row.find_cpu)} ms of CPU, {plain_number(row.find_filtered_cpu)} filtered"
    )
    return f"both legs alone, joined by rank and read as the others do, take {costs}"


def _links(rows: Sequence[Row]) -> list[tuple[str, str]]:
    titles = {f"peers-{name}.svg": title for name, title, _, _ in _PICTURES}
    return [(name, titles[name]) for name in pictures(rows)]


def _asked_at(rows: Sequence[Row], size: int) -> int:
    return sum(row.size == size and row.warm_cpu is not None for row in rows)


def _name(row: Row) -> str:
    name = f"**{row.name}**" if row.name == OURS.name else row.name
    return name if row.is_hybrid else f"{name} ¹"


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if name.endswith("recall") else plain_number(value)


def _ratio(value: float | None, ours: float | None) -> str:
    return "–" if value is None or not ours else f"{plain_number(value / ours)}×"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
