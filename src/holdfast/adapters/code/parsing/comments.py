"""The comments and docstrings of a file, as plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    Captures = dict[str, list[Node]]


LONGEST = 300
_MOST_LINES = 60
_MOST_COMMENT_BYTES = 4_000
_OPENING = re.compile(r"^\s*(?:/\*+!?|//+!?|#+!?|--+|;+|<!--|\*+/?|=begin)\s?")
_CLOSING = re.compile(r"\s*(?:\*+/|-->|=end)\s*$")
_DOCSTRING = re.compile(r"^[A-Za-z]{0,2}(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$")


class SourceComment(NamedTuple):
    """A comment: its rows, counted from 0, and its byte range."""

    first: int
    last: int
    start: int
    end: int


class Comments:
    """The comments of a file, by the row on which they end."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._by_last_row: dict[int, SourceComment] = {}

    def put(self, comment: SourceComment) -> None:
        """Add a comment."""
        self._by_last_row[comment.last] = comment

    def above(self, row: int) -> tuple[int, str]:
        """Return the first row of the comment directly above a row, and its text."""
        met: list[SourceComment] = []
        top = row
        while row - top < _MOST_LINES:
            comment = self._by_last_row.get(top - 1)
            if comment is None or not self._starts_its_line(comment):
                break
            met.append(comment)
            top = comment.first
        texts = [
            self._content[each.start : each.end][:_MOST_COMMENT_BYTES] for each in reversed(met)
        ]
        return top, comment_words(b"\n".join(texts).decode("utf-8", "replace"))

    def _starts_its_line(self, comment: SourceComment) -> bool:
        line = self._content.rfind(b"\n", 0, comment.start) + 1
        return not self._content[line : comment.start].strip()


def comment_words(text: str) -> str:
    """Return a comment's text without comment markers, on one line."""
    lines = [_CLOSING.sub("", _OPENING.sub("", line)) for line in text.splitlines()]
    return shortened(" ".join(lines))


def docstring_words(literal: bytes) -> str:
    """Return a docstring's text without quotes, on one line."""
    return shortened(_DOCSTRING.sub("", literal[:_MOST_COMMENT_BYTES].decode("utf-8", "replace")))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return the text on one line, truncated to a maximum length."""
    words = " ".join(text.split())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"
