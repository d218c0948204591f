"""The result of parsing one file of code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.code.code import Symbol


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A called name, the index of the symbol that contains the call, and the line.

    The symbol is -1 for a call outside all symbols. The receiver is ``self`` in ``self.rotate()``,
    empty in ``rotate()``, and ``?`` for a longer expression.
    """

    inside: int
    name: str
    line: int
    receiver: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Lines that belong together: a symbol, a part of a long one, or a range of plain text.

    The symbol is -1 if there is none.
    """

    first: int
    last: int
    inside: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The symbols of a file in order, their calls, its imports, and its chunks.

    ``has_errors`` is true if the grammar could not parse all of it.
    """

    language: str | None
    symbols: tuple[Symbol, ...] = ()
    calls: tuple[Call, ...] = ()
    imports: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    has_errors: bool = False
