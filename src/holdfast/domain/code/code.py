"""The symbols of source files, and the calls between them."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.recall.bundle import Passage
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A named part of a file, such as ``TokenStore.rotate``: its lines, signature and docstring."""

    name: str
    kind: str
    first: int
    last: int
    signature: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolPlace:
    """A symbol and the file it is in."""

    path: str
    symbol: Symbol

    @property
    def reference(self) -> str:
        """The place in the usual notation."""
        return f"{self.path}:{self.symbol.first}-{self.symbol.last}"


class Relation(StrEnum):
    """The relation of one symbol to another."""

    CALLS = "calls"
    CALLED_BY = "called by"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A symbol near another one: the relation between them, and the number of steps."""

    place: SymbolPlace
    relation: Relation
    hops: int
    through: str
    is_sure: bool = True
    """Whether the call certainly means this symbol, or only uses the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """The result of updating the index to the checkout."""

    files: int
    symbols: int
    read: int = 0
    removed: int = 0
    passed_over: tuple[tuple[str, int], ...] = ()
    """The reasons for leaving out files, and how many for each."""
    unread: int = 0
    """The number of files not read yet because the time limit was reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFound:
    """The passages that answer a question, and the number of files searched."""

    passages: tuple[Passage, ...] = ()
    files: int = 0
    unread: int = 0
    """The number of files that could not be searched because they are not indexed yet."""
    unembedded: int = 0
    """The number of symbols that were searched by their words only, for want of a vector."""
