"""The text of a page: its pieces, a merge of its lines, and the mark of a generated page.

Every byte of a page is in exactly one piece. An entry begins at a line that is ``---`` and nothing
else, outside a fenced code block, if the lines below it up to the next such line name ``id``,
``uid``, ``type`` or ``kind``. Its body reaches to the next entry. Any other ``---`` is a thematic
break of Markdown and belongs to the surrounding text. A merge conflict with its markers is a piece
of its own, also inside a code block. It includes the entry before it, unless it begins with whole
entries: half of a conflict must never be read as an entry that somebody wrote.

One line of a generated page holds the hash of the rest: the first line or, if the page begins with
frontmatter, the last. A person who edits the page changes the rest but not that line. So the edit
is detected, and the page is not overwritten.
"""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST_HEAD = 16 * 1024
_BOM = "\ufeff"
_RULE = re.compile(r"---[ \t]*\r?\n?")
_NAMES_ENTRY = re.compile(r"(?:id|uid|type|kind)[ \t]*:(?:[ \t\r\n]|$)")
"""People write ``kind`` for ``type``: the entry is then a flaw, and not text of the one before."""
_KEY = re.compile(r"(?:[A-Za-z_][\w.-]*|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:(?:[ \t\r\n]|$)")
_BEFORE_KEYS = re.compile(r"[ \t]*(?:#|\r?\n|$)")
_WITHIN_HEAD = re.compile(r"[ \t\r\n#\-\]}]|$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")
_OURS = re.compile(r"<{7}(?: |\r?\n|$)")
_BETWEEN = re.compile(r"={7}\r?\n")
_BORDER = re.compile(r"(?:<{7}|\|{7})(?: |\r?\n|$)|={7}\r?\n")
_THEIRS = re.compile(r">{7}(?: |\r?\n|$)")
_TELLING = frozenset("-`~ <")
"""The first characters of lines that can begin a piece or a fence."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class PieceKind(StrEnum):
    """The kind of a piece of a page."""

    PROSE = "prose"
    ENTRY = "entry"
    BROKEN = "broken"
    """It begins like an entry, but its frontmatter is not closed."""
    CONFLICT = "conflict"
    """A merge conflict with its markers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePiece:
    """A piece of a page: its frontmatter with both rules, its body, and its first line number."""

    kind: PieceKind
    line: int
    head: str = ""
    body: str = ""
    odd_line: int = 0
    """The line number of text that is not valid frontmatter, or of the first conflict marker."""

    @property
    def text(self) -> str:
        """The text of the piece as it is in the page."""
        return self.head + self.body

    @property
    def inner(self) -> str:
        """The frontmatter between its two rules."""
        return self.head[self.head.index("\n") + 1 : self.head.rindex("---")]


class _Start(NamedTuple):
    """The first line of a piece, and the line that closes its frontmatter or is not part of it."""

    at: int
    end: int
    kind: PieceKind = PieceKind.BROKEN
    odd: int = -1


def lines_of(text: str) -> list[str]:
    """Return the lines as git and editors number them, each with its line end."""
    return _LINE.findall(text)


def cut(text: str) -> list[PagePiece]:
    """Return the pieces of a page in order; joined, they give the same page."""
    lines = lines_of(text.removeprefix(_BOM))
    starts = _starts(lines, _conflicts(lines) if "<<<<<<<" in text else {})
    borders = [*(start.at for start in starts), len(lines)]
    opening = text[: text.startswith(_BOM)] + "".join(lines[: borders[0]])
    pieces = [PagePiece(kind=PieceKind.PROSE, line=1, body=opening)] if opening else []
    for start, border in zip(starts, borders[1:], strict=True):
        body = start.end + 1 if start.kind is PieceKind.ENTRY else start.at
        pieces.append(
            PagePiece(
                kind=start.kind,
                line=start.at + 1,
                head="".join(lines[start.at : body]),
                body="".join(lines[body:border]),
                odd_line=(start.odd if start.odd >= 0 else min(start.end, len(lines) - 1)) + 1,
            )
        )
    return pieces


def joined(pieces: Sequence[PagePiece]) -> str:
    """Return the page made of the pieces."""
    return "".join(piece.text for piece in pieces)


def line_end_of(text: str) -> str:
    """Return the line end of a text, taken from its first line."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _starts(lines: Sequence[str], conflicts: dict[int, _Start]) -> list[_Start]:
    """Return the first line of each entry and conflict, and the end of its first part."""
    found: list[_Start] = []
    at = 0
    while at < len(lines):
        after = at + 1
        if lines[at][0] not in _TELLING:
            pass
        elif start := conflicts.get(at):
            before = found.pop().at if found and not _has_whole_entries(lines, start) else at
            found.append(start._replace(at=before, odd=at))
            after = start.end + 1
        elif past := _past_fence(lines, at, until=min(_later(conflicts, at), len(lines))):
            after = past
        elif _RULE.fullmatch(lines[at]) and (start := _start(lines, at)):
            found.append(start)
            after = start.end + (start.kind is PieceKind.ENTRY)
        at = after
    return found


def _conflicts(lines: Sequence[str]) -> dict[int, _Start]:
    """Return the ranges between conflict markers, by first line."""
    found: dict[int, _Start] = {}
    begun = between = -1
    for number, line in enumerate(lines):
        if _OURS.match(line):
            begun, between = number, -1
        elif begun >= 0 and _BETWEEN.fullmatch(line):
            between = number
        elif between >= 0 and _THEIRS.match(line):
            found[begun] = _Start(begun, number, PieceKind.CONFLICT)
            begun = between = -1
    return found


def _has_whole_entries(lines: Sequence[str], conflict: _Start) -> bool:
    """Return whether each side of a conflict begins with an entry, or is empty."""
    sides = [number for number in range(conflict.at, conflict.end) if _BORDER.match(lines[number])]
    first_lines = [number + 1 for number in sides]
    return all(
        _BORDER.match(lines[number])
        or _THEIRS.match(lines[number])
        or (_RULE.fullmatch(lines[number]) and _start(lines, number))
        for number in first_lines
    )


def _later(conflicts: dict[int, _Start], at: int) -> int:
    return min((start for start in conflicts if start > at), default=sys.maxsize)


def _start(lines: Sequence[str], at: int) -> _Start | None:
    """Return the entry that begins at a rule, or None if the rule is a thematic break."""
    names_entry = has_begun = False
    size = 0
    for number in range(at + 1, len(lines)):
        line = lines[number]
        size += len(line)
        if _RULE.fullmatch(line) and has_begun:
            return _Start(at, number, PieceKind.ENTRY) if names_entry else None
        is_key = _KEY.match(line) is not None
        if not has_begun and not is_key and not _BEFORE_KEYS.match(line):
            return None
        if size > LARGEST_HEAD or not (is_key or _WITHIN_HEAD.match(line)):
            return _Start(at, number) if names_entry else None
        has_begun = has_begun or is_key
        names_entry = names_entry or _NAMES_ENTRY.match(line) is not None
    return _Start(at, len(lines)) if names_entry else None


def _past_fence(lines: Sequence[str], at: int, *, until: int) -> int | None:
    """Return the line after the code block that begins here; None if it is never closed."""
    opening = _FENCE.match(lines[at])
    if opening is None or (opening[1][0] == "`" and "`" in opening[2]):
        return None
    for number in range(at + 1, until):
        closing = _FENCE.match(lines[number])
        if closing and closing[1].startswith(opening[1]) and not closing[2].strip():
            return number + 1
    return None
