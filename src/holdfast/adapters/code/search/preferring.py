"""Orders symbols of the same name: definitions before those in tests and documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.parsing.shaping import short_name
from holdfast.adapters.code.search.wording import is_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.code.code import SymbolPlace

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
