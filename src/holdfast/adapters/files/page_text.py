"""The text of a page: its pieces, a merge of its lines, and the mark of a generated page.

Every byte of a page is in exactly one piece. An entry begins at a line that is ``---`` and nothing
else, outside a fenced code block, if the lines below it up to the next such line name ``id``,
``uid`` or ``type``. Its body reaches to the next entry. Any other ``---`` is a thematic break of
Markdown and belongs to the surrounding text. A merge conflict with its markers is a piece of its
own, also inside a code block. It includes the entry before it, unless it begins with whole entries:
half of a conflict must never be read as an entry that somebody wrote.

One line of a generated page holds the hash of the rest: the first line or, if the page begins with
frontmatter, the last. A person who edits the page changes the rest but not that line. So the edit
is detected, and the page is not overwritten.
"""

from __future__ import annotations

import hashlib
import re
import sys
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.pages.page_entry import DecisionWords
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST_HEAD = 16 * 1024
_BOM = "\ufeff"
_RULE = re.compile(r"---[ \t]*\r?\n?")
_NAMES_ENTRY = re.compile(r"(?:id|uid|type)[ \t]*:(?:[ \t\r\n]|$)")
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


class _Change(NamedTuple):
    """The lines of the base from ``start`` to ``stop`` were replaced by ``lines``."""

    start: int
    stop: int
    lines: list[str]


def merge_lines(base: str, ours: str, theirs: str) -> str:
    """Return a text with both edits; if both replaced the same lines, theirs is taken.

    Lines that both inserted at one position are all kept, ours first; equal ones are kept once.
    """
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    lines = [_ended(lines_of(text)) for text in (base, ours, theirs)]
    made: list[str] = []
    at = 0
    for start, stop, fresh in _joined(lines[0], lines[1], lines[2]):
        made += lines[0][at:start]
        made += fresh
        at = stop
    return "".join([*made, *lines[0][at:]])


def lines_lost(before: bytes, saved: bytes, now: bytes) -> bool:
    """Return whether a save added lines that are not in the current text."""
    return bool(_lines(saved) - _lines(before) - _lines(now))


def _lines(content: bytes) -> set[bytes]:
    return {line.strip() for line in content.splitlines() if line.strip()}


def _ended(lines: list[str]) -> list[str]:
    """Return the lines with a line end on the last one, so that another can follow it."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _joined(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Change]:
    """Yield the changes of both sides in order; of overlapping ones, only theirs."""
    mine, yours = _changes(base, ours), _changes(base, theirs)
    while mine or yours:
        if not yours or (mine and _is_before(mine[0], yours[0])):
            yield mine.pop(0)
        elif not mine or _is_before(yours[0], mine[0]):
            yield yours.pop(0)
        else:
            yield _theirs(base, mine, yours)


def _is_before(one: _Change, other: _Change) -> bool:
    """Return whether a change ends before another begins; false for two equal ones."""
    return one.stop <= other.start and one != other


def _theirs(base: Sequence[str], mine: list[_Change], yours: list[_Change]) -> _Change:
    """Remove the overlapping changes from both lists, and return theirs for those lines."""
    ours, theirs = mine.pop(0), yours.pop(0)
    start, stop, taken = min(ours.start, theirs.start), max(ours.stop, theirs.stop), [theirs]
    while (mine and mine[0].start < stop) or (yours and yours[0].start < stop):
        if mine and mine[0].start < stop:
            stop = max(stop, mine.pop(0).stop)
        else:
            taken.append(yours.pop(0))
            stop = max(stop, taken[-1].stop)
    return _Change(start, stop, _applied(base, taken, start, stop))


def _applied(base: Sequence[str], changes: Sequence[_Change], start: int, stop: int) -> list[str]:
    made: list[str] = []
    for change in changes:
        made += base[start : change.start]
        made += change.lines
        start = change.stop
    return [*made, *base[start:stop]]


def _changes(base: Sequence[str], side: Sequence[str]) -> list[_Change]:
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    return [
        _Change(start, stop, list(side[first:last]))
        for tag, start, stop, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]


BY_COMMAND = DecisionWords(
    review="`holdfast review`",
    approve="`holdfast approve {memory}`",
    reject="`holdfast reject {memory}`",
    resolve="`holdfast resolve {memory} {rival}`",
)
"""How the readers of a page decide about what waits there."""
_OPENING = "<!-- Made by holdfast; edits here are not read. "
_MARK = re.compile(rf"{re.escape(_OPENING)}([0-9a-f]{{64}}) -->".encode())
_FRONTMATTER = "---\n"


def marked(text: str) -> bytes:
    """Return a generated page with its hash line."""
    plain = text.replace("\r\n", "\n")
    content = plain.encode("utf-8", "backslashreplace")
    if not plain.startswith(_FRONTMATTER):
        return _mark(content) + content
    content = content if plain.endswith("\n") else content + b"\n"
    return content + _mark(content)


def is_generated(content: bytes) -> bool:
    """Return whether a page was generated, whether or not it was edited since."""
    return _parted(content) is not None


def is_as_made(content: bytes) -> bool:
    """Return whether a generated page is unchanged; different line ends do not count."""
    parted = _parted(content.replace(b"\r\n", b"\n"))
    return parted is not None and _hash(parted[1]) == parted[0]


def _parted(content: bytes) -> tuple[str, bytes] | None:
    """Return the hash in a generated page, and the rest of the page."""
    first, _, after = content.partition(b"\n")
    if match := _MARK.fullmatch(first.rstrip(b"\r")):
        return match[1].decode(), after
    before, _, last = content.rstrip(b"\r\n").rpartition(b"\n")
    if match := _MARK.fullmatch(last):
        return match[1].decode(), before + b"\n"
    return None


def _mark(content: bytes) -> bytes:
    return f"{_OPENING}{_hash(content)} -->\n".encode()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
