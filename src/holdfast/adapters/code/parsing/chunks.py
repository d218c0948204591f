"""Splits a file into chunks: every line that is not blank is in exactly one chunk."""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.adapters.code.parsing.nesting import FUNCTIONS
from holdfast.adapters.code.parsing.parsed import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.adapters.code.parsing.nesting import Nested

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
