"""Finds the files and symbols that the names in a question refer to."""

from __future__ import annotations

import json
import math
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.parsed import stem_parts
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.mentions import is_plain, path_parts
from holdfast.adapters.code.search.wording import is_test
from holdfast.domain.code.code_ranking import Ranked, saturated

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw

    from holdfast.adapters.code.search.mentions import ParsedQuestion
    from holdfast.domain.code.code_ranking import CodeWeights

_MOST_FILES = 8
_MOST_FOR_A_PATH = 3
_MOST_FRAMES = 60
_NOTED = 3
_MORE_IN_SHORT, _SHORT = 3.0, 20
_A_METHOD = 0.6
_A_STUB = 0.25
"""What a definition in a test counts beside one outside of tests."""
_SPREAD = 0.7
_NO_CLASS = frozenset({"function", "method"})
_OF_OTHERS = frozenset({"site-packages", "dist-packages", "node_modules", "lib", "vendor"})


class Point(NamedTuple):
    """A part of a file that a question names: a symbol by its number, or a line.

    ``is_whole`` says that the question has the qualified name of the symbol.
    """

    file: int
    symbol: int | None
    line: int | None
    is_whole: bool = False


class _Definition(NamedTuple):
    symbol: int
    file: int
    qualified: str
    kind: str


class Pointing:
    """Adds to each file's score for the names in the question."""

    def __init__(
        self,
        connection: apsw.Connection,
        said: ParsedQuestion,
        paths: Mapping[int, str],
        weights: CodeWeights,
        *,
        wants_tests: bool,
    ) -> None:
        self._connection = connection
        self._wants_tests = wants_tests
        self._said = said
        self._paths = paths
        self._weights = weights
        # In a short question a name is most of the content; in a long report it is one of many.
        self._focus = 1 + _MORE_IN_SHORT * math.exp(-said.length / _SHORT)
        self.board: dict[int, Ranked] = {}
        self.points: list[Point] = []
        self.defined: Collection[str] = ()

    def weigh(self) -> None:
        """Look up every name of the question."""
        self._frames()
        self._named_paths()
        self._modules()
        self._symbols()
        self._qualified()

    def _add(self, file: int, leg: str, amount: float, note: str) -> None:
        self.board.setdefault(file, Ranked()).add(leg, self._focus * amount, note)

    def _frames(self) -> None:
        """Score the frames: the innermost frame in this repository most, the outer ones less."""
        met: set[int] = set()
        for frame in reversed(self._said.frames[-_MOST_FRAMES:]):
            files = self._at(path_parts(frame.path))
            if len(files) != 1:
                continue
            file = files[0]
            self.points.append(Point(file, None, frame.line))
            if frame.function:
                self._point_at_function(file, frame.function)
            if file not in met:
                amount = self._weights.frame if met else self._weights.innermost
                self._add(file, "traceback", amount, f"{frame.path}:{frame.line}")
            met.add(file)

    def _point_at_function(self, file: int, function: str) -> None:
        for row in self._asked("symbols_in_file_named", (file, function)):
            self.points.append(Point(file, row[0], None))

    def _named_paths(self) -> None:
        for parts in self._said.paths:
            files = self._at(parts)
            for file in files if len(files) <= _MOST_FOR_A_PATH else ():
                amount = self._weights.path / len(files)
                if not any(each.leg == "path" for each in self._reasons(file)):
                    self._add(file, "path", amount, "/".join(parts))

    def _modules(self) -> None:
        found: dict[int, str] = {}
        for names in self._said.dotted:
            for length in range(len(names), 1, -1):
                files = self._with_stem(names[:length])
                if files:
                    found |= dict.fromkeys(files[:_MOST_FOR_A_PATH], ".".join(names[:length]))
                    break
        for file, name in found.items():
            self._add(file, "path", self._weights.module, name)

    def _symbols(self) -> None:
        names, weights = self._said.names, self._weights
        found = self._definitions(names.all())
        in_prose = {name: rows for name, rows in found.items() if _could_be_meant(name, rows)}
        self.defined = in_prose.keys() | (names.quoted & found.keys())
        self._count(names.title, in_prose, weights.title_symbol)
        self._count(names.quoted, found, weights.quoted_symbol)
        self._count(names.prose, in_prose, weights.prose_symbol)
        self._count(names.code, found, weights.code_symbol)

    def _count(
        self, names: frozenset[str], found: Mapping[str, list[_Definition]], weight: float
    ) -> None:
        """Score the files that define the names; a name that fewer files define scores more."""
        amounts: dict[int, float] = {}
        notes: dict[int, list[str]] = {}
        for name in sorted(names & found.keys()):
            files = {one.file for one in found[name]}
            stubs = self._stubs(files)
            for one in found[name]:
                part = _A_METHOD if one.qualified != name else 1.0
                part *= _A_STUB if one.file in stubs else 1.0
                amounts[one.file] = amounts.get(one.file, 0.0) + part / len(files) ** _SPREAD
                notes.setdefault(one.file, []).append(one.qualified)
                self.points.append(Point(one.file, one.symbol, None))
        for file, amount in amounts.items():
            note = ", ".join(dict.fromkeys(notes[file][:_NOTED]))
            self._add(file, "symbol", weight * saturated(amount), note)

    def _stubs(self, files: Collection[int]) -> frozenset[int]:
        """Return the tests among files, if other files define the same name and are asked for."""
        tests = frozenset(file for file in files if is_test(self._paths.get(file, "")))
        return frozenset() if self._wants_tests or len(tests) == len(files) else tests

    def _definitions(self, names: Collection[str]) -> dict[str, list[_Definition]]:
        """Return the definitions of each name, with exact case."""
        given = {"names": json.dumps(sorted(names)), "most": _MOST_FILES}
        found: dict[str, list[_Definition]] = {}
        for name, symbol, file, qualified, short, kind in self._asked("symbols_named", given):
            if short == name:
                found.setdefault(name, []).append(_Definition(symbol, file, qualified, kind))
        return found

    def _qualified(self) -> None:
        pairs = {".".join(pair) for names in self._said.dotted for pair in pairwise(names)}
        met: set[int] = set()
        for file, name, first in self._asked("symbols_qualified", (json.dumps(sorted(pairs)),)):
            if name in pairs and file not in met:
                met.add(file)
                self._add(file, "symbol", self._weights.qualified, name)
                # By its line: a constant, or a second name of a function, has no chunk of its own.
                self.points.append(Point(file, None, first, is_whole=True))

    def _reasons(self, file: int) -> Sequence[Any]:
        ranked = self.board.get(file)
        return () if ranked is None else ranked.reasons

    def _at(self, parts: tuple[str, ...]) -> list[int]:
        """Return the files that a path means: those with the longest common path end."""
        best: list[int] = []
        longest = 0
        for file, own in self._by_name.get(parts[-1] if parts else "", ()):
            shared = _shared_end(own, parts)
            if shared > longest:
                best, longest = [], shared
            if shared == longest:
                best.append(file)
        if longest > 1 or len(parts) == 1:
            return best
        # Only the file name matches: accept a file of the root, unless the path is inside a
        # library.
        is_strange = not _OF_OTHERS.isdisjoint(parts)
        return [] if is_strange else [file for file in best if "/" not in self._paths[file]]

    def _with_stem(self, names: tuple[str, ...]) -> list[int]:
        """Return the files whose path ends in these names, as a module is written."""
        size = len(names)
        return [file for file, own in self._by_stem.get(names[-1], ()) if own[-size:] == names]

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[int, tuple[str, ...]]]]:
        found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for file, path in self._paths.items():
            parts = tuple(path.split("/"))
            found.setdefault(parts[-1], []).append((file, parts))
        return found

    @cached_property
    def _by_stem(self) -> dict[str, list[tuple[int, tuple[str, ...]]]]:
        found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for file, path in self._paths.items():
            parts = stem_parts(path)
            if parts:
                found.setdefault(parts[-1], []).append((file, parts))
        return found

    def _asked(self, query: str, values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - apsw takes sequences and mappings
        return self._connection.execute(SQL[query], values).fetchall()


def _shared_end(own: tuple[str, ...], other: tuple[str, ...]) -> int:
    shared = 0
    for mine, theirs in zip(reversed(own), reversed(other), strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared


def _could_be_meant(name: str, found: Sequence[_Definition]) -> bool:
    """Return whether a word in prose means a symbol.

    A plain word does if it is written as a call, or if it is the name of a class.
    """
    if not is_plain(name) or name[:1].islower():
        return True
    return any(one.kind not in _NO_CLASS for one in found)
