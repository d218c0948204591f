"""Walks the call graph of the code index, one hop at a time."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.certainty import CallInSource, Certainty, certainty
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.resolving import Resolving, SymbolMatch
from holdfast.domain.code.code import Neighbour, Relation, Symbol, SymbolPlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import apsw


_FRONTIER = 40


class _Node(NamedTuple):
    number: int
    file: int
    language: str | None
    short: str
    place: SymbolPlace


class _Step(NamedTuple):
    """An edge between two symbols; the fewer symbols the name may mean, the more certain it is."""

    source: int
    target: int
    certainty: Certainty
    meanings: int


class CallGraph:
    """The call graph; a hop runs the same number of queries however many symbols it visits."""

    def __init__(self, connection: apsw.Connection, least: Certainty) -> None:
        self._connection = connection
        self._least = least
        self._nodes: dict[int, _Node] = {}

    def walk(self, start: int, relation: Relation, hops: int) -> Iterator[Neighbour]:
        """Return the symbols reached in one direction, nearest and most certain first."""
        seen = {start}
        frontier = [start]
        for hop in range(1, hops + 1):
            self._load(frontier)
            steps = (
                self._callees(frontier) if relation is Relation.CALLS else self._callers(frontier)
            )
            new: dict[int, _Step] = {}
            for step in sorted(steps, key=self._order):
                if step.target not in seen and step.certainty <= self._least:
                    new.setdefault(step.target, step)
            reached = list(new)[:_FRONTIER]
            self._load(reached)
            for number in reached:
                yield Neighbour(
                    place=self._nodes[number].place,
                    relation=relation,
                    hops=hop,
                    through=self._nodes[new[number].source].place.symbol.name,
                    is_sure=new[number].certainty is Certainty.SURE,
                )
            frontier = [number for number in reached if self._leads_on(new[number])]
            seen |= new.keys()

    def uses(self, numbers: list[int]) -> Counter[int]:
        """Return the number of likely callers of each symbol."""
        self._load(numbers)
        likely = [step for step in self._callers(numbers) if step.certainty <= self._least]
        return Counter(step.source for step in likely)

    def _order(self, step: _Step) -> tuple[int, int]:
        """Return the sort key: more certain first where it matters, then less ambiguous."""
        return (0 if self._takes_all else step.certainty, step.meanings)

    def _leads_on(self, step: _Step) -> bool:
        return self._takes_all or step.certainty is Certainty.SURE

    @property
    def _takes_all(self) -> bool:
        return self._least is Certainty.UNLIKELY

    def _callees(self, frontier: list[int]) -> list[_Step]:
        calls = self._asked("called_in", frontier)
        return [
            _Step(source, meaning.number, sure, many)
            for source, meaning, sure, many in self._resolved(calls)
        ]

    def _callers(self, frontier: list[int]) -> list[_Step]:
        """Return the callers: those whose call resolves to one of the symbols in their file."""
        names = sorted({self._nodes[number].short for number in frontier})
        calls = self._asked("callers_of", names)
        self._load({caller for caller, *_ in calls})
        wanted = set(frontier)
        return [
            _Step(meaning.number, caller, sure, many)
            for caller, meaning, sure, many in self._resolved(calls)
            if meaning.number in wanted
        ]

    def _resolved(
        self, calls: list[tuple[Any, ...]]
    ) -> Iterator[tuple[int, SymbolMatch, Certainty, int]]:
        """Return per call: the caller, a possible symbol, its certainty, and how many fit."""
        resolving = Resolving(self._connection, [(file, name) for _, file, name, _ in calls])
        for caller, file, name, receiver in calls:
            node = self._nodes[caller]
            calling = CallInSource(name, receiver, node.place.symbol.name, node.language)
            meant = resolving.meant(file, name)
            for meaning in meant:
                yield caller, meaning, certainty(calling, meaning.called), len(meant)

    def _load(self, numbers: Iterable[int]) -> None:
        lacking = [number for number in numbers if number not in self._nodes]
        for number, file, language, path, short, *symbol in self._asked(
            "symbols_by_number", lacking
        ):
            place = place_of((path, *symbol))
            self._nodes[number] = _Node(number, file, language, short, place)

    def _asked(self, query: str, given: list[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[query], (json.dumps(given),)).fetchall()


def place_of(row: Sequence[Any]) -> SymbolPlace:
    """Return the symbol of a row, with its place."""
    path, name, kind, first, last, signature, doc = row
    symbol = Symbol(name=name, kind=kind, first=first, last=last, signature=signature, doc=doc)
    return SymbolPlace(path=path, symbol=symbol)
