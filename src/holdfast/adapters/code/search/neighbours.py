"""The call graph: finds symbols by name, and their callers and callees.

Orders symbols of the same name: definitions before those in tests and documents.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.certainty import Certainty
from holdfast.adapters.code.parsing.parsed import short_name, stem_parts, storable
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.call_graph import CallGraph, place_of
from holdfast.adapters.code.search.wording import is_test
from holdfast.domain.code.code import Neighbour, Relation, SymbolPlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import apsw


# Kinds that people look up by name: they can be called, instantiated or derived from.
_DEFINED = frozenset(
    {"class", "enum", "function", "interface", "macro", "method", "record", "struct", "trait"}
)
_WRITTEN = frozenset({"element", "heading", "key", "rule"})
_TO_SHOW = re.compile(r"(?:\A|/)(?:docs?|examples?|demos?|samples?|benchmarks?|scripts?)/")
_NAME_AT_END = re.compile(r"[^\w$]")


class NamedSymbol(NamedTuple):
    """A symbol whose name equals the wanted name or ends in it."""

    number: int
    place: SymbolPlace


def preferred(
    candidates: Iterable[NamedSymbol], wanted: str, uses: Mapping[int, int]
) -> list[SymbolPlace]:
    """Return the symbols, the most likely meant first.

    The order: exact case first, then code before documents, the project before its tests and
    examples, the whole name before a part, definitions before assignments, public before private,
    the most called, and the longest.
    """
    short = short_name(wanted)

    def order(candidate: NamedSymbol) -> tuple[object, ...]:
        path, symbol = candidate.place.path, candidate.place.symbol
        return (
            short_name(symbol.name) != short,
            symbol.kind in _WRITTEN,
            is_test(path),
            _TO_SHOW.search(path) is not None,
            symbol.name != wanted,
            symbol.name.casefold() != wanted.casefold(),
            symbol.kind not in _DEFINED,
            _is_private(symbol.name) and not _is_private(wanted),
            -uses.get(candidate.number, 0),
            symbol.first - symbol.last,
            path,
            symbol.first,
        )

    return [candidate.place for candidate in sorted(candidates, key=order)]


def _is_private(name: str) -> bool:
    parts = _NAME_AT_END.split(name)
    return any(part.startswith("_") and not part.endswith("__") for part in parts)


_LINES = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?\Z")
_LONGEST_REFERENCE = 1_000
_MOST_FILES = 5
_DEEPER = 50
_MOST_MODULES = 8


def named(connection: apsw.Connection, reference: str, limit: int) -> list[SymbolPlace]:
    """Return the symbols that a reference means: a name, ``path:line`` or a path.

    Symbols that contain a line come innermost first, those of a file in file order.
    """
    given = storable(reference.strip().replace("\0", ""))
    if not given or limit <= 0 or len(given) > _LONGEST_REFERENCE:
        return []
    return _at_lines(connection, given, limit) or _by_name(connection, given, limit)


def around(
    connection: apsw.Connection,
    place: SymbolPlace,
    hops: int,
    limit: int,
    *,
    least: Certainty = Certainty.UNLIKELY,
) -> list[Neighbour]:
    """Return the callers and callees of a symbol, nearest first, within ``hops``.

    Callers of callers and callees of callees are followed, but not other callees of a caller. Calls
    less certain than ``least`` are left out. If any are left out, only sure calls are followed
    further.
    """
    symbol = place.symbol
    values = {"path": place.path, "name": symbol.name, "first": symbol.first}
    start = connection.execute(SQL["number_of_symbol"], values).get
    if start is None or limit <= 0:
        return []
    graph = CallGraph(connection, least)
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
        found += [place_of(row) for row in _asked(connection, query, values)]
    return found[:limit]


def _by_name(connection: apsw.Connection, reference: str, limit: int) -> list[SymbolPlace]:
    """Return the symbols of this name, the most likely meant first.

    Leading parts that are not part of a symbol's name may select its file: a path and a colon, or
    the module as it is imported.
    """
    for name, folder in _readings(reference):
        found = [
            each for each in _candidates(connection, name, limit) if _is_below(folder, each.place)
        ]
        if found:
            numbers = [each.number for each in found]
            uses = CallGraph(connection, Certainty.MAYBE).uses(numbers) if len(found) > 1 else {}
            return preferred(found, name, uses)[:limit]
    return []


def _readings(reference: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the ways to read a reference: a symbol name, and the end of its file's path."""
    yield reference, ()
    path, colon, name = reference.rpartition(":")
    if colon and name and "/" not in name:
        parts = path.rstrip(":").removeprefix("./").split("/")
        yield name, (*parts[:-1], parts[-1].partition(".")[0])
    names = reference.split(".")
    for end in range(1, min(len(names), _MOST_MODULES)):
        yield ".".join(names[end:]), tuple(names[:end])


def _is_below(folder: tuple[str, ...], place: SymbolPlace) -> bool:
    """Return whether a file is the named module or is inside it."""
    if not folder:
        return True
    parts, size = stem_parts(place.path), len(folder)
    return any(parts[at : at + size] == folder for at in range(len(parts) - size + 1))


def _candidates(connection: apsw.Connection, name: str, limit: int) -> list[NamedSymbol]:
    values: dict[str, int | str] = {
        "name": name,
        "short": short_name(name),
        "limit": _DEEPER * limit,
    }
    found = [
        NamedSymbol(number, place_of(row))
        for number, *row in _asked(connection, "symbols_by_name", values)
    ]
    wanted = name.casefold()
    return [each for each in found if _ends_in(each.place.symbol.name.casefold(), wanted)]


def _ends_in(name: str, wanted: str) -> bool:
    """Return whether a name equals the wanted one or ends in it, by whole parts."""
    if not name.endswith(wanted):
        return False
    before = name[: -len(wanted)]
    return not before or not (before[-1].isalnum() or before[-1] == "_")


def _taken_in_turn(sides: list[list[Neighbour]], limit: int) -> list[Neighbour]:
    """Return the nearest of all directions; if there are too many, the directions alternate."""
    turns = [
        (neighbour.hops, turn, side, neighbour)
        for side, neighbours in enumerate(sides)
        for turn, neighbour in enumerate(neighbours)
    ]
    turns.sort(key=lambda each: each[:3])
    return [neighbour for *_, neighbour in turns[:limit]]


def _asked(
    connection: apsw.Connection, query: str, values: dict[str, int | str]
) -> list[tuple[Any, ...]]:
    return connection.execute(SQL[query], values).fetchall()
