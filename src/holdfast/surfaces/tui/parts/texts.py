"""Texts on the screen: nothing in them is read as markup, and no hidden character stays hidden.

A text of a memory becomes ``Content``, which Textual never parses. A plain ``str`` would be parsed
as markup by most widgets, so no text from outside is handed over as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from holdfast.domain.gates.unseen import escaped
from holdfast.domain.text.word_diff import DiffSide, word_diff

if TYPE_CHECKING:
    from collections.abc import Iterable

DIM, BOLD, NAME = "$text-muted", "bold", "$text-accent"
GOOD, WARN, BAD = "$text-success", "$text-warning", "$text-error"
_TAB = 4
_FULL, _EMPTY = "█", "░"
_LONGEST_LINE = 2_000


def safe(text: str) -> str:
    """Return a text whose control characters and hidden characters are written out."""
    return escaped(text.expandtabs(_TAB))


def one_line(text: str) -> str:
    """Return a text on one line, safe to show; the end of a very long one is cut."""
    return safe(" ".join(text[:_LONGEST_LINE].split()))


def styled(text: str, style: str = "") -> Content:
    """Return a text in a style."""
    return Content.styled(safe(text), style)


def line(*parts: str | tuple[str, str]) -> Content:
    """Return one line of parts; a part is a text, or a text with its style."""
    pieces = [(part, "") if isinstance(part, str) else part for part in parts]
    return Content.assemble(*((safe(text), style) for text, style in pieces))


def lines(parts: Iterable[Content]) -> Content:
    """Return contents below each other."""
    return Content("\n").join(parts)


def fact(name: str, *parts: str | tuple[str, str]) -> Content:
    """Return a named fact as one line."""
    return line((f"{name:>10}  ", DIM), *parts)


def quoted(text: str) -> list[Content]:
    """Return the lines of another author, each with a mark, so that none looks like ours."""
    shown = safe(text).splitlines() or [""]
    return [line(("│ ", DIM), one) for one in shown]


def difference(old: str, new: str) -> Content:
    """Return the difference between two texts, word by word; the marks do not need colours."""
    styles = {DiffSide.SAME: "", DiffSide.GONE: BAD, DiffSide.NEW: GOOD}
    pieces = word_diff(one_line(old), one_line(new))
    return line(*((piece.marked, styles[piece.part]) for piece in pieces))


def bar(share: float, width: int) -> str:
    """Return a bar that is filled up to a share between 0 and 1."""
    filled = round(max(0.0, min(1.0, share)) * width)
    return _FULL * filled + _EMPTY * (width - filled)
