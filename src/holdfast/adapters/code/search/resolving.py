"""Resolves a name to a definition, seen from the file that uses it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.certainty import CallTarget
from holdfast.adapters.code.parsing.parsed import stem_parts
from holdfast.adapters.code.queries import SQL

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

MOST_MEANINGS = 5
_WORTH_LOOKING = 40
_APART = re.compile(r"[^\w-]+")
_NOWHERE = frozenset({"", "crate", "self", "super"})


class _Definition(NamedTuple):
    number: int
    file: int
    short: str
    qualified: str


class SymbolMatch(NamedTuple):
    """A symbol that a name may refer to; ``called`` holds the facts for its certainty."""

    number: int
    called: CallTarget


class Resolving:
    """Resolves many names together: in the same file first, then its imports, then anywhere."""

    def __init__(self, connection: apsw.Connection, uses: Collection[tuple[int, str]]) -> None:
        self._connection = connection
        self._definitions: dict[str, list[_Definition]] = {}
        self._known: dict[tuple[int, str], tuple[SymbolMatch, ...]] = {}
        names = sorted({name for _, name in uses})
        for name, *definition in self._asked("definitions_of", names):
            self._definitions.setdefault(name, []).append(_Definition(*definition))
        self._imports: dict[int, set[tuple[str, ...]]] = {}
        for file, module in self._asked("imports_of_files", sorted({file for file, _ in uses})):
            self._imports.setdefault(file, set()).update(_ends(module))
        files = {one.file for found in self._definitions.values() for one in found}
        self._paths: dict[int, str] = dict(self._asked("paths_of_files", sorted(files)))
        self._ways_in = {file: _ways_to(path) for file, path in self._paths.items()}

    def meant(self, file: int, name: str) -> tuple[SymbolMatch, ...]:
        """Return the symbols that a name may refer to in a file; none if there are too many."""
        known = self._known.get((file, name))
        if known is None:
            known = self._looked_up(file, name)
            self._known[file, name] = known
        return known

    def _looked_up(self, file: int, name: str) -> tuple[SymbolMatch, ...]:
        found = self._definitions.get(name, [])
        # Some languages ignore case; an exact match is preferred.
        found = [one for one in found if one.short == name] or found
        near = [one for one in found if one.file == file] or self._imported(found, file)
        meant = near or found
        if len(meant) > MOST_MEANINGS:
            return ()
        return tuple(
            SymbolMatch(one.number, CallTarget(one.qualified, self._paths[one.file], bool(near)))
            for one in meant
        )

    def _imported(self, found: Sequence[_Definition], by: int) -> list[_Definition]:
        """Return the definitions in imported files; none if very many files define the name."""
        ends = self._imports.get(by) if len(found) <= _WORTH_LOOKING else None
        return [] if ends is None else [one for one in found if ends & self._ways_in[one.file]]

    def _asked(self, query: str, given: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[query], (json.dumps(given),)).fetchall()


@lru_cache(maxsize=16_384)
def _ends(module: str) -> frozenset[tuple[str, ...]]:
    """Return the last parts of a module's name and of its parent's, in any language's notation.

    An import may name a file, its folder, or a symbol inside it.
    """
    names = tuple(name for name in _APART.split(module) if name not in _NOWHERE)
    return frozenset({names[-2:], names[:-1][-2:]} - {()})


def _ways_to(path: str) -> frozenset[tuple[str, ...]]:
    """Return the last path parts by which a file or its folder may be imported."""
    stem = stem_parts(path)
    folder = stem[:-1]
    return frozenset({stem[-2:], stem[-1:], folder[-2:], folder[-1:]} - {()})
