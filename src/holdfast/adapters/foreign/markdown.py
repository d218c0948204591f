"""Splits Markdown into blocks with line numbers: headings, bullets, paragraphs, code, tables.

Comments and Holdfast's own blocks in a file are skipped.

Converts inline Markdown to plain text: removes emphasis, keeps code spans and identifiers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markup import plain
from holdfast.domain.text.managed import BEGIN, END
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator


BULLET, PARAGRAPH, HEADING, CODE, TABLE = "bullet", "paragraph", "heading", "code", "table"
_PASSED_OVER = "passed over"
_WHOLE_PAGE = -1
_HEADING = re.compile(r"(#{1,6})\s+(.+?)(?:\s+#+)?\s*$")
_BULLET = re.compile(r"(\s*)(?:[-*+]|[0-9]{1,3}[.)])\s+(\S.*)$")
_RULE = re.compile(r"\s*(?:=+|-{3,}|\*{3,}|_{3,})\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_NAMED = re.compile(r"([\w.-]+):(?:\s+(.*))?$")
_ITEM = re.compile(r"\s*-\s+(.*)$")
_FIRST_LINE = "---"
_LONGEST_BLOCK = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownBlock:
    """One block of a page, its lines, and the headings above it.

    ``lead`` is the line that introduces a bullet's list, without its colon. ``parent`` is the
    bullet to which a nested bullet or an indented paragraph belongs.
    """

    sort: str
    text: str
    first: int
    last: int
    trail: tuple[str, ...] = ()
    lead: str = ""
    parent: str = ""


def bare(block: MarkdownBlock) -> str:
    """Return the lines of a fenced block without its fences, or those of a table."""
    lines = [line.strip() for line in block.text.split("\n")]
    return "; ".join(line for line in lines if line and not _FENCE.match(line))


def frontmatter(text: str) -> tuple[dict[str, str | list[str]], int]:
    """Return the frontmatter of a note, and how many lines it has.

    Only the simple form is parsed: names and values, lists, and one level of nested names, which
    are returned as ``metadata.type``.
    """
    lines = text.split("\n")
    if not lines or lines[0].strip() != _FIRST_LINE:
        return {}, 0
    ends = [number for number, line in enumerate(lines[1:], 1) if line.strip() == _FIRST_LINE]
    if not ends:
        return {}, 0
    return _facts(lines[1 : ends[0]]), ends[0] + 1


def _facts(lines: list[str]) -> dict[str, str | list[str]]:
    facts: dict[str, str | list[str]] = {}
    items: list[str] = []
    outer = name = ""
    for line in lines:
        if item := _ITEM.match(line):
            items.append(_value(item[1]))
            facts[name] = items
        elif found := _NAMED.match(line.strip()):
            is_within = line[:1].isspace() and bool(outer)
            name = f"{outer}.{found[1]}" if is_within else found[1]
            outer = outer if is_within else found[1]
            value = (found[2] or "").strip()
            items = _list(value) if value.startswith("[") else []
            facts[name] = items or _value(value)
    return facts


def _list(text: str) -> list[str]:
    return [_value(part) for part in text.strip("[]").split(",") if part.strip()]


def _value(text: str) -> str:
    stripped = text.strip()
    for quote in ('"', "'"):
        if len(stripped) > 1 and stripped.startswith(quote) and stripped.endswith(quote):
            return stripped[1:-1]
    return stripped


def blocks(text: str) -> Iterator[MarkdownBlock]:
    """Return the blocks of a text in order."""
    _, skipped = frontmatter(text)
    page = _Page()
    for number, line in enumerate(text.split("\n")[skipped:], start=skipped + 1):
        if hidden := page.hidden_as(line):
            yield from page.end()
            yield from page.put_aside(hidden, number, line)
        else:
            yield from page.end_aside()
            yield from page.read(number, line)
    yield from page.end()
    yield from page.end_aside()


class _Page:
    """Reads lines one by one, and yields each block when it ends."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._above: list[tuple[int, str]] = []
        self._items: list[tuple[int, str]] = []
        self._indent = 0
        self._open: MarkdownBlock | None = None
        self._aside: MarkdownBlock | None = None
        self._fence = self._until = ""

    def hidden_as(self, line: str) -> str:
        """Return whether a line is code, part of a table, or skipped; '' for any other line."""
        if self._until:
            self._until = "" if self._until in line else self._until
            return _PASSED_OVER
        if BEGIN in line:
            self._until = END
            return _PASSED_OVER
        fence = _FENCE.match(line)
        if self._fence or fence:
            self._fence = self._after_fence(fence)
            return CODE
        if line.lstrip().startswith("<!--"):
            self._until = "" if "-->" in line else "-->"
            return _PASSED_OVER
        return TABLE if line.lstrip().startswith("|") else ""

    def put_aside(self, sort: str, number: int, line: str) -> Iterator[MarkdownBlock]:
        """Add a line of code or of a table; yield the block before if it is of another sort."""
        held = self._aside
        if held is None or held.sort != sort:
            yield from self.end_aside()
            self._aside = None if sort == _PASSED_OVER else self._block(sort, line, number)
        else:
            room = len(held.text) < _LONGEST_BLOCK
            text = f"{held.text}\n{line}"[:_LONGEST_BLOCK] if room else held.text
            self._aside = replace(held, text=text, last=number)

    def end_aside(self) -> Iterator[MarkdownBlock]:
        """Yield the code or table that has ended; a lead-in belongs only to the first."""
        if self._aside is not None:
            yield self._aside
            self._above = [one for one in self._above if one[0] != _WHOLE_PAGE]
        self._aside = None

    def _after_fence(self, fence: re.Match[str] | None) -> str:
        if not self._fence:
            return fence[1] if fence else ""
        return "" if fence and fence[1] == self._fence else self._fence

    def read(self, number: int, line: str) -> Iterator[MarkdownBlock]:
        """Read a line, and yield the block that it ends."""
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if heading:
            yield from self.end()
            yield self._heading(number, len(heading[1]), heading[2])
        elif _RULE.match(line):
            yield from self._underlined(number, line)
        elif not line.strip():
            yield from self.end()
        elif bullet:
            yield from self.end()
            self._indent = indent = len(bullet[1].expandtabs(4))
            self._above = [one for one in self._above if one[0] < indent]
            self._items = [one for one in self._items if one[0] < indent]
            self._open = self._block(BULLET, bullet[2], number)
            if bullet[2].rstrip().endswith(":"):
                self._above.append((indent, plain(bullet[2]).rstrip(":")))
        elif self._open is not None:
            room = len(self._open.text) < _LONGEST_BLOCK
            more = f" {line.strip().removeprefix('> ')}"[:_LONGEST_BLOCK] if room else ""
            self._open = replace(self._open, text=self._open.text + more, last=number)
        else:
            if not line[:1].isspace():
                self._above, self._items = [], []
            self._open = self._block(PARAGRAPH, line.strip().removeprefix("> "), number)

    def _block(self, sort: str, text: str, number: int) -> MarkdownBlock:
        trail = tuple(text for _, text in (*self._headings, *self._above))
        lead = self._above[-1][1] if self._above else ""
        kept = text[:_LONGEST_BLOCK]
        parent = self._items[-1][1] if self._items else ""
        return MarkdownBlock(
            sort=sort, text=kept, first=number, last=number, trail=trail, lead=lead, parent=parent
        )

    def _heading(self, number: int, depth: int, text: str) -> MarkdownBlock:
        self._headings = [one for one in self._headings if one[0] < depth]
        self._above, self._items = [], []
        block = self._block(HEADING, plain(text), number)
        self._headings.append((depth, plain(text)))
        return block

    def _underlined(self, number: int, line: str) -> Iterator[MarkdownBlock]:
        """Treat a one-line paragraph as a heading if an underline follows it."""
        held = self._open
        if held is not None and held.sort == PARAGRAPH and held.first == held.last == number - 1:
            self._open = None
            yield self._heading(held.first, 1 if "=" in line else 2, held.text)
        else:
            yield from self.end()

    def end(self) -> Iterator[MarkdownBlock]:
        """Yield the open block; a paragraph that ends with a colon introduces a list."""
        held = self._open
        if held is not None:
            yield held
            if held.sort == BULLET:
                self._items.append((self._indent, plain(held.text)))
            if held.sort == PARAGRAPH and held.text.rstrip("* _").endswith((":", "：")):
                self._above = [(_WHOLE_PAGE, plain(held.text).rstrip(":："))]
        self._open = None
