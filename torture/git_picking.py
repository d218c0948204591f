"""Chooses the lines to remember: functions, parts of them, single lines, whole files."""

from __future__ import annotations

import random
from dataclasses import replace

from holdfast.domain.anchors.everyday_lines import are_common
from holdfast.domain.memory.anchor import marks
from torture.git_editing import spots_of, twins
from torture.git_lines import Line, Tree
from torture.git_truth import Place

_WEIGHTS = {
    "block": 5,
    "part": 5,
    "line": 3,
    "tiny": 2,
    "wide": 2,
    "twin": 2,
    "top": 1,
    "whole": 1,
}
_LONG_ENOUGH = 14


def some_places(tree: Tree, chance: random.Random, number: int) -> list[Place]:
    """Return distinct places of every kind."""
    kinds = chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()), k=number)
    places: list[Place] = []
    while len(places) < number:
        place = _widened(_place(kinds[len(places)], tree, chance), tree)
        if place not in places and any(line.text.strip() for line in lines_at(tree, place)):
            places.append(place)
    return places


def _widened(place: Place, tree: Tree) -> Place:
    """Return a place extended by as many lines as the program needs to accept it as evidence."""
    last = len(tree[place.path].lines)
    while are_common(marks([line.text for line in lines_at(tree, place)])):
        wider = replace(place, first=max(1, place.first - 1), last=min(last, place.last + 1))
        if wider == place:
            return place
        place = wider
    return place


def lines_at(tree: Tree, place: Place) -> tuple[Line, ...]:
    """Return the lines of a place."""
    return tree[place.path].lines[place.first - 1 : place.last]


def _place(kind: str, tree: Tree, chance: random.Random) -> Place:
    path = chance.choice([path for path, page in tree.items() if page.lines])
    lines = tree[path].lines
    if kind == "whole":
        return Place(path=path, first=1, last=len(lines))
    if kind == "top":
        return Place(path=path, first=1, last=min(3, len(lines)))
    if kind in {"line", "tiny"}:
        return _single(kind, path, lines, chance)
    if kind == "wide":
        first = chance.randrange(max(1, len(lines) - 20))
        return Place(path=path, first=first + 1, last=min(len(lines), first + 25))
    return _of_block(kind, tree, chance)


def _single(kind: str, path: str, lines: tuple[Line, ...], chance: random.Random) -> Place:
    is_tiny = kind == "tiny"
    texts = [line.text.strip() for line in lines]
    fitting = [
        index
        for index, text in enumerate(texts)
        if text and (len(text) < _LONG_ENOUGH or texts.count(text) > 1) is is_tiny
    ]
    at = chance.choice(fitting or [0]) + 1
    return Place(path=path, first=at, last=at)


def _of_block(kind: str, tree: Tree, chance: random.Random) -> Place:
    spots = (twins(tree) if kind == "twin" else []) or spots_of(tree)
    spot = chance.choice(spots)
    first = tree[spot.path].lines.index(spot.lines[0]) + 1
    last = first + len(spot.lines) - 1
    while kind != "part" and last > first and not spot.lines[last - first].text.strip():
        last -= 1
    if kind == "part":
        first += chance.randrange(len(spot.lines) - 2)
        last = min(last, first + chance.randint(1, 5))
    return Place(path=spot.path, first=first, last=last)
