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
from holdfast.adapters.code.parsing.languages import grammar_of, language_of
from holdfast.adapters.code.parsing.nesting import FUNCTIONS, Nested, calls_within, nested
from holdfast.adapters.code.parsing.parsed import Chunk, Parsed
from holdfast.adapters.code.parsing.tree_reading import TreeMatches, shortened
from holdfast.domain.code.code import Symbol

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
    for place, (symbol, top, parent, _, _) in enumerate(symbols):
        if symbol.last - top < (_SMALL_LINES if symbol.kind in _SMALL else 1):
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


class CodeOutline:
    """Reads symbols with the installed grammars."""

    def symbols(self, path: str, text: str) -> Sequence[Symbol]:
        """Return the symbols in order; none if the language is not known."""
        return parse(path, text.encode("utf-8", "replace")).symbols


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


_JOINT = " > "
_LONGEST_NAME = 120
_MOST = 5_000
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\r?$")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?$")
_TEXT = re.compile(rb" {0,3}[^\s#>|*+\-`~<]")
_FRONT = re.compile(rb"---[ \t]*\r?$")


def headings(lines: Sequence[bytes]) -> list[Nested]:
    """Return the sections of the text as symbols: from a heading to the line before the next."""
    found = list(_found(lines))[:_MOST]
    made: list[Nested] = []
    open_ones: list[tuple[int, int]] = []
    for place, (row, level, title) in enumerate(found):
        while open_ones and open_ones[-1][0] >= level:
            open_ones.pop()
        parent = open_ones[-1][1] if open_ones else -1
        above = f"{made[parent].symbol.name}{_JOINT}" if open_ones else ""
        last = next((at for at, rank, _ in found[place + 1 :] if rank <= level), len(lines))
        while last > row + 1 and not lines[last - 1].strip():
            last -= 1
        symbol = Symbol(
            name=above + title,
            kind="heading",
            first=row + 1,
            last=last,
            signature=f"{'#' * level} {title}",
        )
        open_ones.append((level, place))
        made.append(Nested(symbol, row + 1, parent, row, last))
    return made


def _found(lines: Sequence[bytes]) -> Iterator[tuple[int, int, str]]:
    """Return the row, level and text of each heading; fenced code is ignored."""
    fence = b""
    for row in range(_front_matter(lines), len(lines)):
        line = lines[row]
        mark = _FENCE.match(line)
        if fence:
            is_end = mark is not None and mark[1].startswith(fence)
            fence = b"" if is_end and not line.strip().strip(fence[:1]) else fence
        elif mark is not None:
            fence = mark[1]
        elif atx := _ATX.match(line):
            if title := _title(atx[2] or b""):
                yield row, len(atx[1]), title
        elif row + 1 < len(lines) and _is_underlined(lines, row):
            yield row, 1 if lines[row + 1].lstrip().startswith(b"=") else 2, _title(line)


def _front_matter(lines: Sequence[bytes]) -> int:
    """Return the first row after the front matter."""
    if not lines or not _FRONT.match(lines[0]):
        return 0
    return next((row + 1 for row in range(1, len(lines)) if _FRONT.match(lines[row])), 0)


def _is_underlined(lines: Sequence[bytes], row: int) -> bool:
    """Return whether a line is a one-line paragraph with a heading underline below it."""
    is_alone = row == 0 or not lines[row - 1].strip()
    return bool(is_alone and _TEXT.match(lines[row]) and _UNDERLINE.match(lines[row + 1]))


def _title(words: bytes) -> str:
    return shortened(words.decode("utf-8", "replace"), _LONGEST_NAME)
