"""Converts a parsed file to index rows and search terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.parsing.identifiers import inner_words

if TYPE_CHECKING:
    from holdfast.adapters.code.parsing.parsed import Chunk, Parsed
    from holdfast.domain.code.code import Symbol

_LONGEST_NAME = 400


class Shaped(NamedTuple):
    """The rows of one file. Symbols are referenced by their list index; -1 means none."""

    language: str | None
    has_errors: bool
    symbols: list[tuple[str, str, str, int, int, str, str]]
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
        symbols=[_row(symbol) for symbol in parsed.symbols],
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


def _row(symbol: Symbol) -> tuple[str, str, str, int, int, str, str]:
    name = storable(symbol.name)[:_LONGEST_NAME]
    return (
        name,
        short_name(name),
        symbol.kind,
        symbol.first,
        symbol.last,
        storable(symbol.signature),
        storable(symbol.doc),
    )


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
