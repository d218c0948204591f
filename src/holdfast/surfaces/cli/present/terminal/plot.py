"""Draw bar charts and line charts as SVG text.

Text stays text, so a picture can be searched and read aloud. The colours follow the reader's light
or dark scheme, and colour alone never carries a meaning.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.surfaces.cli.present.terminal.plot_scales import (
    WIDTH,
    Ruler,
    Scale,
    plain_number,
    ruler_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ROW = 18
_GAP = 10
_LETTER = 6.6
_TOP = 64
_FOOT = 52
_PLOT_HEIGHT = 300
_KINDS = 6
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "1 4", "12 5")
_LIGHT = ("#0072b2", "#d98200", "#00875f", "#b5528b", "#c44900", "#3c8dbc")
_DARK = ("#4aa8e8", "#f0ad3c", "#3cc79a", "#e08fbd", "#f2834f", "#8cc8ec")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """The name of a group and one value per series; ``None`` means that there is no value."""

    label: str
    values: tuple[float | None, ...]
    is_ours: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotLine:
    """A named line and its points, from left to right."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The label of an axis, and its scale."""

    label: str
    scale: Scale = Scale.LINEAR


def bars(title: str, rows: Sequence[Bars], *, series: Sequence[str], axis: Axis) -> str:
    """Return horizontal bars, one group per row, with each value at the end of its bar."""
    left = _GAP * 2 + _LETTER * max((len(row.label) for row in rows), default=0)
    ruler = ruler_of(_real(value for row in rows for value in row.values), axis.scale, left)
    group = _ROW * max(len(series), 1) + _GAP
    bottom = _TOP + group * len(rows)
    parts = [*_legend(series if len(series) > 1 else ()), *_grid_across(ruler, bottom, axis)]
    for place, row in enumerate(rows):
        top = _TOP + group * place
        weight = ' class="ours"' if row.is_ours else ""
        middle = top + (group - _GAP) / 2 + 4
        parts.append(
            f'<text x="{left - _GAP:.1f}" y="{middle:.1f}" text-anchor="end"{weight}>'
            f"{escape(row.label)}</text>"
        )
        for kind, value in enumerate(row.values):
            parts.append(_bar(row.label, value, ruler, kind=kind, top=top + _ROW * kind))
    return _page(title, parts, height=bottom + _FOOT, told=_told(rows, series, axis))


def lines(title: str, rows: Sequence[PlotLine], *, across: Axis, up: Axis) -> str:
    """Return one line per row, with a mark at each measured point and the name at the end."""
    points = [point for row in rows for point in row.points]
    bottom = _TOP + _PLOT_HEIGHT
    aside = ruler_of(_real(x for x, _ in points), across.scale, 64)
    upright = ruler_of(_real(y for _, y in points), up.scale, bottom, end=_TOP)
    parts = _grid_across(aside, bottom, across)
    for tick in upright.ticks():
        here = upright.at(tick)
        parts.append(_rule((aside.start, here), (aside.end, here)))
        parts.append(_soft(plain_number(tick), aside.start - 6, here + 4, anchor="end"))
    parts.append(
        f'<text class="soft" transform="translate(14 {(_TOP + bottom) / 2:.1f}) rotate(-90)"'
        f' text-anchor="middle">{escape(up.label)}</text>'
    )
    for kind, row in enumerate(rows):
        parts += _drawn(row, aside, upright, kind=kind)
    told = "; ".join(
        f"{row.label}: "
        + ", ".join(f"{plain_number(x)} gives {plain_number(y)}" for x, y in row.points)
        for row in rows
    )
    return _page(title, parts, height=bottom + _FOOT, told=f"{up.label} by {across.label}. {told}.")


def _bar(label: str, value: float | None, ruler: Ruler, *, kind: int, top: float) -> str:
    if value is None or not math.isfinite(value):
        return (
            f'<text class="soft" x="{ruler.start + 4:.1f}" y="{top + 13:.1f}">–'
            f"<title>{escape(label)}: there is no such figure</title></text>"
        )
    end = max(ruler.at(value), ruler.start + 1)
    said = plain_number(value)
    return (
        f'<rect x="{ruler.start:.1f}" y="{top + 2:.1f}" width="{end - ruler.start:.1f}"'
        f' height="{_ROW - 4}" class="fill{kind % _KINDS}">'
        f"<title>{escape(label)}: {said}</title></rect>"
        f'<text x="{end + 5:.1f}" y="{top + 13:.1f}">{said}</text>'
    )


def _drawn(row: PlotLine, aside: Ruler, upright: Ruler, *, kind: int) -> list[str]:
    places = [(aside.at(x), upright.at(y)) for x, y in row.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = _DASHES[kind % _KINDS]
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    marks = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="fill{kind % _KINDS}"><title>'
        f"{escape(row.label)}: {plain_number(at)} gives {plain_number(gives)}</title></circle>"
        for (x, y), (at, gives) in zip(places, row.points, strict=True)
    ]
    named = [
        f'<text x="{x - 6:.1f}" y="{y - 8:.1f}" text-anchor="end">{escape(row.label)}</text>'
        for x, y in places[-1:]
    ]
    line = f'<polyline class="line line{kind % _KINDS}" points="{path}"{broken}/>'
    return [line, *marks, *named]


def _grid_across(ruler: Ruler, bottom: float, axis: Axis) -> list[str]:
    parts = []
    for tick in ruler.ticks():
        here = ruler.at(tick)
        parts.append(_rule((here, _TOP - 4), (here, bottom)))
        parts.append(_soft(plain_number(tick), here, bottom + 16))
    scale = " (log scale)" if axis.scale is Scale.LOG else ""
    parts.append(_soft(axis.label + scale, (ruler.start + ruler.end) / 2, bottom + 36))
    return parts


def _rule(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="rule" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _soft(said: str, x: float, y: float, *, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="soft" {place}>{escape(said)}</text>'


def _legend(names: Sequence[str]) -> list[str]:
    parts, left = [], float(_GAP * 2)
    for kind, name in enumerate(names):
        parts += [
            f'<rect x="{left:.1f}" y="36" width="12" height="12" class="fill{kind % _KINDS}"/>',
            f'<text x="{left + 18:.1f}" y="46">{escape(name)}</text>',
        ]
        left += 34 + _LETTER * len(name)
    return parts


def _page(title: str, parts: Iterable[str], *, height: float, told: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(told)}</desc>",
            f"<style>{_style()}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
            f'<text class="title" x="{_GAP * 2}" y="22">{escape(title)}</text>',
            *parts,
            "</svg>\n",
        ]
    )


def _told(rows: Sequence[Bars], series: Sequence[str], axis: Axis) -> str:
    """Describe the picture in words, for people who do not see it."""
    said = [
        f"{row.label}: "
        + ", ".join(
            f"{'none' if value is None else plain_number(value)} {name}".rstrip()
            for value, name in zip(row.values, [*series, *[""] * len(row.values)], strict=False)
        )
        for row in rows
    ]
    return f"{axis.label}. {'; '.join(said)}."


def _real(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None and math.isfinite(value)]


def _style() -> str:
    """Return the style sheet; colours are repeated because not every viewer supports variables."""
    light = _colours(ink="#1c2330", soft="#5b6472", rule="#d5d9e0", paper="#ffffff", kinds=_LIGHT)
    dark = _colours(ink="#e8ebf0", soft="#a3acba", rule="#3a4250", paper="#12161d", kinds=_DARK)
    return (
        "text { font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }\n"
        ".ours { font-weight: 700 } .line { fill: none; stroke-width: 2 }\n"
        f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
    )


def _colours(*, ink: str, soft: str, rule: str, paper: str, kinds: Sequence[str]) -> str:
    rules = [
        f".paper {{ fill: {paper} }} .rule {{ stroke: {rule} }}",
        f"text {{ fill: {ink} }} text.soft {{ fill: {soft} }}",
        *(
            f".fill{kind} {{ fill: {colour} }} .line{kind} {{ stroke: {colour} }}"
            for kind, colour in enumerate(kinds)
        ),
    ]
    return "\n".join(rules)
