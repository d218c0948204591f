"""Who calls whom: symbols by their name, and what stands around them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.asking import SQL
from holdfast.adapters.code.resolving import Resolving
from holdfast.adapters.code.shaping import short_name, storable
from holdfast.domain.code import Neighbour, Relation, Symbol, SymbolPlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

_LINES = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?\Z")
_LONGEST_REFERENCE = 1_000
_MOST_FILES = 5
_FRONTIER = 40
_DEEPER = 50


def named(connection: apsw.Connection, reference: str, limit: int) -> list[SymbolPlace]:
    """Return the symbols a reference means: a name, ``path:line`` or a path.

    Those that hold a line come innermost first, those of a file in its order.
    """
    given = storable(reference.strip().replace("\0", ""))
    if not given or limit <= 0 or len(given) > _LONGEST_REFERENCE:
        return []
    return _at_lines(connection, given, limit) or _by_name(connection, given, limit)


def around(
    connection: apsw.Connection, place: SymbolPlace, hops: int, limit: int
) -> list[Neighbour]:
    """Return who calls a symbol and whom it calls, nearest first, at most so far away.

    Callers of callers and callees of callees are followed, never a caller's other callees.
    """
    symbol = place.symbol
    values = {"path": place.path, "name": symbol.name, "first": symbol.first}
    start = connection.execute(SQL["number_of_symbol"], values).get
    if start is None or limit <= 0:
        return []
    graph = _Graph(connection)
    sides = (graph.walk(start, relation, hops) for relation in Relation)
    return _taken_in_turn([list(side) for side in sides], limit)


def _at_lines(connection: apsw.Connection, reference: str, limit: int) -> list[SymbolPlace]:
    match = _LINES.match(reference)
    path = (match[1] if match else reference).removeprefix("./")
    files = _asked(connection, "files_ending_in", {"path": path, "limit": _MOST_FILES})
    found: list[SymbolPlace] = []
    for (file,) in files:
        values: dict[str, int | str] = {"path": file, "limit": limit}
        query = "symbols_of_path"
        if match:
            query = "symbols_at"
            values |= {"first": int(match[2]), "last": int(match[3] or match[2])}
        found += [_place(row) for row in _asked(connection, query, values)]
    return found[:limit]


def _by_name(connection: apsw.Connection, reference: str, limit: int) -> list[SymbolPlace]:
    """Return those of exactly this name, else those whose name ends so."""
    values: dict[str, int | str] = {
        "name": reference,
        "short": short_name(reference),
        "limit": _DEEPER * limit,
    }
    places = [_place(row) for row in _asked(connection, "symbols_by_name", values)]
    wanted = reference.casefold()
    return [each for each in places if _ends_in(each.symbol.name.casefold(), wanted)][:limit]


def _ends_in(name: str, wanted: str) -> bool:
    """Tell whether a name is the wanted one or has it at its end, whole parts only."""
    if not name.endswith(wanted):
        return False
    before = name[: -len(wanted)]
    return not before or not (before[-1].isalnum() or before[-1] == "_")


class _Node(NamedTuple):
    number: int
    file: int
    short: str
    place: SymbolPlace


class _Step(NamedTuple):
    """A way from one symbol to another; the fewer a name may mean, the surer it is."""

    source: int
    target: int
    meanings: int


class _Graph:
    """Calls as ways from symbol to symbol; a hop asks the same few questions however wide it is."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._nodes: dict[int, _Node] = {}

    def walk(self, start: int, relation: Relation, hops: int) -> Iterator[Neighbour]:
        """Return what is reached in one direction, nearest and surest first."""
        seen = {start}
        frontier = [start]
        for hop in range(1, hops + 1):
            self._load(frontier)
            steps = (
                self._callees(frontier) if relation is Relation.CALLS else self._callers(frontier)
            )
            new: dict[int, _Step] = {}
            for step in sorted(steps, key=lambda each: each.meanings):
                if step.target not in seen:
                    new.setdefault(step.target, step)
            frontier = list(new)[:_FRONTIER]
            self._load(frontier)
            for number in frontier:
                yield Neighbour(
                    place=self._nodes[number].place,
                    relation=relation,
                    hops=hop,
                    through=self._nodes[new[number].source].place.symbol.name,
                )
            seen |= new.keys()

    def _callees(self, frontier: list[int]) -> list[_Step]:
        calls = self._asked("called_in", frontier)
        resolving = Resolving(self._connection, [(file, name) for _, file, name in calls])
        steps = []
        for source, file, name in calls:
            meant = resolving.meant(file, name)
            steps += [_Step(source, target, len(meant)) for target in meant]
        return steps

    def _callers(self, frontier: list[int]) -> list[_Step]:
        """Return who calls them: those whose call means one of them, seen from where it stands."""
        names = sorted({self._nodes[number].short for number in frontier})
        calls = self._asked("callers_of", names)
        resolving = Resolving(self._connection, [(file, name) for _, file, name in calls])
        wanted = set(frontier)
        steps = []
        for caller, file, name in calls:
            meant = resolving.meant(file, name)
            steps += [_Step(one, caller, len(meant)) for one in meant if one in wanted]
        return steps

    def _load(self, numbers: Iterable[int]) -> None:
        lacking = [number for number in numbers if number not in self._nodes]
        for number, file, path, short, *symbol in self._asked("symbols_by_number", lacking):
            self._nodes[number] = _Node(number, file, short, _place((path, *symbol)))

    def _asked(self, query: str, given: list[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[query], (json.dumps(given),)).fetchall()


def _taken_in_turn(sides: list[list[Neighbour]], limit: int) -> list[Neighbour]:
    """Return the nearest of all sides; where there are too many, each side gets its turn."""
    turns = [
        (neighbour.hops, turn, side, neighbour)
        for side, neighbours in enumerate(sides)
        for turn, neighbour in enumerate(neighbours)
    ]
    turns.sort(key=lambda each: each[:3])
    return [neighbour for *_, neighbour in turns[:limit]]


def _place(row: tuple[Any, ...]) -> SymbolPlace:
    path, name, kind, first, last, signature, doc = row
    symbol = Symbol(name=name, kind=kind, first=first, last=last, signature=signature, doc=doc)
    return SymbolPlace(path=path, symbol=symbol)


def _asked(
    connection: apsw.Connection, query: str, values: dict[str, int | str]
) -> list[tuple[Any, ...]]:
    return connection.execute(SQL[query], values).fetchall()
