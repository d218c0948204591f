"""What reading one file of code gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.code import Symbol


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A name that is called: inside which symbol, by its place in the list, and on which line.

    The symbol is -1 where the call stands outside all of them. The receiver is what the name is
    called on: ``self`` in ``self.rotate()``, nothing in ``rotate()``, ``?`` for anything longer.
    """

    inside: int
    name: str
    line: int
    receiver: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Lines that belong together: a symbol, a part of a long one, or a stretch of plain text.

    The symbol is -1 where there is none.
    """

    first: int
    last: int
    inside: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The symbols of a file in order, whom they call, what it imports, and how it is cut up.

    ``has_errors`` says that the grammar could not read all of it.
    """

    language: str | None
    symbols: tuple[Symbol, ...] = ()
    calls: tuple[Call, ...] = ()
    imports: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    has_errors: bool = False
