"""Cuts texts to the width of a column; of a place in a file, the end stays whole."""

from __future__ import annotations

import re

from holdfast.surfaces.cli.present.terminal.colour import ShownPlace, Styled
from holdfast.surfaces.cli.present.terminal.measuring import columns

_AFTER_PLACE = ", "
_LINES = re.compile(r":\d+(?:-\d+)?\Z")


def cut(text: str, width: int) -> str:
    """Return a text cut to a width, with a sign where it was cut."""
    if columns(text) <= width:
        return text
    place = _up_to_place(text)
    if isinstance(text, ShownPlace) and columns(place) >= width and end_of_place(text):
        return ShownPlace(_without_middle(place, width))
    shorter = str(text)[: that_fit(text, width - 1)].rstrip() + "…"
    return type(text)(shorter) if isinstance(text, Styled) else shorter


def _without_middle(text: str, width: int) -> str:
    """Return a text that ends in a place, with a sign for the folders that were cut."""
    if columns(text) <= width:
        return text
    end = end_of_place(text)
    if columns(end) >= width:
        return f"…{end[-(width - 1) :]}"
    start = str(text)[: that_fit(text, width - columns(end) - 1)]
    return f"{start}…{end}"


def end_of_place(text: str) -> str:
    """Return the name of the file with its lines, without the words after them.

    The result is empty if the text ends in no place, such as ``now commit 9abb6a6``.
    """
    last = _last_word(_up_to_place(text))
    return last.rpartition("/")[2] if _is_place(last) else ""


def _up_to_place(text: str) -> str:
    """Return a text without the words after its place, or its first words if it has no place.

    Words may come before the place, too: ``drifted, now src/tokens.py:4-7``.
    """
    parts = str(text).split(_AFTER_PLACE)
    places = [number for number, part in enumerate(parts) if _is_place(_last_word(part))]
    return _AFTER_PLACE.join(parts[: places[0] + 1] if places else parts[:1])


def _is_place(word: str) -> bool:
    return "/" in word or _LINES.search(word) is not None


def _last_word(text: str) -> str:
    return text.rpartition(" ")[2]


def that_fit(text: str, width: int) -> int:
    """Return how many characters of a text fit a width; at least one."""
    used = 0
    for place, sign in enumerate(str(text)):
        used += columns(sign)
        if used > width:
            return max(place, 1)
    return len(text)
