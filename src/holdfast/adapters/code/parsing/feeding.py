"""Feeds a parser its text in pieces, and stops when the parser makes no progress.

On text that does not fit its grammar, a parser can need time and memory that grow with the square
of the length. Its own cancellation ends the whole process (tree-sitter 0.26). So the feed reports
the end of the text instead, and the resulting tree is discarded. A query over a tree can take as
long on a very deep tree.
"""

from __future__ import annotations

import re
from array import array
from itertools import accumulate
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, QueryCursor, Tree

    Matches = list[tuple[int, dict[str, list[Node]]]]

LARGEST = 1024 * 1024
LONGEST_LINE = 16 * 1024
DEEPEST = 400
DEEPEST_ANGLES = 200
_PIECE = 256
# Measured: real files take 0.1 to 1 microseconds a byte, pathological ones over 5 from the start.
_SECONDS_AT_LEAST = 0.005
_SECONDS_PER_BYTE = 3e-6
# Two attempts: one slow attempt may be chance, because the machine was busy.
_ATTEMPTS = 2
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"()[]{}")))
_STEPS = bytes.maketrans(b"()[]{}", b"\x01\xff\x01\xff\x01\xff")

_STATEMENT_END = re.compile(rb"[;{}]")

# The binding keeps a reference to every returned object, so the same object is returned.
_piece = bytearray()


def is_digestible(content: bytes) -> bool:
    """Return whether a text may be parsed: not if it is minified, huge or very deeply nested."""
    return (
        len(content) <= LARGEST
        and _depth(content) <= DEEPEST
        and max(map(len, content.split(b"\n"))) <= LONGEST_LINE
        and _most_open_angles(content) <= DEEPEST_ANGLES
    )


def parsed(parser: Parser, content: bytes) -> Tree | None:
    """Return the syntax tree of a text, or None if the parser exceeded its time limit."""
    for _ in range(_ATTEMPTS):
        feed = _Feed(content)
        tree = parser.parse(feed.read)
        if not feed.has_ended_early:
            return tree
    return None


def matched(cursor: QueryCursor, tree: Tree) -> Matches:
    """Return the matches of a query in a tree.

    It cannot be cancelled: with a callback, the binding ends the process on ordinary files.
    """
    return cursor.matches(tree.root_node)


class _Feed:
    """One attempt to parse a text, with its time limit."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._start = thread_time()
        self.has_ended_early = False

    def read(self, offset: int, _: Point, /) -> bytearray | None:
        """Return the next piece; None ends the text."""
        allowed = _SECONDS_AT_LEAST + offset * _SECONDS_PER_BYTE
        if self.has_ended_early or thread_time() - self._start > allowed:
            self.has_ended_early = True
            return None
        _piece[:] = self._content[offset : offset + _PIECE]
        return _piece


def _depth(content: bytes) -> int:
    """Return how deep brackets are nested; brackets in strings and comments count too."""
    steps = array("b", content.translate(_STEPS, _NOT_BRACKETS))
    return max(accumulate(steps), default=0)


def _most_open_angles(content: bytes) -> int:
    """Return the largest number of unclosed ``<`` in a statement: each may open a type list."""
    if content.count(b"<") <= DEEPEST_ANGLES:
        return 0
    return max(
        part.count(b"<") - 2 * part.count(b"<<") - part.count(b">")
        for part in _STATEMENT_END.split(content)
    )
