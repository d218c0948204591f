"""Gives a parser its text piece by piece, and no more once it makes no headway.

On text that is not what its grammar expects, a parser can need time and memory by the square
of the length. Its own way to be stopped ends the whole process (tree-sitter 0.26), so it is
told that the text has ended; what it made of it is then thrown away. A search through a tree
can be stopped, and is: in one that is very deep it takes as long.
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
# Real files take 0.1 to 1 microseconds a byte; those that come to grief, over 5 from the start.
_SECONDS_AT_LEAST = 0.005
_SECONDS_PER_BYTE = 3e-6
# Once is chance: the machine may have been busy with something else.
_ATTEMPTS = 2
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"()[]{}")))
_STEPS = bytes.maketrans(b"()[]{}", b"\x01\xff\x01\xff\x01\xff")

_STATEMENT_END = re.compile(rb"[;{}]")

# The binding keeps a reference to whatever is returned to it; so it is always the same one.
_piece = bytearray()


def is_digestible(content: bytes) -> bool:
    """Tell whether a parser is the right reader: not for minified, huge or absurdly deep text."""
    return (
        len(content) <= LARGEST
        and _depth(content) <= DEEPEST
        and max(map(len, content.split(b"\n"))) <= LONGEST_LINE
        and _most_open_angles(content) <= DEEPEST_ANGLES
    )


def parsed(parser: Parser, content: bytes) -> Tree | None:
    """Return the tree of a text, or None where the parser did not get through in good time."""
    for _ in range(_ATTEMPTS):
        feed = _Feed(content)
        tree = parser.parse(feed.read)
        if not feed.has_ended_early:
            return tree
    return None


def matched(cursor: QueryCursor, tree: Tree) -> Matches:
    """Return what is found in a tree.

    It cannot be stopped: with a callback, the binding ends the process on ordinary files.
    """
    return cursor.matches(tree.root_node)


class _Feed:
    """One reading of a text, from its start until it takes too long."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._start = thread_time()
        self.has_ended_early = False

    def read(self, offset: int, _: Point, /) -> bytearray | None:
        """Return the next piece; None is the end."""
        allowed = _SECONDS_AT_LEAST + offset * _SECONDS_PER_BYTE
        if self.has_ended_early or thread_time() - self._start > allowed:
            self.has_ended_early = True
            return None
        _piece[:] = self._content[offset : offset + _PIECE]
        return _piece


def _depth(content: bytes) -> int:
    """Return how deep brackets are nested; those in strings and comments count too."""
    steps = array("b", content.translate(_STEPS, _NOT_BRACKETS))
    return max(accumulate(steps), default=0)


def _most_open_angles(content: bytes) -> int:
    """Return how many ``<`` of one statement no ``>`` answers: each may open a list of types."""
    if content.count(b"<") <= DEEPEST_ANGLES:
        return 0
    return max(
        part.count(b"<") - 2 * part.count(b"<<") - part.count(b">")
        for part in _STATEMENT_END.split(content)
    )
