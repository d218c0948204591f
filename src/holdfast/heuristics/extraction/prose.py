"""Split a turn into the sentences that the speaker wrote.

Code, quotations, logs, tables and pasted pages are removed, because the speaker only copied them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.sessions.transcript import Speaker
from holdfast.domain.values import dataclass, replace
from holdfast.heuristics.extraction.lines import line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.sessions.transcript import Turn

_CURLY = "\N{RIGHT SINGLE QUOTATION MARK}"
_LONGEST_TURN = 60_000
_LONGEST_TYPED = 4_000
_LONGEST_SENTENCE = 2_000
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_TAG = re.compile(r"<(?P<ends>/?)(?P<name>[a-z][\w-]{2,40})\b[^<>\n]{0,200}>", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]+\S.*$", re.MULTILINE)
_INDENTED = re.compile(
    r"(?:(?<=\n\n)|\A)(?:(?: {4}|\t)(?![ \t]*(?:[-*+]|\d+[.)])[ \t]).*(?:\n|\Z))+"
)
# Copied lines: quotations, tables, prompts, diffs, stack traces, logs with a time.
_COPIED = re.compile(
    r"^[ \t]*(?:>|\||\$ |>>> |\.\.\. |@@ |diff --git|index [0-9a-f]{7}|(?:---|\+\+\+) [ab/]"
    r"|Traceback \(|File \"|at [\w.$<>]+\(|[+-](?=\w)|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
    r"|\d\d:\d\d:\d\d|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[: \]]|E   |[-=_*]{3,}[ \t]*$"
    r"|FAILED |PASSED |\w+Error: ).*$",
    re.MULTILINE,
)
_BULLET = re.compile(r"[ \t]*(?:[-*+\N{BULLET}]|\d{1,2}[.)])[ \t]+")
# One run of marks is read once: a run of thousands may not be tried from each of its marks. After
# an abbreviation one mark ends nothing, but several do, as in "etc... Then".
_MARK = r"[.!?\N{HORIZONTAL ELLIPSIS}]"
# Chinese and Japanese put no space after a sentence.
_WIDE_MARK = r"[\N{IDEOGRAPHIC FULL STOP}\N{FULLWIDTH EXCLAMATION MARK}\N{FULLWIDTH QUESTION MARK}]"
_END = re.compile(
    rf"(?:(?<!{_MARK})(?:(?<![.\s][A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)"
    rf"(?<!\bapprox)|(?={_MARK}{{2}})){_MARK}++"
    r"[\"'\N{RIGHT DOUBLE QUOTATION MARK})\]*_`]*+(?=[ \t\n]++[^\sa-z]))"
    rf"|{_WIDE_MARK}++"
    r"[\N{RIGHT CORNER BRACKET}\N{FULLWIDTH RIGHT PARENTHESIS}]*+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence and its place in the turn; ``block`` is its paragraph or list item."""

    text: str
    first: int
    last: int
    block: int
    is_point: bool
    heading: str

    @property
    def asks(self) -> bool:
        """Tell whether it is a question."""
        return self.text.rstrip("\"')*_` ").endswith(("?", "\N{FULLWIDTH QUESTION MARK}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    first: int
    last: int
    is_point: bool
    heading: str


def statements(turn: Turn, *, is_page: bool = False) -> tuple[Statement, ...]:
    """Return the speaker's own sentences in order; in a page all of them are the writer's."""
    own = _own(turn, is_page=is_page)
    return tuple(
        said
        for number, block in enumerate(_blocks(own))
        for said in _sentences(own, turn.text, block, number)
    )


def _own(turn: Turn, *, is_page: bool) -> str:
    """Return the turn's text with everything blanked that the speaker did not write."""
    text = turn.text[:_LONGEST_TURN]
    for copied in (_FENCE, _INDENTED, _COPIED):
        text = copied.sub(_blank, text)
    text = _without_tagged(text)
    is_typed = turn.speaker is Speaker.USER and not is_page
    return _without_pasted(text) if is_typed else text


def _blank(found: re.Match[str]) -> str:
    return _blanked(found[0])


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _without_tagged(text: str) -> str:
    """Blank the text between an opening and a closing tag, in one pass, even if tags stay open."""
    opened: dict[str, int] = {}
    for tag in list(_TAG.finditer(text)):
        name = tag["name"].casefold()
        if not tag["ends"]:
            opened.setdefault(name, tag.start())
        elif name in opened:
            first = opened.pop(name)
            text = text[:first] + _blanked(text[first : tag.end()]) + text[tag.end() :]
    return text


def _without_pasted(text: str) -> str:
    """Keep the text that a person typed before and after a pasted page."""
    if heading := _HEADING.search(text):
        return text[: heading.start()]
    if len(text) <= _LONGEST_TYPED:
        return text
    ends = [found.end() for found in re.finditer(r"\n[ \t]*\n", text)]
    if not ends:
        return ""
    first, last = ends[0], ends[-1]
    return text[:first] + _blanked(text[first:last]) + text[last:]


def _blocks(own: str) -> list[_Block]:
    """Return the paragraphs and list items, each with its heading."""
    blocks: list[_Block] = []
    heading, at, is_open = "", 0, False
    for line in own.splitlines(keepends=True):
        start, at = at, at + len(line)
        if not line.strip():
            is_open = False
        elif _HEADING.match(line):
            heading, is_open = line.strip("# \t\n:*"), False
        elif (point := _BULLET.match(line)) or not is_open:
            skipped = point.end() if point else 0
            blocks.append(
                _Block(first=start + skipped, last=at, is_point=bool(point), heading=heading)
            )
            is_open = True
        else:
            blocks[-1] = replace(blocks[-1], last=at)
    return blocks


def _sentences(own: str, text: str, block: _Block, number: int) -> Iterator[Statement]:
    start = block.first
    stops = [found.end() for found in _END.finditer(own, block.first, block.last)]
    stops += line_ends(own, block.first, block.last)
    for stop in sorted({*stops, block.last}):
        said = own[start:stop]
        bare = said.strip()
        first = start + len(said) - len(said.lstrip())
        # A sentence with a blanked part is incomplete and is dropped.
        is_whole = len(bare) <= _LONGEST_SENTENCE and text.startswith(bare, first)
        if is_whole and any(sign.isalnum() for sign in bare):
            yield Statement(
                text=" ".join(bare.replace(_CURLY, "'").split()),
                first=first,
                last=first + len(bare),
                block=number,
                is_point=block.is_point,
                heading=block.heading,
            )
        start = stop
