"""Pictures of numbers: what they say in words, and where things stand on them."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given
from hypothesis import strategies as some

from holdfast.surfaces.cli.present.terminal.plot import Axis, Bars, PlotLine, bars, lines
from holdfast.surfaces.cli.present.terminal.plot_scales import Scale, plain_number

SVG = "{http://www.w3.org/2000/svg}"
MILLISECONDS = Axis(label="milliseconds", scale=Scale.LOG)


def read(picture: str) -> Tree.Element:
    return Tree.fromstring(picture)  # noqa: S314 - the text was made here, by us


def words_on(picture: str) -> list[str]:
    return [part.text or "" for part in read(picture).iter(f"{SVG}text")]


def lengths(picture: str) -> list[float]:
    """How long the bars are; the squares of the legend and the paper are no bars."""
    boxes = [box.attrib for box in read(picture).iter(f"{SVG}rect")]
    return [float(box["width"]) for box in boxes if box["height"] == "14"]


def some_bars(*values: float | None) -> list[Bars]:
    return [Bars(label=f"store {place}", values=(value,)) for place, value in enumerate(values)]


def test_every_name_value_and_axis_stands_there_as_text() -> None:
    picture = bars(
        "How long a question takes",
        [Bars(label="ours", values=(4.0, 2.5), is_ours=True), Bars(label="theirs", values=(48, 9))],
        series=("unfiltered", "filtered"),
        axis=MILLISECONDS,
    )

    words = words_on(picture)
    assert {"How long a question takes", "ours", "theirs", "unfiltered", "filtered"} <= set(words)
    assert {"4", "2.5", "48", "9", "milliseconds (log scale)"} <= set(words)


def test_on_a_log_scale_ten_times_more_is_always_the_same_step() -> None:
    picture = bars("t", some_bars(0.2, 2, 20, 200), series=("",), axis=MILLISECONDS)

    first, second, third, fourth = lengths(picture)
    assert second - first == pytest.approx(third - second, abs=0.2)
    assert third - second == pytest.approx(fourth - third, abs=0.2)
    assert first > 0


def test_on_a_plain_scale_bars_are_as_long_as_their_values_say() -> None:
    picture = bars("t", some_bars(1, 2, 4), series=("",), axis=Axis(label="MB"))

    first, second, third = lengths(picture)
    assert second == pytest.approx(2 * first, abs=0.2)
    assert third == pytest.approx(4 * first, abs=0.2)


def test_a_figure_that_there_is_not_is_a_dash_and_no_bar() -> None:
    picture = bars("t", some_bars(3.0, None, float("nan")), series=("",), axis=MILLISECONDS)

    assert len(lengths(picture)) == 1
    assert words_on(picture).count("–") == 2


def test_a_line_goes_through_its_points_and_higher_values_stand_higher() -> None:
    rows = [PlotLine(label="hybrid", points=((500, 0.5), (1000, 0.75), (2000, 0.9)))]

    picture = lines("t", rows, across=Axis(label="tokens"), up=Axis(label="found"))

    (path,) = read(picture).iter(f"{SVG}polyline")
    points = [tuple(map(float, pair.split(","))) for pair in path.attrib["points"].split()]
    across, up = zip(*points, strict=True)
    assert list(across) == sorted(across)
    assert list(up) == sorted(up, reverse=True)
    assert {"hybrid", "tokens", "found"} <= set(words_on(picture))


def test_lines_differ_by_more_than_their_colour() -> None:
    rows = [PlotLine(label=name, points=((1, 1), (2, 2))) for name in ("a", "b", "c")]

    picture = lines("t", rows, across=Axis(label="x"), up=Axis(label="y"))

    drawn = [line.attrib.get("stroke-dasharray") for line in read(picture).iter(f"{SVG}polyline")]
    assert len(set(drawn)) == 3


def test_names_cannot_break_the_picture() -> None:
    picture = bars('<b>&"', [Bars(label="<&>", values=(1.0,))], series=("",), axis=MILLISECONDS)

    assert {'<b>&"', "<&>"} <= set(words_on(picture))


def test_a_reader_who_sees_nothing_is_told_everything() -> None:
    picture = bars("t", some_bars(7.0, None), series=("warm",), axis=MILLISECONDS)

    told = read(picture).findtext(f"{SVG}desc")
    assert told == "milliseconds. store 0: 7 warm; store 1: none warm."


def test_the_colours_follow_a_dark_scheme() -> None:
    picture = bars("t", some_bars(1.0), series=("",), axis=MILLISECONDS)

    assert "prefers-color-scheme: dark" in picture
    assert not re.search(r'fill="#|stroke="#', picture)


def test_nothing_at_all_is_still_a_picture() -> None:
    assert "t" in words_on(bars("t", [], series=(), axis=MILLISECONDS))
    assert "t" in words_on(lines("t", [], across=Axis(label="x"), up=Axis(label="y")))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (0.00123, "0.0012"),
        (0.0456, "0.0456"),
        (9.999, "10"),
        (12.34, "12.3"),
        (123.4, "123"),
        (1234567.0, "1,234,567"),
        (float("inf"), "–"),
    ],
)
def test_a_number_is_written_as_a_person_would(value: float, said: str) -> None:
    assert plain_number(value) == said


@given(
    values=some.lists(some.floats(allow_nan=True, allow_infinity=True, width=32), max_size=5),
    scale=some.sampled_from(Scale),
)
def test_any_numbers_make_a_picture_that_stays_on_the_paper(
    values: list[float], scale: Scale
) -> None:
    picture = bars("t", some_bars(*values), series=("",), axis=Axis(label="x", scale=scale))

    assert all(0 < length <= 760 for length in lengths(picture))
