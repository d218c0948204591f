"""Parses a file of code: its symbols, their calls, its imports, and its chunks.

Splits a file into chunks: every line that is not blank is in exactly one chunk.

Reads the headings of a Markdown text by rules, without a grammar.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.adapters.code.parsing.feeding import is_digestible, matched, parsed
from holdfast.adapters.code.parsing.headings import headings
from holdfast.adapters.code.parsing.languages import grammar_of, language_of
from holdfast.adapters.code.parsing.nesting import FUNCTIONS, Nested, calls_within, nested
from holdfast.adapters.code.parsing.parsed import Chunk, Parsed
from holdfast.adapters.code.parsing.tree_reading import TreeMatches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.adapters.code.parsing.languages import Grammar


SHORTEST, WANTED, LONGEST = 40, 60, 80
# These kinds, and every symbol of one line, are too small for a chunk of their own: they stay in
# the surrounding chunk.
_SMALL = frozenset({"constant", "element", "key", "property", "rule"})
_SMALL_LINES = 12
_CLOSING = re.compile(rb"\s*(?:[)\]}]|(?:end|fi|done|esac|#endif)\b)")
_MOST_CLOSING = 3


def cut(lines: Sequence[bytes], symbols: Sequence[Nested]) -> list[Chunk]:
    """Return the chunks of a file: its symbols, the parts of long symbols, and the text between."""
    owners = _owners(len(lines), symbols)
    chunks: list[Chunk] = []
    for inside, run in groupby(range(len(lines)), key=owners.__getitem__):
        first, last = _trimmed(lines, list(run))
        if first > last:
            continue
        if chunks and _is_closing(lines[first : last + 1]):
            before = chunks.pop()
            chunks.append(Chunk(first=before.first, last=last + 1, inside=before.inside))
        else:
            chunks += _parts(lines, first, last, inside)
    return chunks


def _owners(count: int, symbols: Sequence[Nested]) -> list[int]:
    """Return for every line the innermost symbol that has its own chunk, or -1."""
    owners = [-1] * count
    for place, (symbol, top, parent, _, _, is_alias) in enumerate(symbols):
        if is_alias or symbol.last - top < (_SMALL_LINES if symbol.kind in _SMALL else 1):
            continue
        if parent >= 0 and _is_whole(symbols[parent]):
            continue
        # A line that two symbols share belongs to the first one.
        first = top - 1 if parent < 0 else max(top, symbols[parent].symbol.first + 1) - 1
        while first < symbol.last and first > 0 and owners[first] not in {-1, parent}:
            first += 1
        last = min(symbol.last, count)
        if first < last:
            owners[first:last] = [place] * (last - first)
    return owners


def _is_whole(within: Nested) -> bool:
    """Return whether nested symbols stay in this symbol's chunk: true for a short function."""
    symbol = within.symbol
    return symbol.kind in FUNCTIONS and symbol.last - symbol.first < LONGEST


def _trimmed(lines: Sequence[bytes], run: Sequence[int]) -> tuple[int, int]:
    first, last = run[0], run[-1]
    while first <= last and not lines[first].strip():
        first += 1
    while first <= last and not lines[last].strip():
        last -= 1
    return first, last


def _is_closing(lines: Sequence[bytes]) -> bool:
    """Return whether the lines hold only closing brackets: they belong to the chunk before."""
    return len(lines) <= _MOST_CLOSING and all(map(_CLOSING.match, filter(bytes.strip, lines)))


def _parts(lines: Sequence[bytes], first: int, last: int, inside: int) -> Iterator[Chunk]:
    """Split a range of lines into parts of readable length, preferably at blank or outer lines."""
    while last - first >= LONGEST:
        cut_at = min(
            range(first + SHORTEST, first + LONGEST),
            key=partial(_tightness, lines, first + WANTED),
        )
        yield from _part(lines, first, cut_at - 1, inside)
        first = cut_at
    yield from _part(lines, first, last, inside)


def _part(lines: Sequence[bytes], first: int, last: int, inside: int) -> Iterator[Chunk]:
    first, last = _trimmed(lines, range(first, last + 1))
    if first <= last:
        yield Chunk(first=first + 1, last=last + 1, inside=inside)


def _tightness(lines: Sequence[bytes], middle: int, row: int) -> tuple[bool, int, int]:
    """Return the cost of a cut before a row: no blank line, deeply indented, off the middle."""
    line = lines[row]
    indent = len(line) - len(line.lstrip())
    return bool(lines[row - 1].strip()), indent, abs(row - middle)


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONE_RETURN = re.compile(rb"\r(?!\n)")


def parse(path: str, content: bytes) -> Parsed:
    """Parse a file; for a language without a grammar, return only its chunks.

    It never fails: text that no grammar can parse in time is treated as plain text.
    """
    content = _levelled(content)
    language = language_of(path, content)
    lines = _lines(content)
    if language == "markdown":
        return _parsed_markdown(lines)
    grammar = grammar_of(language)
    if grammar is None:
        return Parsed(language=language, chunks=tuple(cut(lines, ())))
    return _parsed_code(content, lines, language, grammar)


def plain(path: str, content: bytes) -> Parsed:
    """Return only the chunks of a file, without parsing it."""
    content = _levelled(content)
    language = language_of(path, content)
    return Parsed(language=language, chunks=tuple(cut(_lines(content), ())), has_errors=True)


def _parsed_code(
    content: bytes, lines: Sequence[bytes], language: str | None, grammar: Grammar
) -> Parsed:
    tree = parsed(grammar.parser, content) if is_digestible(content) else None
    if tree is None:
        return Parsed(language=language, chunks=tuple(cut(lines, ())), has_errors=True)
    reading = TreeMatches(content)
    reading.take(matched(grammar.cursor, tree))
    symbols = nested(reading, grammar.joint)
    return Parsed(
        language=language,
        symbols=tuple([each.symbol for each in symbols]),
        calls=tuple(calls_within(reading.calls, symbols)),
        imports=tuple(reading.imports),
        chunks=tuple(cut(lines, symbols)),
        has_errors=tree.root_node.has_error,
    )


def _parsed_markdown(lines: Sequence[bytes]) -> Parsed:

    symbols = headings(lines)
    return Parsed(
        language="markdown",
        symbols=tuple([each.symbol for each in symbols]),
        chunks=tuple(cut(lines, symbols)),
    )


def _levelled(content: bytes) -> bytes:
    """Return the text with uniform line ends and without bytes that break a parser."""
    content = content.removeprefix(_BYTE_ORDER_MARK)
    if b"\r" in content:
        content = _LONE_RETURN.sub(b"\n", content)
    return content.replace(b"\0", b" ")


def _lines(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines
