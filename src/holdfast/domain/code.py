"""What is in a file of code: its symbols, and how they hang together."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.passage import Passage
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A named part of a file: ``TokenStore.rotate``, its lines, and what it says of itself."""

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
        """The place the way people write it."""
        return f"{self.path}:{self.symbol.first}-{self.symbol.last}"


class Relation(StrEnum):
    """How one symbol stands to another."""

    CALLS = "calls"
    CALLED_BY = "called by"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A symbol near another one: how it stands to it, and how many steps away."""

    place: SymbolPlace
    relation: Relation
    hops: int
    through: str
    is_sure: bool = True
    """Whether the call means this symbol for sure, or only has its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What bringing the index in line with the checkout did."""

    files: int
    symbols: int
    read: int = 0
    removed: int = 0
    passed_over: tuple[tuple[str, int], ...] = ()
    """Why files were left out, and how many."""
    unread: int = 0
    """How many files are still to be read, because the time for it was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFound:
    """The passages that answer a question, and how many files were searched for them."""

    passages: tuple[Passage, ...] = ()
    files: int = 0
    unread: int = 0
    """How many files could not be searched, because nobody has read them yet."""
