"""The result of parsing one file of code.

The words inside identifiers (``rotate_token`` has two), and the names of a module's path.

Converts a parsed file to index rows and search terms.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST = 128
_STANDS_FOR_FOLDER = frozenset({"__init__", "index", "mod", "lib"})


def inner_words(text: str) -> str:
    """Return the words of identifiers that have more than one, in order, joined by spaces."""
    return " ".join(filter(None, map(_parts, _IDENTIFIER.findall(text))))


@lru_cache(maxsize=65_536)
def _parts(identifier: str) -> str:
    if len(identifier) > _LONGEST or identifier.islower() and "_" not in identifier:
        return ""
    parts = _PART.findall(identifier)
    return " ".join(parts).lower() if len(parts) > 1 else ""


def stem_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a module's name: no ending; a package file becomes its folder."""
    parts = path.split("/")
    stem = parts[-1].partition(".")[0] or parts[-1]
    if stem in _STANDS_FOR_FOLDER:
        return tuple(parts[:-1])
    return (*parts[:-1], stem)


_LONGEST_NAME = 400
# A vector covers some 60 words of a text; what comes later would not be read.
_LINES_OF_GIST, _NAMES_OF_GIST, _SHORTEST_OF_GIST, _LONGEST_GIST = 15, 40, 3, 300


class Shaped(NamedTuple):
    """The rows of one file. Symbols are referenced by their list index; -1 means none."""

    language: str | None
    has_errors: bool
    symbols: list[tuple[str, str, str, int, int, str, str, str]]
    chunks: list[tuple[int, int, int]]
    words: list[tuple[str, str, str, str]]
    calls: list[tuple[int, str, int, str]]
    imports: list[str]


def shape(path: str, content: bytes, parsed: Parsed) -> Shaped:
    """Return the rows of a parsed file."""
    lines = lines_of(content)
    where = f"{path} {inner_words(path)}"
    return Shaped(
        language=parsed.language,
        has_errors=parsed.has_errors,
        symbols=[_row(symbol, lines) for symbol in parsed.symbols],
        chunks=[(chunk.inside, chunk.first, chunk.last) for chunk in parsed.chunks],
        words=[_words(chunk, lines, where, parsed.symbols) for chunk in parsed.chunks],
        calls=_calls(parsed),
        imports=sorted({storable(module)[:_LONGEST_NAME] for module in parsed.imports}),
    )


def lines_of(content: bytes) -> list[str]:
    """Return the lines as editors and git number them: a form feed does not end a line."""
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def storable(text: str) -> str:
    """Return a text that the database accepts: without lone surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def short_name(name: str) -> str:
    """Return the last part of a qualified name: what callers write."""
    signs = (" > ",) if " " in name else ("::", ".", "#")
    for sign in signs:
        name = name.rpartition(sign)[2] or name
    return name.strip()


def _calls(parsed: Parsed) -> list[tuple[int, str, int, str]]:
    """Return the calls of each symbol with their receivers, once each, with the first line."""
    first: dict[tuple[int, str, str], int] = {}
    for call in parsed.calls:
        first.setdefault((call.inside, storable(call.name), call.receiver), call.line)
    return [(inside, name, line, on) for (inside, name, on), line in first.items()]


def _row(symbol: Symbol, lines: list[str]) -> tuple[str, str, str, int, int, str, str, str]:
    name = storable(symbol.name)[:_LONGEST_NAME]
    short = short_name(name)
    is_private = short.startswith("_")
    return (
        name,
        short,
        symbol.kind,
        symbol.first,
        symbol.last,
        storable(symbol.signature),
        storable(symbol.doc),
        "" if symbol.doc or is_private else _gist(lines[symbol.first : symbol.last]),
    )


def _gist(body: list[str]) -> str:
    """Return the words of the first identifiers of a body, each identifier once.

    They say what a symbol without documentation does; its first line has its name already.
    """
    found = dict.fromkeys(_IDENTIFIER.findall("\n".join(body[:_LINES_OF_GIST])))
    names = [name for name in found if len(name) >= _SHORTEST_OF_GIST][:_NAMES_OF_GIST]
    words = (_parts(name) or name.strip("_").lower() for name in names)
    return storable(" ".join(words))[:_LONGEST_GIST]


def _words(
    chunk: Chunk, lines: list[str], where: str, symbols: tuple[Symbol, ...]
) -> tuple[str, str, str, str]:
    text = "\n".join(lines[chunk.first - 1 : chunk.last])
    title = ""
    if chunk.inside >= 0:
        symbol = symbols[chunk.inside]
        title = storable(f"{symbol.name} {symbol.signature} {symbol.doc}")
        title = f"{title} {inner_words(title)}"
    return text, inner_words(text), where, title
